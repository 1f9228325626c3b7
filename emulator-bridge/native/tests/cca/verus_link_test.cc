// Verus over links (docs/reference.md 6.1, checks 1–3) and over the link on which its authors' program was measured.
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kWindow = 1;  // positions of the internals
constexpr std::size_t kProfile = 7;

}  // namespace

TEST_CASE("verus fills the delay budget R on a constant link, and its profile rises") {
  const LinkRun run = run_over_link({.cca = "verus", .rtt_ms = 40, .queue_packets = 400});
  CHECK(run.utilisation(10) >= 0.6);
  // between 2 and 1.15 R base RTTs; [sim]: 193..260 ms
  CHECK(run.summary.senders[0].rtt.p95_ms > 80);
  CHECK(run.summary.senders[0].rtt.p95_ms < 1.15 * 6 * 40);
  for (const Sample& s : run.samples) {
    if (s.time_s < 5) continue;
    for (std::size_t i = 1; i < 4; ++i) REQUIRE(s.internals[kProfile + i] >= s.internals[kProfile + i - 1]);
  }
}

TEST_CASE("verus' budget is R: a smaller one keeps less delay") {
  const auto rtt = [](double r) {
    return run_over_link({.cca = "verus", .params = {{"R", r}}, .rtt_ms = 40, .queue_packets = 400})
        .summary.senders[0]
        .rtt.mean_ms;
  };
  CHECK(rtt(4) < 0.8 * rtt(6));
  CHECK(rtt(2) < 0.8 * rtt(4));
}

TEST_CASE("verus halves its window within a second when the capacity halves") {
  const auto halved = steps({{20, 1000}, {40, 500}});
  const LinkRun run =
      run_over_link({.cca = "verus", .trace = halved, .rtt_ms = 40, .queue_packets = 400, .duration_s = 30});
  const auto window = [](const Sample& s) { return s.internals[kWindow]; };
  CHECK(run.least(window, 20, 21) < 0.5 * run.mean(window, 15, 20));
  CHECK(run.utilisation(22) > 0.8);
}

TEST_CASE("verus over the link of its authors' program: the same throughput, delay and losses") {
  // 24 Mbps, 2 x 20 ms, 240 kB droptail, 20 s: the program reached 20.9 Mbps, 50 ms of queueing delay, 20 % loss
  const LinkRun run =
      run_over_link({.cca = "verus", .rate_mbps = 24, .rtt_ms = 40, .queue_packets = 160, .duration_s = 20});
  CHECK(run.link().utilisation * 24 == doctest::Approx(20.9).epsilon(0.05));
  CHECK(run.link().queueing_delay.mean_ms == doctest::Approx(50).epsilon(0.1));
  CHECK(run.loss_share() == doctest::Approx(0.2).epsilon(0.15));
}
