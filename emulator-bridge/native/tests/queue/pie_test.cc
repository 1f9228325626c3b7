#include "queue/pie.hh"

#include <doctest/doctest.h>

#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// The controller alone on T1, 1500 bytes per millisecond: each update sees this delay, as the last packet's.
template <typename Rules>
void update(Rules& rules, double delay_ms, Time& now) {
  now += Rules::kPeriod;
  const Bytes backlog{static_cast<int64_t>(delay_ms * 1500)};
  rules.departed(Duration::seconds(delay_ms / 1e3), Rate::mbps(12).bytes_in(Rules::kPeriod), backlog, now);
  rules.update(backlog);
}

}  // namespace

// RFC 8033 section 4.2: p += alpha (delay - target) + beta (delay - delay before), /2048 below 10^-6, /512 below 10^-5 and so on.
TEST_CASE("the probability moves by distance and slope, in steps that suit its size") {
  LinuxPie rules{0.015, 0.15};
  Time now{};
  update(rules, 35, now);
  CHECK(rules.probability() == doctest::Approx((0.125 * 0.020 + 1.25 * 0.035) / 2048));
  const double before = rules.probability();
  update(rules, 35, now);
  CHECK(rules.probability() - before == doctest::Approx(0.125 * 0.020 / (before < 1e-5 ? 512 : 128)));
}

// docs/reference.md 10.5, check 2; RFC 8033 section 5.2.
TEST_CASE("above ten per cent an update adds two per cent at most, and as much again while the delay is above 250 ms") {
  LinuxPie rules{0.015, 0.15};
  Time now{};
  double largest = 0;
  double high = 0;
  for (int i = 0; i < 400; ++i) {
    const double before = rules.probability();
    const double delay = i < 200 ? 240.0 * (i % 2) : 300;
    update(rules, delay, now);
    if (before < 0.1) continue;
    (delay > 250 ? high : largest) = std::max(delay > 250 ? high : largest, rules.probability() - before);
  }
  CHECK(largest <= 0.02 + 1e-12);
  CHECK(high == doctest::Approx(0.04));
  CHECK(rules.probability() == 1);
}

// Linux: p -= p / 64 while nothing waits.
TEST_CASE("without a queue the probability decays to nothing") {
  LinuxPie rules{0.015, 0.15};
  Time now{};
  for (int i = 0; i < 2000; ++i) update(rules, 60, now);
  const double reached = rules.probability();
  REQUIRE(reached > 0.05);
  update(rules, 0, now);
  update(rules, 0, now);
  CHECK(rules.probability() < reached * 63 / 64);
  for (int i = 0; i < 4000; ++i) update(rules, 0, now);
  CHECK(rules.probability() == 0);
}

// docs/reference.md 10.5, check 3; RFC 8033 section 4.4.
TEST_CASE("after idling nothing is dropped for 150 ms, however fast the queue grows") {
  Drive drive{make("pie")};
  for (double ms = 1000; ms < 1150; ++ms) {
    for (int i = 0; i < 4; ++i) drive.in(at_ms(ms));
    drive.out(at_ms(ms + 0.5));
  }
  CHECK(drive.dropped.empty());
  for (double ms = 1150; ms < 3000; ++ms) {
    for (int i = 0; i < 4; ++i) drive.in(at_ms(ms));
    drive.out(at_ms(ms + 0.5));
  }
  CHECK(drive.dropped.size() > 100);
}

// RFC 8033 section 5.1.
TEST_CASE("flows that understand marks are marked while the probability is at most ten per cent, and dropped above") {
  Drive drive{make("pie", Bytes::infinite(), {{"ecn", true}})};
  uint64_t marked_before_drops = 0;
  for (double ms = 1; ms < 20'000; ++ms) {
    drive.in(at_ms(ms), 0, 1500, EcnMark::ect0);
    if (static_cast<int>(ms) % 20 == 0) drive.in(at_ms(ms), 0, 1500, EcnMark::ect0);  // does not react to marks
    drive.out(at_ms(ms));
    if (drive.dropped.empty()) marked_before_drops = drive.queue->marked_packets();
  }
  CHECK(marked_before_drops > 8);
  // Marks having done nothing, a twentieth of what comes is dropped.
  const auto late = std::ranges::count_if(drive.dropped, [](const Gone& g) { return g.time > at_ms(10'000); });
  CHECK(static_cast<double>(late) == doctest::Approx(500).epsilon(0.15));
}

TEST_CASE("small packets are spared where that is asked for") {
  const auto small_share = [](bool bytewise) {
    Drive drive{make("pie", Bytes::infinite(), {{"bytewise", bytewise}})};
    for (double ms = 1; ms < 20'000; ++ms) {
      drive.in(at_ms(ms), 0, 1500);
      drive.in(at_ms(ms), 1, 150);
      drive.out(at_ms(ms));
    }
    const auto small = std::ranges::count_if(drive.dropped, [](const Gone& g) { return g.packet.size == 150; });
    return static_cast<double>(small) / static_cast<double>(drive.dropped.size());
  };
  CHECK(small_share(false) == doctest::Approx(0.5).epsilon(0.1));
  CHECK(small_share(true) < 0.2);
}

// docs/reference.md 10.5, check 4: 1.5 % per 30 ms at 15 ms above the target.
TEST_CASE("Mahimahi's variant reckons in milliseconds") {
  MahimahiPie rules{0.015, 0.15};
  Time now{};
  for (int i = 0; i < 100; ++i) update(rules, 45, now);
  CHECK(rules.probability() == 1);
  update(rules, 30, now);  // falls by 1.25 * 15 / 16
  CHECK(rules.probability() == 0);
  update(rules, 30, now);
  CHECK(rules.probability() == doctest::Approx(0.125 * 15 / 128).epsilon(0.1));  // whole milliseconds
  // The same excess moves Linux' by a millionth.
  LinuxPie linux_rules{0.015, 0.15};
  update(linux_rules, 30, now);
  CHECK(linux_rules.probability() < 1e-4);
}

// docs/reference.md 10.5, check 1 (predicted there: mean 14 ms, p95 24 ms with the packet's own millisecond, >= 99 %).
TEST_CASE("one paced Cubic flow on T1 waits for the target and uses the link") {
  const Outcome o = outcome_of(on_t1("pie", {}, {flow(cca("cubic"))}, 120));
  CHECK(o.mean("sojourn_mean_ms", 10) + 1 == doctest::Approx(14).epsilon(0.1));
  CHECK(o.quantile("sojourn_mean_ms", 0.95, 10) + 1 == doctest::Approx(25.5).epsilon(0.12));
  CHECK(o.utilisation(10) >= 0.99);
}

TEST_CASE("the target holds for ten flows as for two") {
  for (const std::size_t flows : {std::size_t{2}, std::size_t{10}}) {
    CAPTURE(flows);
    const Outcome o = outcome_of(on_t1("pie", {}, std::vector<FlowPlan>(flows, flow(cca("cubic"))), 120));
    CHECK(o.mean("sojourn_mean_ms", 10) == doctest::Approx(15).epsilon(0.1));
    CHECK(o.utilisation(10) > 0.99);
  }
}
