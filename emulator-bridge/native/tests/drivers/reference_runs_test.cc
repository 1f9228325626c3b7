// The two references, several flows, the reverse link, starts and stops.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr Time at_s(double s) { return Time::zero() + Duration::seconds(s); }

}  // namespace

TEST_CASE("the optimal uses every opportunity at the base RTT") {
  for (const bool trace : {false, true}) {
    CAPTURE(trace);
    const Duration delay = Duration::millis(15);
    RunPlan plan = one_flow(trace ? trace_link({3, 0, 7, 2, 0, 0, 1}, delay) : constant_link(17, delay),
                            flow(cca("optimal")), 3.3);
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    CHECK(s.links[0].utilisation == 1.0);
    CHECK(s.senders[0].delay_inflation == 1.0);
    CHECK(s.senders[0].rtt.mean_ms == 30);
    CHECK(s.links[0].queueing_delay.max_ms == 0);
    CHECK(sink.rows.at(0).size() == 330);
    for (const auto& row : sink.rows.at(0)) CHECK(row.values[0] == row.values[1]);
  }
}

TEST_CASE("flows of the optimal share equally while they run together") {
  RunPlan plan = one_flow(constant_link(20, Duration::millis(10)), flow(cca("optimal")), 10);
  plan.flows.push_back(plan.flows[0]);
  plan.flows[1].start = at_s(5);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(15).epsilon(0.001));
  CHECK(s.receivers[1].throughput_mbps == doctest::Approx(10).epsilon(0.001));
  CHECK(s.links[0].utilisation == 1.0);
  REQUIRE(!s.fairness.empty());
  CHECK(s.fairness[3].mean == doctest::Approx(1).epsilon(1e-4));
}

TEST_CASE("the optimal does not share a link with real flows") {
  RunPlan plan = one_flow(constant_link(20, Duration::millis(10)), flow(cca("optimal")), 1);
  plan.flows.push_back(flow(fixed_window(10)));
  Recorder sink;
  CHECK_THROWS_AS(simulate(plan, sink), std::invalid_argument);
}

TEST_CASE("two equal windows share the link equally") {
  RunPlan plan = one_flow(constant_link(24, Duration::millis(20)), flow(fixed_window(60)), 30);
  plan.flows.push_back(plan.flows[0]);
  plan.flows[1].start = at_s(0.005);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(12).epsilon(0.01));
  CHECK(s.receivers[1].throughput_mbps == doctest::Approx(12).epsilon(0.01));
  CHECK(s.fairness.back().windows == 0);  // 3000 RTTs do not fit
  CHECK(s.fairness[5].mean > 0.999);
}

TEST_CASE("a longer way back halves a window's rate") {
  RunPlan plan = one_flow(constant_link(100, Duration::millis(20)), flow(fixed_window(20)), 20);
  plan.flows.push_back(plan.flows[0]);
  plan.flows[1].extra_rtt = Duration::millis(40);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.receivers[0].throughput_mbps / s.receivers[1].throughput_mbps == doctest::Approx(2).epsilon(0.02));
  CHECK(s.senders[0].delay_inflation == doctest::Approx(1).epsilon(0.03));
  CHECK(s.senders[1].delay_inflation == doctest::Approx(1).epsilon(0.03));
}

TEST_CASE("a slow way back limits the flow to what its acknowledgements allow") {
  RunPlan plan = one_flow(constant_link(100, Duration::millis(10)), flow(fixed_window(100), 1), 20);
  plan.reverse = constant_link(0.416, Duration::millis(10));  // 1000 ACKs of 52 bytes a second
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(12).epsilon(0.02));
  REQUIRE(s.links.size() == 2);
  CHECK(s.links[1].direction == Direction::reverse);
  CHECK(s.links[1].utilisation > 0.98);
  CHECK(s.links[1].queueing_delay.mean_ms > 50);
  CHECK(sink.rows.contains(telemetry::kReverseLinkStream));
}

TEST_CASE("acknowledgements dropped by a full reverse queue are only acknowledgements") {
  RunPlan plan = one_flow(constant_link(100, Duration::millis(10)), flow(fixed_window(100), 1), 20);
  plan.reverse = constant_link(0.416, Duration::millis(10), Bytes{1500});
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[1].dropped_packets > 1000);
  CHECK(s.senders[0].lost_packets == s.senders[0].spurious_packets);
  // 100 packets a round trip of 20 ms + a queue of 28 ACKs at one a millisecond.
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(100 * 12 / 49.0).epsilon(0.02));
}

TEST_CASE("a flow sends between its start and its stop") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(10)), flow(fixed_window(40)), 10);
  plan.flows[0].start = at_s(2);
  plan.flows[0].stop = at_s(6);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  const auto sent = sink.sender_column(0, "sent_mbps");
  for (std::size_t i = 0; i < 199; ++i) CHECK(sent[i] == 0);
  CHECK(sent[199] == doctest::Approx(48));  // the first window, at 2 s sharp
  for (std::size_t i = 202; i < 600; ++i) CHECK(sent[i] > 0);
  for (std::size_t i = 600; i < 1000; ++i) CHECK(sent[i] == 0);
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(12).epsilon(0.01));
  CHECK(s.links[0].from_s == 2);
  CHECK(s.links[0].utilisation == doctest::Approx(0.5).epsilon(0.01));
  REQUIRE(sink.events_named("flow_start").size() == 1);
  CHECK(sink.events_named("flow_start")[0].time == at_s(2));
  CHECK(sink.events_named("flow_stop")[0].time == at_s(6));
}

TEST_CASE("a run that its sampling period does not divide ends with a shorter interval") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(10)), flow(fixed_window(40)), 1.0035);
  Recorder sink;
  simulate(plan, sink);
  REQUIRE(sink.rows.at(0).size() == 101);
  CHECK(sink.rows.at(0).back().time == 1.0035);
  CHECK(sink.rows.at(0).back().values[0] == doctest::Approx(12));
}

TEST_CASE("the oracle fills a constant link and keeps the queue empty") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(cca("oracle")), 20);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[0].utilisation > 0.99);
  CHECK(s.links[0].queueing_delay.p95_ms <= 3);
}

// A trace that ends faster than it begins: the run's beginning is no fall.
TEST_CASE("the oracle has no news of before the run") {
  std::vector<uint32_t> counts(6000);
  for (std::size_t ms = 0; ms < 5000; ms += 4) counts[ms] = 1;
  for (std::size_t ms = 5000; ms < 6000; ++ms) counts[ms] = 1;
  RunPlan plan = one_flow(trace_link(counts, Duration::millis(20)), flow(cca("oracle")), 5);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[0].queueing_delay.max_ms < 3 * 4);  // 120 had it been told of 12 Mbps for a round trip
  CHECK(s.links[0].utilisation > 0.98);
}

// Zeus, section 6: it saturates the channel, and pays with delay for what it did not know of the future. What a fall leaves in the queue
// stays there as long as nothing is lost: after falls by half and by half again the bytes of a round trip at each difference.
TEST_CASE("the oracle is told the rate alone unless it is to know its queue") {
  std::vector<uint32_t> counts(12'001);
  for (std::size_t ms = 1; ms <= 4000; ++ms) counts[ms] = 1;
  for (std::size_t ms = 4002; ms <= 8000; ms += 2) counts[ms] = 1;
  for (std::size_t ms = 8004; ms <= 12'000; ms += 4) counts[ms] = 1;
  RunPlan plan = one_flow(trace_link(counts, Duration::millis(20)), flow(cca("oracle")), 12);
  const auto waits_at_the_end = [&] {
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    CHECK(s.links[0].utilisation > 0.99);
    return s.links[0].queueing_delay.max_ms;
  };
  // 20 packets of the first fall and 10 of the second, 4 ms each
  CHECK(waits_at_the_end() == doctest::Approx(120).epsilon(0.1));
  plan.flows[0].params = Params{plan.flows[0].cca->params, {{"knows", "queue"}}};
  // one fall's, the averaging window, and the two spare packets it allows itself, 4 ms each with what the link is busy with
  CHECK(waits_at_the_end() < 40 + 5 + 5 * 4);
}

// docs/reference.md 8.2, check 2: a fall from 12 to 6 Mbps reaches the sender half an RTT later.
TEST_CASE("the oracle's news is half a base RTT old: a fall to half costs one base RTT of queue") {
  std::vector<uint32_t> counts(10'001);
  for (std::size_t ms = 1; ms <= 5000; ++ms) counts[ms] = 1;
  for (std::size_t ms = 5002; ms <= 10'000; ms += 2) counts[ms] = 1;
  RunPlan plan = one_flow(trace_link(counts, Duration::millis(20)), flow(cca("oracle")), 10);
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[0].queueing_delay.max_ms > 36);
  CHECK(s.links[0].queueing_delay.max_ms < 52);
  CHECK(s.links[0].utilisation > 0.985);
}

// A burst of n packets in one opportunity, all of the window: its acknowledgements reach the sender together, and the i-th has i times
// 4 microseconds to wait, 256 at most.
TEST_CASE("acknowledgements that arrive together are taken one after another") {
  for (const int n : {50, 1000}) {
    CAPTURE(n);
    std::vector<uint32_t> counts(20);
    counts[0] = static_cast<uint32_t>(n);
    RunPlan plan = one_flow(trace_link(counts, Duration::millis(2)), flow(fixed_window(n)), 10);
    plan.reverse.delay = Duration::millis(3);
    plan.flows[0].ack_every = 1;
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    const double waited_us = (s.senders[0].rtt.mean_ms - s.receivers[0].owd.mean_ms - 3) * 1000;
    double expected_us = 0;
    for (int i = 0; i < n; ++i) expected_us += std::min(4.0 * i, 256.0) / n;
    CHECK(waited_us == doctest::Approx(expected_us).epsilon(0.01));
  }
}
