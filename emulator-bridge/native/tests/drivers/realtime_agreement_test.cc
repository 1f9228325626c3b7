// The same plan in virtual and in real time. When the machine did not keep up, the run says so and nothing is compared.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/drivers/realtime_run.hh"
#include "tests/library.hh"
#include "tests/recordings.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Each run on its own differs from the next by chance: queues of several BDP and these lengths keep that small.
constexpr double kSeconds = 6;
constexpr double kQueueBdp = 5;
constexpr Duration kDelay = Duration::millis(10);

Bytes queue_limit(Rate mean) { return std::max(scale(mean.bytes_in(kDelay * 2), kQueueBdp), Bytes{3000}); }

void report(const RealtimeRun& run, const LinkSummary& simulated) {
  for (const LatenessSummary& l : run.lateness)
    MESSAGE("wake-ups " << l.wakeups << ", late by p50 " << l.p50_us << " us, p99 " << l.p99_us << " us, max "
                        << l.max_us << " us; opportunities later than 1 ms " << l.late_opportunities
                        << "; unmodelled losses " << l.unmodelled_losses);
  const LinkSummary& real = run.summary.links.at(0);
  MESSAGE("utilisation " << simulated.utilisation << " virtual, " << real.utilisation << " real; queueing delay "
                         << simulated.queueing_delay.mean_ms << " ms virtual, " << real.queueing_delay.mean_ms
                         << " ms real");
}

bool agree(const LinkSummary& simulated, const LinkSummary& real) {
  const double delay = simulated.queueing_delay.mean_ms;
  return std::abs(real.utilisation - simulated.utilisation) <= 0.03 &&
         std::abs(real.queueing_delay.mean_ms - delay) <= std::max(1.0, 0.1 * delay);
}

void compare(const RunPlan& plan) {
  Recorder recorder;
  const LinkSummary simulated = simulate(plan, recorder).links.at(0);
  // A single stall of the machine that is too rare to count as an overrun can still cost one run a loss episode.
  constexpr int kAttempts = 3;
  int kept_up = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const RealtimeRun measured = run_realtime(plan);
    REQUIRE_FALSE(measured.stopped);
    report(measured, simulated);
    if (measured.overrun) continue;
    ++kept_up;
    if (agree(simulated, measured.summary.links.at(0))) return;
  }
  if (kept_up < kAttempts) {
    MESSAGE("skipped: the machine did not keep up with real time (overrun), so there is nothing to compare");
    return;
  }
  FAIL("none of " << kAttempts << " runs in real time agrees with virtual time");
}

void compare_on(const std::vector<uint32_t>& counts, const char* id) {
  const Bytes limit = queue_limit(Trace{counts}.mean_rate());
  compare(one_flow(trace_link(counts, kDelay, limit), flow(cca(id), 2), kSeconds));
}

}  // namespace

TEST_CASE("Virtual and real time agree on constant links of up to 100 Mbps") {
  for (const double mbps : {10.0, 100.0}) {
    CAPTURE(mbps);
    compare(one_flow(constant_link(mbps, kDelay, queue_limit(Rate::mbps(mbps))), flow(cca("cubic"), 2), kSeconds));
  }
}

TEST_CASE("Virtual and real time agree on a cellular-like trace") {
  compare_on(library_trace("cellular-walk-lte"), "cubic");
}

TEST_CASE("Virtual and real time agree on recordings of a 3G and an LTE link") {
  for (const std::string file : {"3g-hspa-citydrive.down.gz", "lte-verizon-short.down"}) {
    CAPTURE(file);
    if (const auto counts = recording(file)) compare_on(*counts, "cubic");
  }
}

TEST_CASE("Virtual and real time agree on two bottlenecks in series, 24 and then 8 Mbps") {
  const LinkPlan narrow = constant_link(8, {}, queue_limit(Rate::mbps(8)));
  LinkPlan wide = constant_link(24, kDelay, queue_limit(Rate::mbps(24)));
  wide.path = {{.own = ElementPlan::Own::bottleneck},
               {.element = find_element("bottleneck"), .queue = narrow.queue, .capacity = narrow.capacity},
               {.own = ElementPlan::Own::delay}};
  const RunPlan plan = one_flow(wide, flow(cca("cubic"), 2), kSeconds);
  Recorder recorder;
  const RunSummary simulated = simulate(plan, recorder);
  const auto figure = [](const RunSummary& s, std::string_view name) {
    const auto& figures = s.links.at(0).path.at(2).figures;
    return std::ranges::find(figures, name, &std::pair<std::string_view, double>::first)->second;
  };
  CHECK(simulated.receivers.at(0).throughput_mbps == doctest::Approx(8).epsilon(0.03));
  constexpr int kAttempts = 3;
  int kept_up = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const RealtimeRun real = run_realtime(plan);
    REQUIRE_FALSE(real.stopped);
    report(real, simulated.links.at(0));
    const double delay = figure(simulated, "queueing_delay_mean_ms");
    const double measured = figure(real.summary, "queueing_delay_mean_ms");
    MESSAGE("second queue: " << delay << " ms virtual, " << measured << " ms real; RTT "
                             << simulated.senders.at(0).rtt.mean_ms << " and " << real.summary.senders.at(0).rtt.mean_ms
                             << " ms; " << simulated.receivers.at(0).throughput_mbps << " and "
                             << real.summary.receivers.at(0).throughput_mbps << " Mbps");
    if (real.overrun) continue;
    ++kept_up;
    if (agree(simulated.links.at(0), real.summary.links.at(0)) && std::abs(measured - delay) <= 0.1 * delay &&
        real.summary.receivers.at(0).throughput_mbps ==
            doctest::Approx(simulated.receivers.at(0).throughput_mbps).epsilon(0.03))
      return;
  }
  if (kept_up < kAttempts) {
    MESSAGE("skipped: the machine did not keep up with real time (overrun), so there is nothing to compare");
    return;
  }
  FAIL("none of " << kAttempts << " runs in real time agrees with virtual time");
}

TEST_CASE(
    "Over UDP a flow joins the path where its plan says: it meets what is behind, and its RTT is that of its own way") {
  const LinkPlan narrow = constant_link(8, {}, queue_limit(Rate::mbps(8)));
  LinkPlan forward = constant_link(24, kDelay, queue_limit(Rate::mbps(24)));
  const ElementDescriptor* delay = find_element("delay");
  forward.path = {{.element = delay, .params = Params{delay->params, {{"delay_ms", 30.0}}}},
                  {.own = ElementPlan::Own::bottleneck},
                  {.element = find_element("bottleneck"), .queue = narrow.queue, .capacity = narrow.capacity},
                  {.own = ElementPlan::Own::delay}};
  RunPlan plan = one_flow(forward, flow(cca("cubic"), 2), kSeconds);
  plan.flows.push_back(flow(cca("cubic"), 2));
  plan.flows[1].joins = 2;
  plan.forward.joined = true;
  const Duration apart = plan.base_rtt(plan.flows[0]) - plan.base_rtt(plan.flows[1]);
  CHECK(apart == Duration::millis(30));
  const RealtimeRun real = run_realtime(plan);
  REQUIRE_FALSE(real.stopped);
  const auto& path = real.summary.links.at(0).path;
  REQUIRE(path.size() == 5);  // the link's own loss in front
  // What a sender has sent and no element has met is on its way through sockets.
  constexpr uint64_t kOnTheirWay = 200;
  const auto nearly_all = [](uint64_t entered, uint64_t sent) {
    return entered <= sent && entered + kOnTheirWay > sent;
  };
  const auto sent = [&](std::size_t i) { return real.summary.senders.at(i).sent_packets; };
  CHECK(sent(0) > 500);
  CHECK(sent(1) > 500);
  CHECK(nearly_all(path[0].entered_packets, sent(0)));
  CHECK(path[2].entered_packets == path[1].passed_packets);
  CHECK(path[3].entered_packets > path[2].passed_packets);
  CHECK(nearly_all(path[3].entered_packets - path[2].passed_packets, sent(1)));
  CHECK(path[4].entered_packets == path[3].passed_packets);
  if (real.overrun) {
    MESSAGE("the machine did not keep up with real time (overrun), so no times are compared");
    return;
  }
  // Both wait in the second queue alone.
  const auto rtt = [&](std::size_t i) { return real.summary.senders.at(i).rtt.mean_ms; };
  MESSAGE("RTT " << rtt(0) << " and " << rtt(1) << " ms");
  CHECK(rtt(0) - rtt(1) == doctest::Approx(apart.to_millis()).epsilon(0.2));
  const auto& receivers = real.summary.receivers;
  CHECK(receivers.at(0).throughput_mbps + receivers.at(1).throughput_mbps == doctest::Approx(8).epsilon(0.05));
}
