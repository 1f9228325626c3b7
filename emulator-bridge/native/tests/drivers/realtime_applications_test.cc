// Applications over UDP: what they measure is what virtual time computes.

#include <doctest/doctest.h>

#include <cmath>

#include "tests/drivers/realtime_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

RunPlan plan_of(const MessagePlan& messages, double loss = 0) {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20), Bytes{120'000}), flow(cca("newreno"), 2), 4);
  plan.flows[0].messages = std::make_shared<const MessagePlan>(messages);
  plan.forward.loss = loss;
  return plan;
}

constexpr int kAttempts = 3;

}  // namespace

TEST_CASE("Frames and transfers take as long over UDP as in virtual time") {
  const MessagePlan frames{.kind = MessagePlan::Kind::frames,
                           .fps = 30,
                           .rate = Rate::mbps(4),
                           .key_every = 10,
                           .key_ratio = 4,
                           .deadline = Duration::millis(80)};
  const MessagePlan transfers{.kind = MessagePlan::Kind::transfers,
                              .mean_bytes = Bytes{60'000},
                              .arrivals = MessagePlan::Arrivals::after,
                              .interval = Duration::millis(150)};
  for (const MessagePlan& messages : {frames, transfers}) {
    const RunPlan plan = plan_of(messages);
    Recorder recorder;
    const RunSummary simulated = simulate(plan, recorder);
    const ReceivedMessages& expected = simulated.receivers[0].messages.value();
    bool agrees = false;
    bool kept_up = false;
    for (int attempt = 0; attempt < kAttempts && !agrees; ++attempt) {
      const RealtimeRun run = run_realtime(plan);
      const ReceivedMessages got = run.summary.receivers[0].messages.value();
      MESSAGE("delay " << expected.delay.mean_ms << " ms virtual, " << got.delay.mean_ms << " ms real; completed "
                       << expected.completed << ", " << got.completed);
      CHECK(run.summary.senders[0].messages->count >= got.completed);
      CHECK(run.receivers[0].events_named("message").size() == got.completed);
      if (run.overrun) continue;
      kept_up = true;
      agrees = std::abs(got.delay.mean_ms - expected.delay.mean_ms) < std::max(1.5, 0.05 * expected.delay.mean_ms) &&
               std::abs(static_cast<double>(got.completed) - static_cast<double>(expected.completed)) <= 1;
    }
    if (!kept_up) {
      MESSAGE("skipped: the machine did not keep up with real time (overrun), so there is nothing to compare");
    } else {
      CHECK(agrees);
    }
  }
}

TEST_CASE("What is lost and sent again over UDP still tells where its message ends") {
  const MessagePlan transfers{.kind = MessagePlan::Kind::transfers,
                              .mean_bytes = Bytes{4'000},
                              .arrivals = MessagePlan::Arrivals::every,
                              .interval = Duration::millis(20),
                              .count = 100};
  const RealtimeRun run = run_realtime(plan_of(transfers, 0.05));
  CHECK(run.summary.senders[0].retransmitted_packets > 0);
  CHECK(run.summary.receivers[0].messages->completed == 100);
  CHECK(run.summary.receivers[0].messages->bytes == 400'000);
}
