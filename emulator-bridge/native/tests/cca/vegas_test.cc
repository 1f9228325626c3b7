#include <doctest/doctest.h>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Test link T1 of the reference: 12 Mbps, 40 ms, BDP 40 packets; four BDP of queue.
Scenario t1() { return {.cca = "vegas", .rtt_ms = 40, .queue_packets = 160, .duration_s = 60}; }

constexpr std::size_t kQueueEstimate = 4;

double estimate(const Controller& cca) {
  std::vector<float> values(5);
  cca.internals(values);
  return static_cast<double>(values[kQueueEstimate]);
}

}  // namespace

TEST_CASE("vegas doubles per round trip while nothing queues, and leaves slow start at its first queued packets") {
  const auto cca = make_cca("vegas");
  EventFeeder feed{*cca};
  for (const int64_t expected : {10, 20, 40}) {
    CHECK(feed.cwnd() == expected);
    feed.round();
  }
  CHECK(feed.cwnd() == 80);
  feed.set_rtt(Duration::millis(125));  // of 80 packets 80 * 25 / 100 = 20 wait; 64 fit
  feed.round();
  feed.round();
  CHECK(cca->phase() == "avoidance");
  CHECK(feed.ssthresh() <= feed.cwnd());
}

TEST_CASE("vegas adds one packet below alpha, takes one away above beta, and holds in between") {
  const auto cca = make_cca("vegas");
  EventFeeder feed{*cca};
  feed.lose_one();  // out of slow start with 5 packets
  for (int i = 0; i < 36; ++i) feed.round();
  REQUIRE(cca->phase() == "avoidance");
  const int64_t cwnd = feed.cwnd();
  CHECK(cwnd >= 36);
  CHECK(estimate(*cca) == 0);

  feed.round();
  CHECK(feed.cwnd() == cwnd + 1);
  feed.set_rtt(Duration::millis(108));  // 3 packets wait
  feed.round();
  feed.round();
  const int64_t held = feed.cwnd();
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(feed.cwnd() == held);
  CHECK(estimate(*cca) == doctest::Approx(0.08 * static_cast<double>(held)).epsilon(0.4));

  feed.set_rtt(Duration::millis(150));
  feed.round();
  const int64_t before = feed.cwnd();
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(feed.cwnd() == before - 5);
  CHECK(feed.ssthresh() <= feed.cwnd());  // else the next ACK would be one of slow start
}

TEST_CASE("vegas mistakes a longer path for a queue and shrinks until four packets seem to wait") {
  // diff = cwnd * (80 - 40) / 40 <= 4: cwnd 4, a tenth of the 40 packets (docs/reference.md 4.1, check 2)
  const auto cca = make_cca("vegas");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.round();
  feed.lose_one();
  for (int i = 0; i < 30; ++i) feed.round();
  REQUIRE(feed.cwnd() >= 39);
  feed.set_rtt(Duration::millis(80));
  for (int i = 0; i < 60; ++i) feed.round();
  CHECK(feed.cwnd() >= 3);
  CHECK(feed.cwnd() <= 5);
}

TEST_CASE("vegas with a memory of ten seconds recovers from a longer path") {
  const auto cca = make_cca("vegas", {{"base_rtt_window_s", 10.0}});
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.round();
  feed.lose_one();
  for (int i = 0; i < 30; ++i) feed.round();
  feed.set_rtt(Duration::millis(80));
  const double changed = feed.seconds();
  while (feed.seconds() < changed + 9) feed.round();
  CHECK(feed.cwnd() <= 5);
  while (feed.seconds() < changed + 14) feed.round();
  CHECK(feed.cwnd() >= 35);  // one packet per 80 ms round trip for the last 4 s
}

TEST_CASE("vegas behaves as Reno at a loss and at a timeout") {
  const auto cca = make_cca("vegas");
  EventFeeder feed{*cca};
  for (int i = 0; i < 2; ++i) feed.round();
  feed.lose(1, true);
  CHECK(feed.cwnd() == 20);
  feed.ack(1, Recovery::entered);
  feed.lose(2, false);
  CHECK(feed.cwnd() == 20);
  feed.ack(1, Recovery::undone);
  CHECK(feed.cwnd() == 41);  // its old window back, and slow start goes on
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  CHECK(feed.ssthresh() == 20);
  feed.ack(1, Recovery::timeout);
  CHECK(feed.cwnd() == 2);
}

TEST_CASE("vegas holds its window while the application is the limit") {
  const auto cca = make_cca("vegas");
  EventFeeder feed{*cca};
  feed.set_window_limited(false);
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(feed.cwnd() == 10);
}

TEST_CASE("vegas keeps two to four packets waiting on a constant link and loses nothing") {
  // docs/reference.md 4.1, check 1: window 42 to 44, queue 2 to 4
  const LinkRun run = run_over_link(t1());
  CHECK(run.times_of("loss_episode").empty());
  const auto cwnd = [](const Sample& s) { return s.cwnd_packets(); };
  CHECK(run.least(cwnd, 30) >= 42);
  CHECK(run.largest(cwnd, 30) <= 45);
  const double waiting_ms = run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, 30);
  CHECK(waiting_ms >= 2);
  CHECK(waiting_ms <= 5);
  CHECK(run.utilisation(30) > 0.995);
}

TEST_CASE("two vegas flows share a link when the second begins after the first has drained its slow start") {
  Scenario scenario = t1();
  scenario.others = {{.cca = "vegas", .start_s = 20}};
  scenario.duration_s = 120;
  const LinkRun run = run_over_link(scenario);
  // docs/reference.md 4.1, check 3: two to four packets each, and Jain's index above 0.8
  CHECK(run.fairness(60) > 0.85);
  const double waiting_ms = run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, 60);
  CHECK(waiting_ms >= 4);
  CHECK(waiting_ms <= 10);
}

TEST_CASE("a vegas flow that begins while another's queue stands takes that queue for the path and wins") {
  // At 10 s the first flow's slow start has left 40 ms of queue, draining one packet per round trip. The newcomer's least
  // RTT includes it, so that it keeps the queue there, and the first flow sees nothing but that queue.
  Scenario scenario = t1();
  scenario.others = {{.cca = "vegas", .start_s = 10}};
  const LinkRun run = run_over_link(scenario);
  CHECK(run.throughput_mbps(1, 30) > 10);
  CHECK(run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, 30) > 35);
}
