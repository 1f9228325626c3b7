// Whole runs in real time, over real sockets, with the three roles as threads. Nothing here depends on how fast the machine is.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "path/way.hh"
#include "tests/drivers/realtime_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

RunPlan two_flows(double seconds) {
  RunPlan plan = one_flow(constant_link(16, Duration::millis(5), Bytes{40'000}), flow(cca("cubic"), 2), seconds);
  plan.flows.push_back(flow(cca("newreno"), 1));
  plan.flows[1].start = Time::zero() + Duration::millis(200);
  plan.flows[1].extra_rtt = Duration::millis(8);
  plan.forward.loss = 0.002;
  plan.reverse = constant_link(4, Duration::millis(5), Bytes{20'000});
  return plan;
}

}  // namespace

TEST_CASE("Every packet of a real-time run is accounted for") {
  const RunPlan plan = two_flows(1.0);
  const RealtimeRun run = run_realtime(plan);
  REQUIRE_FALSE(run.stopped);
  REQUIRE(run.summary.links.size() == 2);
  REQUIRE(run.summary.senders.size() == 2);
  REQUIRE(run.summary.receivers.size() == 2);
  const LinkSummary& link = run.summary.links[0];
  CHECK(link.direction == Direction::forward);
  CHECK(run.summary.links[1].direction == Direction::reverse);

  uint64_t sent = 0;
  uint64_t arrived = 0;
  for (const SenderSummary& s : run.summary.senders) {
    sent += s.sent_packets;
    CHECK(s.rtt.count > 0);
    CHECK(s.rtt.mean_ms >= 10.0);
  }
  for (const ReceiverSummary& r : run.summary.receivers) {
    arrived += r.received_packets + r.duplicate_packets;
    CHECK(r.owd.mean_ms >= 5.0);
    CHECK(r.base_owd_ms == 5.0);
    CHECK_FALSE(r.owd.spread.empty());  // to be joined
    CHECK(r.throughput_mbps > 0);
  }
  // What is sent in the last moment may come too late to be counted: less than what 1 Gbit/s sends in 10 ms.
  const uint64_t missing =
      std::accumulate(run.lateness.begin(), run.lateness.end(), uint64_t{0},
                      [](uint64_t sum, const LatenessSummary& l) { return sum + l.unmodelled_losses; });
  const uint64_t reached = link.arrived_packets + link.lost_packets;
  CHECK(reached <= sent);
  CHECK(sent - reached <= missing + 100);
  CHECK(link.arrived_packets >= link.delivered_packets + link.dropped_packets + link.queued_packets);
  CHECK(link.arrived_packets - link.delivered_packets - link.dropped_packets - link.queued_packets <=
        1);  // being served
  CHECK(arrived <= link.delivered_packets);
  CHECK(static_cast<double>(link.delivered_bytes) <= link.capacity_bytes + 1500);
  for (const LinkSummary& l : run.summary.links) {
    REQUIRE(l.flows.size() == 2);
    CHECK(l.flows[0].queueing_delay.count + l.flows[1].queueing_delay.count == l.queueing_delay.count);
  }
  CHECK(run.summary.senders[1].delay_inflation >= 1.0);  // over 18 ms, not 10
}

TEST_CASE(
    "A real-time run has every row of every stream, and the link delivers no more than its capacity in any of them") {
  RunPlan plan = two_flows(0.505);  // the last interval is shorter
  const RealtimeRun run = run_realtime(plan);
  REQUIRE_FALSE(run.stopped);
  const auto check = [&](const std::vector<Recorder::Row>& rows) {
    REQUIRE(rows.size() == 51);
    for (std::size_t i = 0; i < 50; ++i) CHECK(rows[i].time == doctest::Approx(0.01 * static_cast<double>(i + 1)));
    CHECK(rows[50].time == doctest::Approx(0.505));
  };
  check(run.emulator.rows.at(telemetry::kForwardLinkStream));
  check(run.emulator.rows.at(telemetry::kReverseLinkStream));
  for (uint16_t i = 0; i < 2; ++i) {
    check(run.senders[i].rows.at(static_cast<uint16_t>(telemetry::kFirstSenderStream + 2 * i)));
    check(run.receivers[i].rows.at(static_cast<uint16_t>(telemetry::kFirstReceiverStream + 2 * i)));
  }
  double offered = 0;
  double delivered = 0;
  for (const Recorder::Row& row : run.emulator.rows.at(telemetry::kForwardLinkStream)) {
    offered += row.values[0] * 0.01;
    delivered += row.values[1] * 0.01;
    CHECK(delivered <= offered + 0.013);  // one packet, in megabits
  }
  CHECK(run.senders[0].events_named("flow_start").size() == 1);
  CHECK(run.senders[1].events_named("flow_start").at(0).time >= plan.flows[1].start);
}

TEST_CASE("A real-time run tells of every element of its paths, of the last delay as well") {
  RunPlan plan = two_flows(0.5);
  const ElementDescriptor& jitter = *find_element("jitter");
  const std::vector<ElementPlan> path{{.own = ElementPlan::Own::loss},
                                      {.element = &jitter, .params = Params{jitter.params, {}}},
                                      {.own = ElementPlan::Own::bottleneck},
                                      {.own = ElementPlan::Own::delay}};
  plan.forward.path = plan.reverse.path = path;
  const RealtimeRun run = run_realtime(plan);
  REQUIRE_FALSE(run.stopped);
  REQUIRE(run.summary.links.size() == 2);
  for (const Direction direction : {Direction::forward, Direction::reverse}) {
    const auto& summaries = run.summary.links[direction == Direction::forward ? 0 : 1].path;
    REQUIRE(summaries.size() == path.size());
    for (std::size_t place = 0; place < path.size(); ++place) {
      CAPTURE(place);
      const auto& rows = run.emulator.rows.at(element_stream(direction, place));
      CHECK(rows.size() == 50);
      double entered = 0;
      for (const Recorder::Row& row : rows) entered += row.values[0];
      CHECK(entered == static_cast<double>(summaries[place].entered_packets));
      CHECK(entered > 0);
    }
  }
}

TEST_CASE("Flows share: fairness is measured where all of them pass") {
  RunPlan plan = one_flow(constant_link(10, Duration::millis(2), Bytes{20'000}), flow(cca("newreno")), 0.6);
  plan.flows.push_back(flow(cca("newreno")));
  const RealtimeRun run = run_realtime(plan);
  REQUIRE_FALSE(run.summary.fairness.empty());
  const FairnessSummary& k10 = *std::ranges::find(run.summary.fairness, 10, &FairnessSummary::k);
  CHECK(k10.windows > 50);
  CHECK(k10.mean > 0.5);
  CHECK(k10.mean <= 1.0);
}

TEST_CASE("A run whose starter goes away stops at once") {
  const RunPlan plan = two_flows(60);
  const int64_t before = clock_ns(CLOCK_MONOTONIC);
  const RealtimeRun run = run_realtime(plan, Duration::millis(300));
  CHECK(run.stopped);
  CHECK(run.lateness.empty());
  CHECK(clock_ns(CLOCK_MONOTONIC) - before < 10'000'000'000);
}

TEST_CASE("The go line is read with care") {
  const std::string good =
      R"({"type":"go","start_ns":12345,"ports":{"emulator":1,"senders":[2,3],"receivers":[4,65535]}})";
  const Go go = parse_go(good, 2);
  CHECK(go.start_ns == 12345);
  CHECK(go.emulator == 1);
  CHECK(go.senders == std::vector<uint16_t>{2, 3});
  CHECK(go.receivers == std::vector<uint16_t>{4, 65535});
  for (const char* wrong :
       {"", "[]", "go", R"({"type":"stop"})", R"({"type":"go"})", R"({"type":"go","start_ns":-1,"ports":{}})",
        R"({"type":"go","start_ns":1,"ports":{"emulator":0,"senders":[2,3],"receivers":[4,5]}})",
        R"({"type":"go","start_ns":1,"ports":{"emulator":1,"senders":[2],"receivers":[4,5]}})",
        R"({"type":"go","start_ns":1,"ports":{"emulator":1,"senders":[2,70000],"receivers":[4,5]}})",
        R"({"type":"go","start_ns":"now","ports":{"emulator":1,"senders":[2,3],"receivers":[4,5]}})"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS((void)parse_go(wrong, 2), std::invalid_argument);
  }
}
