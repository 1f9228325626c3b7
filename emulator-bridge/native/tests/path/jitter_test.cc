#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Moments {
  double mean{};
  double deviation{};
  double least{1e9};
  double most{};
};

// Of the delays, packets 1 s apart, so that none waits for another.
Moments moments_of(const Params::Given& params) {
  DriveElements drive{make_element("jitter", params)};
  constexpr int kPackets = 50'000;
  for (int i = 0; i < kPackets; ++i) drive.in(at_ms(1000.0 * i));
  drive.finish();
  REQUIRE(drive.out.size() == kPackets);
  Moments m{};
  double squares = 0;
  for (const auto& o : drive.out) {
    const double ms = static_cast<double>((o.time - at_ms(1000.0 * static_cast<double>(o.number))).ns) / 1e6;
    m.mean += ms / kPackets;
    squares += ms * ms / kPackets;
    m.least = std::min(m.least, ms);
    m.most = std::max(m.most, ms);
  }
  m.deviation = std::sqrt(squares - m.mean * m.mean);
  return m;
}

}  // namespace

TEST_CASE("mean and deviation are those of the distribution") {
  const Moments uniform = moments_of({{"distribution", std::string{"uniform"}}, {"mean_ms", 6.0}});
  CHECK(uniform.mean == doctest::Approx(6).epsilon(0.02));
  CHECK(uniform.deviation == doctest::Approx(12 / std::sqrt(12)).epsilon(0.02));
  CHECK(uniform.most <= 12);
  const Moments exponential = moments_of({{"distribution", std::string{"exponential"}}, {"mean_ms", 6.0}});
  CHECK(exponential.mean == doctest::Approx(6).epsilon(0.03));
  CHECK(exponential.deviation == doctest::Approx(6).epsilon(0.03));
  const Moments normal =
      moments_of({{"distribution", std::string{"normal"}}, {"mean_ms", 20.0}, {"deviation_ms", 3.0}});
  CHECK(normal.mean == doctest::Approx(20).epsilon(0.01));
  CHECK(normal.deviation == doctest::Approx(3).epsilon(0.02));
  CHECK(moments_of({{"distribution", std::string{"normal"}}, {"mean_ms", 1.0}, {"deviation_ms", 3.0}}).least == 0);
}

TEST_CASE("order is kept or not; the draws are the same, and what is kept in order leaves with the slowest so far") {
  DriveElements kept{make_element("jitter", {{"mean_ms", 5.0}})};
  DriveElements free{make_element("jitter", {{"mean_ms", 5.0}, {"keep_order", false}})};
  for (int i = 0; i < 2000; ++i) {
    kept.in(at_ms(i));
    free.in(at_ms(i));
  }
  kept.finish();
  free.finish();
  const auto by_number = [](const auto& a, const auto& b) { return a.number < b.number; };
  CHECK(std::ranges::is_sorted(kept.out, by_number));
  CHECK(!std::ranges::is_sorted(free.out, by_number));
  std::ranges::sort(free.out, by_number);
  Time slowest{};
  for (std::size_t i = 0; i < free.out.size(); ++i) {
    slowest = std::max(slowest, free.out[i].time);
    REQUIRE(kept.out[i].time == slowest);
  }
}

namespace {

// 5 ms from 0 on, 1 ms from 10 ms on, 8 ms from 15 ms on: over again every 20 ms.
std::unique_ptr<PathElement> recorded(bool keep_order, Duration offset = {}) {
  ElementSetup setup{.random = Random{1, 0, "jitter"}};
  setup.recorded = std::make_shared<const RecordedDelays>(
      std::vector{Duration::zero(), Duration::millis(10), Duration::millis(15)},
      std::vector{Duration::millis(5), Duration::millis(1), Duration::millis(8)}, offset);
  const ElementDescriptor& d = element("jitter");
  return d.make(std::move(setup),
                Params{d.params, {{"distribution", std::string{"recorded"}}, {"keep_order", keep_order}}});
}

// A packet at each of these times: when each leaves, ms.
std::vector<double> leave_ms(std::unique_ptr<PathElement> jitter, const std::vector<double>& come_ms) {
  DriveElements drive{std::move(jitter)};
  for (const double ms : come_ms) drive.in(at_ms(ms));
  drive.finish();
  std::vector<double> all(come_ms.size());
  for (const auto& o : drive.out) all.at(o.number) = static_cast<double>(o.time.ns) / 1e6;
  return all;
}

}  // namespace

TEST_CASE("recorded delays hold until the next one, then they begin anew: a schedule by hand") {
  const std::vector<double> come{0, 7, 9, 10, 14.5, 15, 19.999, 20, 29, 30, 39, 41};
  // Each for itself: 5, 5, 5, 1, 1, 8, 8 | 5, 5, 1, 8 | 5.
  CHECK(leave_ms(recorded(false), come) == std::vector<double>{5, 12, 14, 11, 15.5, 23, 27.999, 25, 34, 31, 47, 46});
  // In order, a packet waits for the one in front.
  CHECK(leave_ms(recorded(true), come) == std::vector<double>{5, 12, 14, 14, 15.5, 23, 27.999, 27.999, 34, 34, 47, 47});
  // The run begins 12 ms into them: 1 ms until 3, 8 ms until 8, 5 ms until 18; and 52 ms are two rounds more.
  for (const int64_t offset : {12, 52})
    CHECK(leave_ms(recorded(false, Duration::millis(offset)), {0, 2.5, 3, 7.5, 8, 17, 18}) ==
          std::vector<double>{1, 3.5, 11, 15.5, 13, 22, 19});
}

TEST_CASE("the clock of what was recorded stands still until it is started, as a trace's does") {
  DriveElements drive{recorded(false)};
  drive.chain.hold_clocks();
  drive.in(at_ms(12));
  drive.chain.start_clocks(at_ms(100));
  drive.in(at_ms(109));
  drive.in(at_ms(111));
  drive.finish();
  CHECK(drive.out.at(0).time == at_ms(17));
  CHECK(drive.out.at(1).time == at_ms(112));
  CHECK(drive.out.at(2).time == at_ms(114));
}

TEST_CASE("one recorded delay holds for ever; what is no schedule is refused") {
  CHECK(RecordedDelays{{Duration::zero()}, {Duration::millis(3)}, {}}.at(Duration::seconds(1e6)) ==
        Duration::millis(3));
  const auto ms = [](int64_t v) { return Duration::millis(v); };
  CHECK_THROWS_AS((RecordedDelays{{}, {}, {}}), std::invalid_argument);
  CHECK_THROWS_AS((RecordedDelays{{ms(0), ms(1)}, {ms(1)}, {}}), std::invalid_argument);
  CHECK_THROWS_AS((RecordedDelays{{ms(1)}, {ms(1)}, {}}), std::invalid_argument);
  CHECK_THROWS_AS((RecordedDelays{{ms(0), ms(5), ms(4)}, {ms(1), ms(1), ms(1)}, {}}), std::invalid_argument);
}
