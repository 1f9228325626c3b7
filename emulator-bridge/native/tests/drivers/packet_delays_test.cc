// Delays of every delivered packet, of each flow and of all together: over a queue that can be worked out by hand.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kExact = 1e-9;

DelayHistogram histogram(const std::vector<double>& ms) {
  DelayHistogram h{};
  for (const double v : ms) h.add(Duration{std::llround(v * 1e6)});
  return h;
}

// Nearest rank of the values themselves.
double ranked(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size()))) - 1];
}

}  // namespace

// 12 Mbps carry a packet a millisecond. Both windows come at once: three packets, behind them two. The second round trip comes at the
// distance at which the first left, and waits for nobody.
TEST_CASE("each flow's queueing and one-way delays are those of its packets, and of all together those of all") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(3)), 0.0795);
  plan.flows.push_back(flow(fixed_window(2)));
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  const LinkSummary& link = s.links[0];
  REQUIRE(link.flows.size() == 2);
  const DelayStats& first = link.flows[0].queueing_delay;   // 0, 1, 2, 0, 0, 0
  const DelayStats& second = link.flows[1].queueing_delay;  // 3, 4, 0, 0
  CHECK(first.count == 6);
  CHECK(first.mean_ms == doctest::Approx(3.0 / 6).epsilon(kExact));
  CHECK(first.max_ms == doctest::Approx(2));
  CHECK(second.count == 4);
  CHECK(second.mean_ms == doctest::Approx(7.0 / 4).epsilon(kExact));
  CHECK(second.p95_ms == doctest::Approx(4).epsilon(0.004));
  CHECK(link.queueing_delay.count == 10);
  CHECK(link.queueing_delay.mean_ms == doctest::Approx(1).epsilon(kExact));

  // A millisecond to be sent and 20 of the way more than that.
  REQUIRE(s.all_flows);
  CHECK(s.receivers[0].owd.mean_ms == doctest::Approx(21.5).epsilon(kExact));
  CHECK(s.receivers[1].owd.mean_ms == doctest::Approx(22.75).epsilon(kExact));
  CHECK(s.receivers[1].base_owd_ms == 20);
  CHECK(s.receivers[1].base_rtt_ms == 40);
  const DelayStats& all = s.all_flows->owd;
  CHECK(all.count == 10);
  CHECK(all.mean_ms == doctest::Approx(22).epsilon(kExact));
  CHECK(all.p50_ms == doctest::Approx(21).epsilon(0.004));
  CHECK(all.p95_ms == doctest::Approx(25).epsilon(0.004));
  CHECK(all.max_ms == doctest::Approx(25));
  CHECK(s.all_flows->rtt.count == s.senders[0].rtt.count + s.senders[1].rtt.count);
  CHECK(s.all_flows->message_delay.count == 0);
}

TEST_CASE(
    "a single flow has no others to be joined with, and one that joins behind the link has no queueing delay there") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(3)), 1);
  Recorder sink;
  RunSummary s = simulate(plan, sink);
  CHECK_FALSE(s.all_flows);
  REQUIRE(s.links[0].flows.size() == 1);
  CHECK(s.links[0].flows[0].queueing_delay.count == s.links[0].queueing_delay.count);
  CHECK(s.receivers[0].owd.spread.empty());

  plan.flows.push_back(flow(fixed_window(3)));
  plan.flows[1].start = Time::zero() + Duration::seconds(2);  // after the end
  Recorder again;
  s = simulate(plan, again);
  REQUIRE(s.links[0].flows.size() == 2);
  CHECK(s.links[0].flows[1].flow == 1);
  CHECK(s.links[0].flows[1].queueing_delay.count == 0);
  CHECK(std::isnan(s.links[0].flows[1].queueing_delay.mean_ms));
}

// A link that is silent for three seconds of six: whatever waits then is sent again after a timeout, so its acknowledgement says nothing of
// how long it was under way (Karn). Its delay counts all the same.
TEST_CASE("packets that a stall delayed count though they give no RTT sample") {
  std::vector<uint32_t> counts(6000);
  for (std::size_t ms = 0; ms < 3000; ++ms) counts[ms] = 1;
  RunPlan plan = one_flow(trace_link(counts, Duration::millis(20)), flow(fixed_window(60)), 59);  // ends in a silence
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  const DelayStats& owd = s.receivers[0].owd;
  const DelayStats& rtt = s.senders[0].rtt;
  CHECK(s.senders[0].timeouts > 5u);
  CHECK(s.senders[0].spurious_packets > 100u);
  // Of 60 packets that wait in each of the ten silences hardly one gives a sample.
  CHECK(owd.max_ms > 2900);
  CHECK(rtt.mean_ms < owd.mean_ms);
  CHECK(rtt.count < owd.count);
  CHECK(owd.mean_ms == doctest::Approx(s.links[0].flows[0].queueing_delay.mean_ms + 20).epsilon(kExact));
}

TEST_CASE("merged histograms are the histogram of all values") {
  Random random{11, 0, "delays"};
  std::vector<double> few;
  std::vector<double> all;
  DelayHistogram merged = histogram({});
  for (const std::size_t count : {3u, 500u, 4000u}) {
    few.clear();
    for (std::size_t i = 0; i < count; ++i) few.push_back(std::exp(10 * random.uniform()) / 100);
    merged.merge(histogram(few));
    all.insert(all.end(), few.begin(), few.end());
  }
  const DelayHistogram at_once = histogram(all);
  CHECK(merged.count() == all.size());
  CHECK(merged.mean_ms() == at_once.mean_ms());
  CHECK(merged.max() == at_once.max());
  CHECK(merged.spread() == at_once.spread());
  for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
    CHECK(merged.percentile_ms(share) == at_once.percentile_ms(share));
    CHECK(merged.percentile_ms(share) == doctest::Approx(ranked(all, share)).epsilon(0.004));
  }
}
