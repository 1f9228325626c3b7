// BBRv2, and BBRv3 in Google's version, over the reference's links T1 (12 Mbps, 40 ms, BDP 40 packets) and T2 (120 Mbps, 100 ms,
// BDP 1000); docs/reference.md 3.2 and 3.3.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/cca/link_run.hh"
#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

const Params::Given kLinux{{"profile", std::string{"linux"}}};

Scenario t1(const std::string& cca, double queue_packets, double loss = 0, Params::Given params = {}) {
  return {.cca = cca,
          .params = std::move(params),
          .rtt_ms = 40,
          .queue_packets = queue_packets,
          .loss = loss,
          .sample_period = Duration::millis(5)};
}

Scenario t2(const std::string& cca, double loss, Params::Given params = {}) {
  return {.cca = cca, .params = std::move(params), .rate_mbps = 120, .queue_packets = 4000, .loss = loss};
}

struct Stay {
  double from_s{};
  double seconds{};
};

std::vector<Stay> stays(const LinkRun& run, std::string_view state, double from_s) {
  std::vector<Stay> all;
  double since = -1;
  for (const Happening& e : run.events) {
    if (e.event != "phase") continue;
    if (since >= from_s) all.push_back({since, e.time_s - since});
    since = e.detail == state ? e.time_s : -1;
  }
  return all;
}

double longest(const std::vector<Stay>& all) {
  double most = 0;
  for (const Stay& stay : all) most = std::max(most, stay.seconds);
  return most;
}

double shortest(const std::vector<Stay>& all) {
  double least = 1e9;
  for (const Stay& stay : all) least = std::min(least, stay.seconds);
  return least;
}

}  // namespace

TEST_CASE("bbr2 probes for one or two round trips, Google's bbr3 for three at least") {
  const LinkRun v2 = run_over_link(t1("bbr2", 160));
  const LinkRun v3 = run_over_link(t1("bbr3", 160, 0, kLinux));
  const auto ups = stays(v2, "PROBE_UP", 2);
  REQUIRE(ups.size() > 10);
  CHECK(shortest(ups) >= 0.040);
  CHECK(longest(ups) <= 2 * 0.0425);
  const auto ups3 = stays(v3, "PROBE_UP", 2);
  REQUIRE(ups3.size() > 10);
  CHECK(shortest(ups3) >= 3 * 0.040);
  // a quarter of a BDP, and the two packets of the budget
  CHECK(v2.largest([](const Sample& s) { return s.inflight_packets(); }, 2) <= 1.25 * 41 + 2 + 4);
  // what 1.25 BDP queued is gone within a round trip at 0.75
  CHECK(longest(stays(v2, "PROBE_DOWN", 2)) <= 0.042);
  for (const LinkRun* run : {&v2, &v3}) {
    CHECK(run->utilisation(10) == doctest::Approx(0.97).epsilon(0.02));
    CHECK(run->link().dropped_packets == 0);
    const auto rests = stays(*run, "PROBE_RTT", 2);
    REQUIRE(rests.size() >= 8);
    CHECK((rests.back().from_s - rests.front().from_s) / static_cast<double>(rests.size() - 1) ==
          doctest::Approx(5.2).epsilon(0.03));
    CHECK(shortest(rests) >= 0.2);
  }
}

TEST_CASE("bbr2 fills a path as version 1 does, Google's bbr3 with less in flight") {
  // 2.885 BDP and 0.12 s of draining for versions 1 and 2 (docs/reference.md 3.1); a window of two BDP for version 3, drained at
  // 0.35 in less than the draft's 0.09 s at a half
  const LinkRun v2 = run_over_link(t1("bbr2", 160));
  const LinkRun v3 = run_over_link(t1("bbr3", 160, 0, kLinux));
  const auto drained = [](const LinkRun& run) { return stays(run, "DRAIN", 0).front().seconds; };
  const auto peak = [](const LinkRun& run) {
    return run.largest([](const Sample& s) { return s.inflight_packets(); }, 0, 2);
  };
  CHECK(peak(v2) >= 2.885 * 40);
  CHECK(peak(v2) <= 2.885 * 42 + 7);
  CHECK(drained(v2) == doctest::Approx(0.12).epsilon(0.1));
  CHECK(peak(v3) <= 2 * 42 + 7);
  CHECK(drained(v3) < 0.09);
}

TEST_CASE("bbr2 and Google's bbr3 learn the bound of a shallow queue and lose far less than version 1") {
  const double first = run_over_link(t1("bbr", 8)).loss_share();
  for (const auto& [each_cca, params] : {std::pair{"bbr2", Params::Given{}}, std::pair{"bbr3", kLinux}}) {
    const auto& cca = each_cca;
    CAPTURE(cca);
    const LinkRun run = run_over_link(t1(cca, 8, 0, params));
    CHECK(run.loss_share() < 0.007);  // 0.5 % for version 3 [sim]
    CHECK(run.loss_share() > 0.001);
    CHECK(first > 5 * run.loss_share());
    CHECK(run.mean([](const Sample& s) { return s.internals[5]; }, 20) / 60000 == doctest::Approx(1.2).epsilon(0.12));
    CHECK(run.utilisation(20) > 0.9);
  }
}

TEST_CASE("bbr2 and Google's bbr3 use most of a lossy link up to 2 %, and little above") {
  // [sim] for the draft on T2: 0.89 at 0.5 %, 0.82 at 1.5 %, 0.13 at 5 %; on T1 0.60 at 1.5 %. Losses judged on every ACK end
  // probes that the draft goes on with: 0.67 and 0.70 instead of 0.82.
  for (const auto& [each_cca, params] : {std::pair{"bbr2", Params::Given{}}, std::pair{"bbr3", kLinux}}) {
    const auto& cca = each_cca;
    CAPTURE(cca);
    CHECK(run_over_link(t2(cca, 0.005, params)).utilisation(20) == doctest::Approx(0.89).epsilon(0.1));
    const double lossy = run_over_link(t2(cca, 0.015, params)).utilisation(20);
    CHECK(lossy > 0.55);
    CHECK(lossy < 0.82);
    CHECK(run_over_link(t2(cca, 0.05, params)).utilisation(20) < 0.15);
    CHECK(run_over_link(t1(cca, 160, 0.015, params)).utilisation(20) == doctest::Approx(0.60).epsilon(0.1));
  }
}

TEST_CASE(
    "bbr2 finds five times the capacity a quarter per probe, Google's bbr3 within two seconds of its next probe") {
  // v2 ends each probe as soon as 1.25 BDP are in flight, before the samples can show that there is more; v3 was changed for that
  const auto found = [](const std::string& cca, const Params::Given& params) {
    Scenario scenario = t1(cca, 160, 0, params);
    scenario.trace = steps({{10, 1000}, {60, 5000}});
    scenario.duration_s = 45;
    const LinkRun run = run_over_link(scenario);
    const auto probes = stays(run, "PROBE_UP", 10);
    REQUIRE_FALSE(probes.empty());
    for (double t = probes.front().from_s; t < 44; t += 0.1)
      if (run.utilisation(t, t + 0.3) > 0.95) return t - probes.front().from_s;
    return 99.0;
  };
  const double v2 = found("bbr2", {});
  CHECK(v2 > 8);
  CHECK(v2 < 25);
  CHECK(found("bbr3", kLinux) < 2);
}

TEST_CASE("bbr2 answers L4S marks with a short queue and without losses") {
  FlowPlan marked = flow(cca("bbr2"));
  marked.params = Params{marked.cca->params, {{"ecn", std::string{"l4s"}}, {"ecn_max_rtt_ms", 0.0}}};
  FlowPlan deaf = flow(cca("bbr2"));
  const Outcome with = outcome_of(on_t1("dualpi2", {}, {marked, marked}, 40));
  const Outcome without = outcome_of(on_t1("dualpi2", {}, {deaf, deaf}, 40));
  CHECK(with.link().dropped_packets == 0);
  CHECK(without.link().dropped_packets > 20);
  CHECK(with.mean("sojourn_mean_ms", 10) < 0.5 * without.mean("sojourn_mean_ms", 10));
  CHECK(with.utilisation(10) > 0.8);
}
