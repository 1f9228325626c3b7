// C2TCP: when it cuts, how its setpoint moves (docs/reference.md 6.2), and what both do to Cubic's delay.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using paceline::testing::EventFeeder;
using paceline::testing::LinkRun;
using paceline::testing::make_cca;
using paceline::testing::run_over_link;
using paceline::testing::Sample;

namespace {

constexpr std::size_t kAbove = 2;  // positions of the internals
constexpr std::size_t kSetpoint = 3;
constexpr std::size_t kAlpha = 4;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 6> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

const Params::Given kSteady{{"alpha_control", false}};

}  // namespace

TEST_CASE("c2tcp cuts to one packet once the RTT stayed above the setpoint for that long, then ever sooner") {
  const auto cca = make_cca("c2tcp", kSteady);
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.round();
  CHECK(internal(*cca, kSetpoint) == 80);  // 2 least RTTs
  feed.set_rtt(Duration::millis(120));     // check 2: a standing RTT of three least ones
  const double start = feed.seconds();
  std::vector<double> cuts;
  while (feed.seconds() < start + 1) {
    feed.wait(Duration::millis(1));
    feed.ack(1);
    if (feed.cwnd() == 1) cuts.push_back(feed.seconds());
  }
  REQUIRE(cuts.size() >= 5);
  // the first overshoot, a millisecond in, only arms the timer
  CHECK(cuts[0] - start - 0.001 == doctest::Approx(0.080).epsilon(0.03));
  for (std::size_t i = 1; i < 5; ++i)
    CHECK(cuts[i] - cuts[i - 1] == doctest::Approx(0.080 / std::sqrt(i)).epsilon(0.04));
  CHECK(internal(*cca, kAbove) == 1);
  feed.set_rtt(Duration::millis(79));
  feed.ack(1);
  CHECK(internal(*cca, kAbove) == 0);
}

TEST_CASE("c2tcp's cut is a Cubic reduction with slow start after it") {
  const auto cca = make_cca("c2tcp", kSteady);
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 4; ++i) feed.round();
  feed.set_rtt(Duration::millis(100));
  feed.ack(1);
  feed.wait(Duration::millis(81));
  const int64_t before = feed.cwnd();
  feed.ack(1);  // slow start adds this one first
  CHECK(feed.cwnd() == 1);
  CHECK(feed.ssthresh() == (before + 1) * 7 / 10);
  CHECK(cca->phase() == "slow start");
  feed.set_rtt(Duration::millis(40));
  feed.ack(1);
  CHECK(feed.cwnd() >= 2);
}

TEST_CASE("c2tcp grows faster than Cubic the further the RTT is below the setpoint") {
  // after a cut and slow start, ten windows at the least RTT: Cubic's growth plus setpoint / RTT = 4 packets per window
  const auto grown = [](double alpha) {
    auto given = kSteady;
    given["alpha_init"] = alpha;
    const auto cca = make_cca("c2tcp", given);
    EventFeeder feed{*cca, Duration::millis(40)};
    for (int i = 0; i < 3; ++i) feed.round();
    feed.lose_one();
    const int64_t before = feed.cwnd();
    for (int i = 0; i < 10; ++i) feed.round();
    return feed.cwnd() - before;
  };
  const int64_t once = grown(1);
  const int64_t fourfold = grown(4);
  CHECK(fourfold - once == doctest::Approx(30).epsilon(0.15));
}

TEST_CASE("c2tcp's setpoint comes down to the least RTT while the mean is above the target, and rises below it") {
  const auto cca = make_cca("c2tcp", {{"target_ms", 60.0}});
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.ack(1);
  CHECK(internal(*cca, kAlpha) == 2);
  const auto period = [&](int rtt_ms) {
    feed.set_rtt(Duration::millis(rtt_ms));
    feed.ack(1);
    feed.wait(Duration::millis(500));
    cca->on_tick(feed.now());
    return internal(*cca, kAlpha);
  };
  // the first period's mean is of 40 and 40 ms: a third below the target
  CHECK(period(40) == doctest::Approx(2 * (1 + 0.5 * 20 / 40)));
  CHECK(period(75) == doctest::Approx(2.5 * (1 - 2 * 15.0 / 75)));  // check 3: geometric …
  CHECK(period(75) == doctest::Approx(2.5 * 0.6 * 0.6).epsilon(0.2));
  CHECK(period(75) == 1);  // … down to 1
  CHECK(internal(*cca, kSetpoint) == 40);
  cca->on_tick(feed.now());  // nothing was measured: it stays
  CHECK(internal(*cca, kAlpha) == 1);
  for (int i = 0; i < 30; ++i) period(41);
  CHECK(internal(*cca, kAlpha) == 10);
}

TEST_CASE("c2tcp version 1 has a setpoint in milliseconds") {
  const auto cca = make_cca("c2tcp", {{"v1_setpoint_ms", 100.0}});
  EventFeeder feed{*cca, Duration::millis(20)};
  feed.ack(1);
  CHECK(internal(*cca, kSetpoint) == 100);
}

TEST_CASE("c2tcp holds the delay of a deep queue near its setpoint where Cubic fills it") {
  // check 1: T1 with 10 BDP; [sim]: p95 82 ms at a fixed setpoint, 96 ms with control, 439 ms for Cubic, at >= 99 %
  const auto over = [](const std::string& cca, const Params::Given& given) {
    return run_over_link({.cca = cca, .params = given, .rtt_ms = 40, .queue_packets = 400});
  };
  const LinkRun fixed = over("c2tcp", kSteady);
  CHECK(fixed.summary.senders[0].rtt.p95_ms == doctest::Approx(82).epsilon(0.06));
  CHECK(fixed.utilisation(10) > 0.97);
  const LinkRun controlled = over("c2tcp", {});
  CHECK(controlled.summary.senders[0].rtt.p95_ms == doctest::Approx(96).epsilon(0.06));
  CHECK(controlled.summary.senders[0].rtt.p95_ms < 120);
  CHECK(controlled.utilisation(10) > 0.98);
  CHECK(over("cubic", {}).summary.senders[0].rtt.p95_ms == doctest::Approx(439).epsilon(0.03));
  const LinkRun reno = over("c2tcp", {{"base", std::string{"reno"}}});
  CHECK(reno.summary.senders[0].rtt.p95_ms < 120);
  CHECK(reno.utilisation(10) > 0.95);
}
