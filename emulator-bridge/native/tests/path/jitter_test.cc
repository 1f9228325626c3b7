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
