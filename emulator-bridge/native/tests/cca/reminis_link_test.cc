// Reminis to the letter over constant links (docs/reference.md 6.5, checks 3–6; the numbers marked [sim] there come from an independent packet
// model with Reno below and pacing).
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"
#include "tests/cca/reminis_letter.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Link {
  double rate_mbps, rtt_ms, packets, inflation_lo, inflation_hi;
};

constexpr Link kLinks[]{
    {12, 100, 400, 0.85, 0.95},  // T3 with 4 BDP [sim: mean RTT / DTT = 0.89]; ours 0.91
    {12, 40, 160, 0.88, 1.02},   // T1 [sim: 0.98]; 0.93
    {120, 20, 800, 0.85, 1.05},  // DTT 30 ms [sim: 1.05]; 0.90
};

LinkRun over(const Link& link, const Params::Given& given = {}, uint64_t seed = 1) {
  return run_over_link({.cca = "reminis",
                        .params = by_the_letter(given),
                        .rate_mbps = link.rate_mbps,
                        .rtt_ms = link.rtt_ms,
                        .queue_packets = link.packets,
                        .duration_s = 60,
                        .seed = seed});
}

}  // namespace

TEST_CASE("reminis keeps its delay near the threshold on constant links, at the utilisation that its lag allows") {
  for (const Link& link : kLinks) {
    CAPTURE(link.rate_mbps);
    CAPTURE(link.rtt_ms);
    const LinkRun run = over(link);
    const double threshold = 1.5 * link.rtt_ms;
    const double inflation = run.summary.senders[0].rtt.mean_ms / threshold;
    CHECK(inflation > link.inflation_lo);
    CHECK(inflation < link.inflation_hi);
    CHECK(run.utilisation(10) > 0.53);  // [sim: 0.55 to 0.68; the paper, over 5G: about 0.8]
    CHECK(run.utilisation(10) < 0.72);
    // Theorem 1: mean queueing delay <= 1.35 (DTT - mRTT)
    CHECK(run.link().queueing_delay.mean_ms <= 1.35 * (threshold - link.rtt_ms));
  }
}

TEST_CASE("reminis with twice the least RTT as its threshold fills a constant link") {
  const LinkRun run = over(kLinks[0], {{"dtt_factor", 2.0}});
  CHECK(run.utilisation(10) > 0.94);  // [sim: 0.97]
  CHECK(run.summary.senders[0].rtt.mean_ms < 200);
}

TEST_CASE("reminis loses utilisation without its AIMD") {
  // [sim: 0.66 to 0.53 on T3]; the paper: 15 % on average, up to 30 %
  const double with = over(kLinks[0]).utilisation(10);
  const double without = over(kLinks[0], {{"aimd", false}}).utilisation(10);
  CHECK(without < with - 0.08);
  CHECK(without > with - 0.3);
}

TEST_CASE("reminis acts before the last action shows: with twice the interval it wastes less") {
  const LinkRun run = over(kLinks[2], {{"si_factor", 2.0}, {"d_stat", std::string{"min"}}});
  CHECK(run.utilisation(10) > over(kLinks[2]).utilisation(10) + 0.1);
  CHECK(run.summary.senders[0].rtt.mean_ms < 30);
}

TEST_CASE("reminis draws from its seed alone") {
  const auto windows = [](uint64_t seed) {
    return over(kLinks[1], {}, seed).values([](const Sample& s) { return s.cwnd_packets(); });
  };
  CHECK(windows(5) == windows(5));
  CHECK(windows(5) != windows(6));
}
