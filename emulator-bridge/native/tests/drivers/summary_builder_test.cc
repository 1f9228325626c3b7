// A run's summary, put together of what its parts tell.
#include "drivers/summary_builder.hh"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Two flows of 2 s over a path of 40 ms; the second one takes 10 ms more and stops after 1 s.
RunPlan two_flows() {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(4)), 2);
  plan.flows.push_back(plan.flows[0]);
  plan.flows[1].extra_rtt = Duration::millis(10);
  plan.flows[1].stop = Time::zero() + Duration::seconds(1);
  return plan;
}

SenderSummary sent(uint64_t packets) {
  SenderSummary s{};
  s.sent_packets = packets;
  return s;
}

}  // namespace

TEST_CASE("What a sender says of itself takes the place of what the link saw, but for the RTTs") {
  const RunPlan plan = two_flows();
  SummaryBuilder summary{plan};
  summary.rtts(1, {.count = 3, .mean_ms = 75});
  summary.sent(1, sent(7));
  summary.sent(0, sent(5));
  summary.sent(1, sent(8));
  const RunSummary s = summary.build();
  CHECK(s.duration_s == 2);
  CHECK(s.base_rtt_ms == doctest::Approx(40));
  REQUIRE(s.senders.size() == 2);  // in order of their flows
  CHECK(s.senders[0].flow == 0);
  CHECK(s.senders[0].cca == "fixed");
  CHECK(s.senders[0].rtt.count == 0);
  CHECK(std::isnan(s.senders[0].delay_inflation));
  CHECK(s.senders[1].sent_packets == 8);
  CHECK(s.senders[1].rtt.count == 3);
  CHECK(s.senders[1].delay_inflation == doctest::Approx(1.5));
}

TEST_CASE("A receiver's throughput is over the flow's own time, unless the flow ended before") {
  const RunPlan plan = two_flows();
  SummaryBuilder summary{plan};
  summary.whole_messages(0, ReceivedMessages{.completed = 2});
  summary.received(0, {.received_bytes = 250'000}, Bytes{250'000});
  summary.received(1, {.received_bytes = 250'000}, Bytes{125'000});
  RunSummary s = summary.build();
  REQUIRE(s.receivers.size() == 2);
  CHECK(s.receivers[0].throughput_mbps == doctest::Approx(1));
  CHECK(s.receivers[0].messages->completed == 2);
  CHECK(s.receivers[1].throughput_mbps == doctest::Approx(1));
  CHECK_FALSE(s.receivers[1].messages);
  summary.received(0, {.received_bytes = 250'000}, Bytes{250'000}, Duration::millis(500));
  CHECK(summary.build().receivers[0].throughput_mbps == doctest::Approx(4));
}

TEST_CASE("A part tells only what it knows") {
  const RunPlan plan = two_flows();
  const RunSummary s = SummaryBuilder{plan}.build();
  CHECK(s.links.empty());
  CHECK(s.senders.empty());
  CHECK(s.receivers.empty());
  CHECK(s.fairness.empty());
  CHECK_FALSE(s.lateness);
}
