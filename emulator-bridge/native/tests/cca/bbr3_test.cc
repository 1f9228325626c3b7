// BBRv3's reactions, one at a time.
#include <doctest/doctest.h>

#include <cmath>

#include "cca/bbr3_model.hh"
#include "tests/cca/bbr_steps.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t {
  state,
  bw,
  max_bw,
  bw_short,
  inflight_short,
  inflight_long,
  min_rtt,
  gain,
  extra,
  full,
  round_loss,
  ecn_alpha,
  count
};

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

}  // namespace

TEST_CASE("bbr3's bandwidth is the largest of this probe cycle and the last") {
  MaxBandwidth filter;
  filter.update(Rate::mbps(10));
  filter.update(Rate::mbps(8));
  CHECK(filter.get().to_mbps() == doctest::Approx(10));
  filter.advance();
  filter.update(Rate::mbps(5));
  CHECK(filter.get().to_mbps() == doctest::Approx(10));
  filter.advance();
  CHECK(filter.get().to_mbps() == doctest::Approx(5));
}

TEST_CASE("bbr3 finds the pipe full after three rounds with less than a quarter more, once and again") {
  FullBandwidth pipe;
  for (const double mbps : {1.0, 2.0, 4.0, 4.9, 4.9}) pipe.round(Rate::mbps(mbps));
  CHECK_FALSE(pipe.now());
  pipe.round(Rate::mbps(4.9));
  CHECK(pipe.now());
  CHECK(pipe.ever());
  pipe.restart(Rate::mbps(4.9));
  CHECK_FALSE(pipe.now());
  CHECK(pipe.ever());
}

TEST_CASE("bbr3 goes through its states: fill, drain, cruise, refill, probe, and down again") {
  const auto cca = make_cca("bbr3");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  CHECK(cca->phase() == "STARTUP");
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  CHECK(value(*cca, full) == 1);
  CHECK(value(*cca, gain) == 1);
  CHECK(std::isnan(value(*cca, inflight_long)));
  REQUIRE(run_until(*cca, feed, "PROBE_REFILL", 3.5));
  REQUIRE(run_until(*cca, feed, "PROBE_UP", 0.2));
  CHECK(value(*cca, gain) == 1.25);
  const double up = feed.seconds();
  REQUIRE(run_until(*cca, feed, "PROBE_DOWN", 1));
  CHECK(feed.seconds() - up >= 2.9 * 0.040);  // three rounds without a quarter more
  CHECK(feed.seconds() - up <= 5 * 0.042);
  CHECK(value(*cca, gain) == doctest::Approx(0.9));
  REQUIRE(run_until(*cca, feed, "PROBE_RTT", 6));  // the same RTT is not a new least one
  CHECK(cca->limits_itself());
  CHECK(cca->cwnd().v == doctest::Approx(0.5 * 12e6 / 8 * 0.040).epsilon(0.02));
}

TEST_CASE("bbr3 bounds what is in flight at the level where a probe lost more than 2 %") {
  const auto cca = make_cca("bbr3");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  REQUIRE(run_until(*cca, feed, "PROBE_UP", 4));
  const AckEvent ack = step(feed, 50);
  cca->on_ack(ack);
  lose(*cca, feed, ack, 1, 1000);  // 1 of 50 is 2 %: still allowed
  CHECK(cca->phase() == "PROBE_UP");
  lose(*cca, feed, ack, 2, 2000);
  CHECK(cca->phase() == "PROBE_DOWN");
  // the second of the two crossed the threshold, at its very beginning: 49 packets before it, of which one was lost
  const double level = value(*cca, inflight_long) / 1500;
  CHECK(level >= 48);
  CHECK(level <= 50);
}

TEST_CASE("bbr3's short-term bounds keep what a round with losses delivered, and at least 70 % of before") {
  const auto cca = make_cca("bbr3");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  feed.set_rate(Rate::mbps(3));
  for (int i = 0; i < 90; ++i) cca->on_ack(step(feed, 40));
  const AckEvent ack = step(feed, 40);
  cca->on_ack(ack);
  lose(*cca, feed, ack, 1, 1000);
  for (int i = 0; i < 60; ++i) cca->on_ack(step(feed, 40));
  CHECK(value(*cca, bw_short) >= 0.7 * 12 - 0.01);
  CHECK(value(*cca, bw_short) < 12);
  CHECK(value(*cca, bw) == doctest::Approx(value(*cca, bw_short)));
  CHECK(value(*cca, max_bw) == doctest::Approx(12));
}

TEST_CASE("bbr3 takes back what losses taught it when there were none") {
  const auto cca = make_cca("bbr3");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  REQUIRE(run_until(*cca, feed, "PROBE_UP", 4));
  AckEvent ack = step(feed, 50);
  cca->on_ack(ack);
  const Bytes before = cca->cwnd();
  lose(*cca, feed, ack, 3, 1000);
  REQUIRE(cca->phase() == "PROBE_DOWN");
  ack = step(feed, 50);
  ack.recovery = Recovery::undone;
  cca->on_ack(ack);
  CHECK(cca->phase() == "PROBE_REFILL");  // try again
  CHECK(std::isnan(value(*cca, inflight_long)));
  CHECK(cca->cwnd() >= before - kMtu * 4);
}

TEST_CASE("bbr3 sends one packet more than is in flight after a timeout, and its old window when that is over") {
  const auto cca = make_cca("bbr3");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  const Bytes before = cca->cwnd();
  feed.time_out();
  CHECK(cca->cwnd() == kMtu);
  AckEvent ack = step(feed, 1);
  ack.recovery = Recovery::timeout;
  cca->on_ack(ack);
  CHECK(cca->cwnd() < kMtu * 10);
  ack = step(feed, 4);
  ack.recovery = Recovery::exited;
  cca->on_ack(ack);
  CHECK(cca->cwnd() >= scale(before, 0.6));  // capped by the short-term bound, not by the timeout
}
