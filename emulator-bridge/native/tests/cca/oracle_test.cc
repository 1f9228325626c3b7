// The delayed-feedback oracle on the step tests of docs/reference.md 8.2 (T1 timing: 1000 packets per second, 40 ms).
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

Scenario over(std::shared_ptr<const Trace> trace, const std::string& knows, double rtt_ms = 40) {
  // the capacity's millisecond pattern is regular here: 4 ms of averaging see it exactly
  return {.cca = "oracle",
          .params = {{"knows", knows}, {"window_ms", 4.0}},
          .trace = std::move(trace),
          .rtt_ms = rtt_ms,
          .duration_s = 9,
          .sample_period = Duration::millis(1)};
}

const auto kDelay = [](const Sample& s) { return std::isnan(s.link.sojourn_max_ms) ? 0.0F : s.link.sojourn_max_ms; };
const auto kQueue = [](const Sample& s) { return s.link.queue_packets; };

}  // namespace

TEST_CASE("the oracle fills a constant link without a queue") {
  for (const std::string knows : {"queue", "rate"}) {
    CAPTURE(knows);
    const LinkRun run = run_over_link(over(steps({{10, 1000}}), knows));
    CHECK(run.utilisation(1) > 0.999);
    // opportunities lie on the millisecond: a packet waits up to one, and up to the two spare packets of the window
    CHECK(run.largest(kQueue, 1) <= 3);
  }
}

TEST_CASE("a drop to half costs the oracle one round trip of queue; only the queue-aware one drains it") {
  // RTT0 (C_old - C_new) / C_new = 40 ms
  for (const std::string knows : {"queue", "rate"}) {
    CAPTURE(knows);
    const LinkRun run = run_over_link(over(steps({{4, 1000}, {10, 500}}), knows));
    CHECK(run.largest(kDelay, 4, 6) >= 36);
    CHECK(run.largest(kDelay, 4, 6) <= 40 + 6);  // the averaging window, and two spare packets at 2 ms each
    if (knows == "queue") {
      CHECK(run.largest(kQueue, 4 + 2 * 0.04 + 0.02, 9) <= 3);
    } else {
      CHECK(run.least(kQueue, 4.2, 9) >= 18);  // 20 packets stay
    }
  }
}

TEST_CASE("a rise to double costs the oracle at most one round trip of capacity") {
  const LinkRun run = run_over_link(over(steps({{4, 500}, {10, 1000}}), "queue"));
  CHECK(run.utilisation(0.1) > 0.995);
  CHECK(run.largest(kDelay, 4, 9) <= 7 + 4);  // overshoot, and the window still at two spare packets of 2 ms
}

TEST_CASE("the optimal uses every opportunity at the base RTT, and nobody does better") {
  const auto trace = steps({{2, 1000}, {4, 300}, {6, 0}, {10, 700}});
  const LinkRun best = run_over_link({.cca = "optimal", .trace = trace, .rtt_ms = 40, .duration_s = 9});
  CHECK(best.link().utilisation == doctest::Approx(1));
  CHECK(best.link().dropped_packets == 0);
  CHECK(best.summary.senders[0].rtt.mean_ms == doctest::Approx(40));
  CHECK(best.summary.senders[0].delay_inflation == doctest::Approx(1));
  for (const Descriptor* cca : registered_ccas()) {
    CAPTURE(cca->id);
    const LinkRun run = run_over_link(
        {.cca = std::string{cca->id}, .trace = trace, .rtt_ms = 40, .queue_packets = 40, .duration_s = 9});
    CHECK(run.link().utilisation <= 1.0000001);
    CHECK(run.summary.senders[0].rtt.mean_ms >= 40);
  }
}

TEST_CASE("without delay the oracle is the optimal") {
  const LinkRun run = run_over_link(over(steps({{2, 1000}, {4, 300}, {6, 2000}, {10, 700}}), "queue", 0));
  CHECK(run.utilisation(0.1) > 0.995);
  CHECK(run.mean(kQueue, 0.1) <= 3);
}
