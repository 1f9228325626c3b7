// BBRv2's reactions, one at a time, and those of Google's BBRv3 where they differ (docs/reference.md 3.3).
#include <doctest/doctest.h>

#include <cmath>

#include "cca/bbr_marks.hh"
#include "cca/bbr_phases.hh"
#include "tests/cca/bbr_steps.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t {
  state,
  bw,
  max_bw,
  bw_lo,
  inflight_lo,
  inflight_hi,
  min_rtt,
  gain,
  extra,
  full,
  round_loss,
  ecn_alpha,
  bw_hi,
  count
};

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

const Params::Given kMarksAnywhere{{"ecn", std::string{"classic"}}, {"ecn_max_rtt_ms", 0.0}};

// STARTUP of a flow whose every round brings losses, in as many ACKs of each round. How many rounds does it last?
int rounds_of_lossy_startup(Controller& cca, int lossy_acks) {
  EventFeeder feed{cca, Duration::millis(40)};
  double mbps = 1;
  for (int round = 1; round <= 12; ++round) {
    mbps *= 1.5;  // bandwidth grows: the pipe is not full
    feed.set_rate(Rate::mbps(mbps));
    for (int i = 0; i < 40; ++i) {
      AckEvent ack = step(feed, 40);
      ack.recovery = round == 1 && i == 0 ? Recovery::entered : Recovery::in;
      ack.rate.lost = kMtu * 2;  // 5 % of what was in flight
      ack.lost_packets = i < lossy_acks ? 1 : 0;
      cca.on_ack(ack);
    }
    if (cca.phase() != "STARTUP") return round;
  }
  return 99;
}

}  // namespace

TEST_CASE("bbr2 goes through its states and probes no longer than it takes to form a queue") {
  const auto cca = make_cca("bbr2");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  CHECK(cca->phase() == "STARTUP");
  CHECK(value(*cca, gain) == doctest::Approx(2.885).epsilon(0.001));
  CHECK(cca->pacing_rate().to_mbps() == doctest::Approx(2.885 * 0.99 * 10 * 12.0).epsilon(0.001));  // 1 ms, as Linux
  for (int i = 0; i < 1000 && cca->phase() == "STARTUP"; ++i) cca->on_ack(step(feed, 110));
  REQUIRE(cca->phase() == "DRAIN");
  CHECK(value(*cca, gain) == doctest::Approx(1 / 2.885).epsilon(0.001));
  CHECK(value(*cca, full) == 1);
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  CHECK(std::isnan(value(*cca, inflight_hi)));
  CHECK(std::isnan(value(*cca, bw_hi)));
  REQUIRE(run_until(*cca, feed, "PROBE_REFILL", 3.5));
  REQUIRE(run_until(*cca, feed, "PROBE_UP", 0.2));
  CHECK(value(*cca, gain) == 1.25);
  // 40 packets in flight are no queue: it goes on; 1.25 x 40 and the two packets of the budget are
  for (int i = 0; i < 100; ++i) cca->on_ack(step(feed, 40));
  CHECK(cca->phase() == "PROBE_UP");
  AckEvent ack = step(feed, 52);
  ack.inflight_before = kMtu * 52;
  cca->on_ack(ack);
  CHECK(cca->phase() == "PROBE_DOWN");
  CHECK(value(*cca, gain) == 0.75);
}

TEST_CASE("bbr2 leaves STARTUP when a round of recovery loses more than 2 % in eight ACKs, Google's bbr3 in six") {
  const Params::Given linux_profile{{"profile", std::string{"linux"}}};
  CHECK(rounds_of_lossy_startup(*make_cca("bbr2"), 7) == 99);
  CHECK(rounds_of_lossy_startup(*make_cca("bbr2"), 8) <= 2);
  CHECK(rounds_of_lossy_startup(*make_cca("bbr3", linux_profile), 5) == 99);
  CHECK(rounds_of_lossy_startup(*make_cca("bbr3", linux_profile), 6) <= 2);
}

TEST_CASE("bbr2 bounds what is in flight where a probe lost more than 2 %, by the ACK or by the packet") {
  for (const bool by_packet : {true, false}) {
    const auto cca = make_cca("bbr2");
    EventFeeder feed{*cca, Duration::millis(40)};
    feed.set_rate(Rate::mbps(12));
    REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
    REQUIRE(run_until(*cca, feed, "PROBE_UP", 4));
    AckEvent ack = step(feed, 45);
    if (by_packet) {
      cca->on_ack(ack);
      lose(*cca, feed, ack, 2, 1000);
    } else {
      ack.rate.lost = kMtu * 2;
      ack.lost_packets = 1;
      cca->on_ack(ack);
    }
    CHECK(cca->phase() == "PROBE_DOWN");
    CHECK(value(*cca, inflight_hi) / 1500 >= 44);
    CHECK(value(*cca, inflight_hi) / 1500 <= 50);
    // cruising leaves 15 % below it
    REQUIRE(run_until(*cca, feed, "PROBE_DOWN", 0.1));
    for (int i = 0; i < 200 && cca->phase() == "PROBE_DOWN"; ++i) cca->on_ack(step(feed, 30));
    REQUIRE(cca->phase() == "PROBE_CRUISE");
    for (int i = 0; i < 40; ++i) cca->on_ack(step(feed, 30));
    CHECK(static_cast<double>(cca->cwnd().v) <= 0.86 * value(*cca, inflight_hi));
  }
}

TEST_CASE("bbr2's lower bounds keep what a round with losses delivered, and at least 70 % of before") {
  const auto cca = make_cca("bbr2");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  feed.set_rate(Rate::mbps(3));
  for (int i = 0; i < 90; ++i) cca->on_ack(step(feed, 40));
  const AckEvent ack = step(feed, 40);
  cca->on_ack(ack);
  lose(*cca, feed, ack, 1, 1000);
  for (int i = 0; i < 60; ++i) cca->on_ack(step(feed, 40));
  CHECK(value(*cca, bw_lo) == doctest::Approx(0.7 * 12).epsilon(0.001));
  CHECK(value(*cca, bw) == doctest::Approx(value(*cca, bw_lo)));
  CHECK(value(*cca, max_bw) == doctest::Approx(12));
  REQUIRE(run_until(*cca, feed, "PROBE_REFILL", 4));
  CHECK(std::isnan(value(*cca, bw_lo)));  // the next probe forgets
  CHECK(std::isnan(value(*cca, inflight_lo)));
}

TEST_CASE("bbr2 keeps the window of before a timeout to be cut from, and takes it back afterwards") {
  const auto cca = make_cca("bbr2");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  for (int i = 0; i < 200; ++i) cca->on_ack(step(feed, 40));
  const Bytes before = cca->cwnd();
  feed.time_out();
  CHECK(cca->cwnd() == kMtu);
  CHECK(value(*cca, inflight_lo) == static_cast<double>(before.v));
  AckEvent ack = step(feed, 4);
  ack.recovery = Recovery::exited;
  cca->on_ack(ack);
  CHECK(cca->cwnd() >= scale(before, 0.99));
}

TEST_CASE("bbr2 takes back what losses taught it when there were none") {
  const auto cca = make_cca("bbr2");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  REQUIRE(run_until(*cca, feed, "PROBE_UP", 4));
  AckEvent ack = step(feed, 45);
  cca->on_ack(ack);
  lose(*cca, feed, ack, 3, 1000);
  REQUIRE_FALSE(std::isnan(value(*cca, inflight_hi)));
  ack = step(feed, 45);
  ack.recovery = Recovery::undone;
  cca->on_ack(ack);
  CHECK(std::isnan(value(*cca, inflight_hi)));
}

TEST_CASE("the share of marks is averaged over rounds with a sixteenth, and counts on short paths only") {
  CongestionMarks marks{true, Duration::millis(5)};
  AckEvent ack;
  ack.acked_packets = 10;
  ack.ce_packets = 5;
  marks.count(ack);
  marks.round(Duration::millis(6));
  CHECK_FALSE(marks.eligible());
  marks.round(Duration::millis(4));  // the marks of before count, as they were not looked at
  CHECK(marks.eligible());
  CHECK(marks.alpha() == doctest::Approx(1 - 0.5 / 16));
  CHECK(marks.keep() == doctest::Approx(1 - marks.alpha() / 3));
  CHECK_FALSE(marks.path_full());
  marks.count(ack);
  marks.round(Duration::millis(4));
  CHECK(marks.path_full());  // two rounds with half of the packets marked
  CHECK_FALSE(marks.too_many());
  ack.ce_packets = 0;
  CHECK_FALSE(marks.ceased());
  for (int i = 0; i < 2; ++i) {
    marks.count(ack);
    marks.round(Duration::millis(4));
  }
  CHECK(marks.ceased());
  marks.new_cycle();
  CHECK_FALSE(marks.ceased());
}

TEST_CASE("bbr2 ends STARTUP after two rounds of marks, where marks count") {
  const auto rounds = [](const Params::Given& params) {
    const auto cca = make_cca("bbr2", params);
    EventFeeder feed{*cca, Duration::millis(40)};
    double mbps = 1;
    for (int round = 1; round <= 8; ++round) {
      feed.set_rate(Rate::mbps(mbps *= 1.5));
      for (int i = 0; i < 40; ++i) {
        AckEvent ack = step(feed, 40);
        ack.ce_packets = 1;
        cca->on_ack(ack);
      }
      if (cca->phase() != "STARTUP") return round;
    }
    return 99;
  };
  CHECK(rounds(kMarksAnywhere) <= 4);
  CHECK(rounds({{"ecn", std::string{"classic"}}}) == 99);  // the path is longer than 5 ms
}

TEST_CASE("bbr2 cuts its lower bound by the share of marks, and not its bandwidth") {
  const auto cca = make_cca("bbr2", kMarksAnywhere);
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  REQUIRE(run_until(*cca, feed, "PROBE_CRUISE"));
  for (int i = 0; i < 200; ++i) cca->on_ack(step(feed, 40));
  REQUIRE(cca->phase() == "PROBE_CRUISE");
  REQUIRE(std::isnan(value(*cca, inflight_lo)));
  double window = 0;
  double alpha = 0;
  for (int i = 0; i < 90 && std::isnan(value(*cca, inflight_lo)); ++i) {
    window = static_cast<double>(cca->cwnd().v);
    AckEvent ack = step(feed, 40);
    ack.ce_packets = 1;
    cca->on_ack(ack);
    alpha = value(*cca, ecn_alpha);
  }
  CHECK(alpha > 0.3);
  CHECK(value(*cca, inflight_lo) == doctest::Approx((1 - alpha / 3) * window).epsilon(0.01));
  CHECK(std::isnan(value(*cca, bw_lo)));
}
