// BBRv1 over link T1 (12 Mbps, 40 ms, BDP 40 packets; docs/reference.md 3.1). Numbers marked [sim] there come from an
// independent packet model.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kBw = 0;  // positions of the internals
constexpr std::size_t kState = 2;
constexpr std::size_t kGain = 3;
constexpr double kProbeBw = 2;
constexpr double kProbeRtt = 3;

Scenario t1(double queue_packets, double duration_s, double loss = 0) {
  return {.cca = "bbr",
          .rtt_ms = 40,
          .queue_packets = queue_packets,
          .duration_s = duration_s,
          .loss = loss,
          .sample_period = Duration::millis(1)};
}

double state(const Sample& s) { return static_cast<double>(s.internals[kState]); }
double gain(const Sample& s) { return static_cast<double>(s.internals[kGain]); }

struct Stretch {
  double gain{};
  double seconds{};
};

// The log of pacing gains while cruising between two seconds.
std::vector<Stretch> gain_log(const LinkRun& run, double from_s, double to_s) {
  std::vector<Stretch> log;
  for (const Sample& s : run.samples) {
    if (s.time_s < from_s || s.time_s > to_s) continue;
    REQUIRE(state(s) == kProbeBw);
    if (log.empty() || log.back().gain != gain(s)) log.push_back({gain(s), 0});
    log.back().seconds += 0.001;
  }
  log.erase(log.begin());  // cut off in the middle
  log.pop_back();
  return log;
}

}  // namespace

TEST_CASE("bbr's STARTUP doubles the delivery rate per round trip, fills the pipe, and DRAIN empties it") {
  const LinkRun run = run_over_link(t1(160, 3));
  const auto phases = run.times_of("phase");
  REQUIRE(phases.size() >= 3);
  const double drain = phases[1];
  const double cruise = phases[2];

  // what the link delivered in each round trip of 40 ms since the first packet arrived, until it was full
  std::vector<double> delivered;
  for (double t = 0; t < 0.3; t += 0.04) {
    delivered.push_back(run.mean([](const Sample& s) { return s.link.delivered_mbps; }, t, t + 0.04));
  }
  REQUIRE(delivered[0] == doctest::Approx(3).epsilon(0.01));  // ten packets
  CHECK(delivered[1] / delivered[0] == doctest::Approx(2).epsilon(0.15));
  // the third window leaves at 2.885 times an estimate that still counts the first flight's wait, 10 packets in 42 ms, so a
  // part of it falls into the next round trip; then the link is full
  CHECK(delivered[2] / delivered[1] > 1.4);
  CHECK(delivered[3] / 12 > 0.95);
  CHECK(delivered[4] == doctest::Approx(12).epsilon(0.01));
  const auto full = std::ranges::find_if(
      run.samples, [](const Sample& s) { return static_cast<double>(s.internals[kBw]) > 12 * 0.97; });
  const double full_at = full->time_s;

  // three rounds without a quarter more; by then a round lasts up to 2.885 x 40 ms
  CHECK(drain - full_at > 3 * 0.040);
  CHECK(drain - full_at < 4 * 0.125);
  // 2.885 BDP and three bursts of two packets: 125 [sim]. The least RTT it can see holds the packet's own millisecond on the
  // link, and one more for the second packet of a burst: up to 42 packets for a BDP.
  const double peak = run.largest([](const Sample& s) { return s.inflight_packets(); }, 0, cruise);
  CHECK(peak >= 2.885 * 40 + 3 * 2);
  CHECK(peak <= 2.885 * 42 + 3 * 2 + 1);
  CHECK(cruise - drain == doctest::Approx(0.12).epsilon(0.1));
}

TEST_CASE("bbr's pacing gains repeat 1.25, 0.75 and six phases of 1, each as long as the least RTT") {
  const LinkRun run = run_over_link(t1(160, 10));
  const auto log = gain_log(run, 2, 9.5);
  REQUIRE(log.size() > 40);
  double cycle = 0;
  int cycles = 0;
  for (std::size_t i = 0; i + 3 < log.size(); ++i) {
    if (log[i].gain != doctest::Approx(1.25)) continue;
    // a round trip and until what is in flight has reached 1.25 BDP (the ACK after that)
    CHECK(log[i].seconds >= 0.040);
    CHECK(log[i].seconds <= 0.055);
    CHECK(log[i + 1].gain == doctest::Approx(0.75));
    CHECK(log[i + 1].seconds <= 0.044);  // may end early, when the queue is gone
    CHECK(log[i + 2].gain == doctest::Approx(1));
    CHECK(log[i + 2].seconds == doctest::Approx(6 * 0.0415).epsilon(0.03));
    cycle += log[i].seconds + log[i + 1].seconds + log[i + 2].seconds;
    ++cycles;
  }
  CHECK(cycle / cycles == doctest::Approx(0.35).epsilon(0.06));  // [sim]
}

TEST_CASE("bbr empties the queue for 200 ms every ten seconds, and pays 2 % for it") {
  const LinkRun run = run_over_link(t1(160, 60));
  std::vector<double> entries;
  std::vector<double> dips;
  bool inside = false;
  int low = 0;
  for (const Sample& s : run.samples) {
    const bool now_inside = state(s) == kProbeRtt;
    if (now_inside && !inside) {
      entries.push_back(s.time_s);
      low = 0;
    }
    if (now_inside && s.inflight_packets() <= 4) ++low;
    if (!now_inside && inside) dips.push_back(low * 0.001);
    inside = now_inside;
  }
  const std::vector<double> expected{10.1, 20.4,
                                     30.6};  // Linux 6.12 over the same link, in simulated time (docs/cca/bbr.md)
  REQUIRE(entries.size() >= 5);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(entries[i] == doctest::Approx(expected[i]).epsilon(0.01));
  for (const double dip : dips) CHECK(dip >= 0.2);
  CHECK(run.utilisation(10) == doctest::Approx(0.978).epsilon(0.005));  // [sim]
  const auto& rtt = run.summary.senders[0].rtt;
  CHECK(rtt.p50_ms == doctest::Approx(1.2 * 40).epsilon(0.03));   // [sim]
  CHECK(rtt.p95_ms == doctest::Approx(1.43 * 40).epsilon(0.03));  // [sim]
}

TEST_CASE("bbr keeps its rate under 2 % of random loss") {
  const LinkRun run = run_over_link(t1(160, 60, 0.02));
  // 97.0 % by Linux 6.12 over the same link, in simulated time. The lost packets leave gaps in which the queue runs empty, but the least
  // RTT seen again is no new one: PROBE_RTT comes as ever.
  CHECK(run.utilisation(10) > 0.96);
  CHECK(run.utilisation(10) < 0.98);
}

TEST_CASE("bbr loses 3.5 % over a queue of a fifth of the BDP and does not mind") {
  const LinkRun run = run_over_link(t1(8, 60));
  // [sim] 3.5 %; a cycle is 320 packets, so half a percent is one or two packets of its one overflow
  CHECK(run.loss_share() > 0.030);
  CHECK(run.loss_share() < 0.040);
  CHECK(run.utilisation(10) > 0.97);
}

TEST_CASE("two bbr flows run at the limit of two BDP, with about one BDP of queue") {
  // docs/reference.md 3.1, check 4, on a path of 400 packets: on T1's 40 the budgets of two flows alone are 0.4 BDP (1.5 measured)
  Scenario scenario{.cca = "bbr", .rate_mbps = 120, .rtt_ms = 40, .queue_packets = 4000, .duration_s = 40};
  scenario.others = {{.cca = "bbr", .start_s = 5}};
  const LinkRun run = run_over_link(scenario);
  const double queue = run.mean([](const Sample& s) { return s.link.queue_packets; }, 15) / 400;
  CHECK(queue > 0.7);
  CHECK(queue < 1.3);
  CHECK(run.fairness(15) > 0.9);
  CHECK(run.utilisation(15) > 0.97);
}

TEST_CASE("bbr takes a path that lets through a tenth all of a sudden for policed, and loses less then") {
  const auto losses = [](bool detects) {
    Scenario scenario = t1(10, 30);
    scenario.params = {{"lt_bw", detects}};
    scenario.trace = steps({{5, 5000}, {40, 500}});
    const LinkRun run = run_over_link(scenario);
    const auto held = run.values([](const Sample& s) { return s.internals[8]; }, 5, 12);
    const bool in_use = std::ranges::any_of(held, [](double mbps) { return mbps > 0; });
    CHECK(in_use == detects);
    if (detects) {
      const auto at = std::ranges::find_if(held, [](double mbps) { return mbps > 0; });
      CHECK(*at == doctest::Approx(6).epsilon(0.1));
    }
    return run.link().dropped_packets;
  };
  CHECK(losses(true) < losses(false));
}
