// CUBIC over links, against the curve (docs/reference.md 2.2).
#include <doctest/doctest.h>

#include <cmath>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

const auto kCwnd = [](const Sample& s) { return s.cwnd_packets(); };

Scenario t2(const std::string& profile, bool fast_convergence) {
  return {.cca = "cubic",
          .params = {{"profile", profile}, {"fast_convergence", fast_convergence}},
          .rate_mbps = 120,
          .rtt_ms = 100,
          .queue_packets = 1000,
          .duration_s = 200};
}

std::vector<double> gaps(const std::vector<double>& times) {
  std::vector<double> all;
  for (std::size_t i = 1; i < times.size(); ++i) all.push_back(times[i] - times[i - 1]);
  return all;
}

}  // namespace

TEST_CASE("cubic over one BDP of queue moves between 1400 and 2000 packets and never empties the queue") {
  const LinkRun run = run_over_link(t2("linux", true));
  // The loss at 2000 is noticed a round trip of 0.2 s later; at the end of an 18.5 s epoch the curve rises by 1 % in that time.
  CHECK(run.least(kCwnd, 60) >= 1395);
  CHECK(run.least(kCwnd, 60) <= 1.01 * 1410);
  CHECK(run.largest(kCwnd, 60) >= 1995);
  CHECK(run.largest(kCwnd, 60) <= 1.01 * 2005);
  CHECK(run.utilisation(60) > 0.9999);
  // 1400 - 1000 packets at 10 per ms; the repair of the lost packet takes a little out of it
  const double standing = run.least([](const Sample& s) { return s.link.sojourn_mean_ms; }, 60);
  CHECK(standing >= 37);
  CHECK(standing <= 41);
}

TEST_CASE("cubic's epochs alternate with fast convergence and are K long without") {
  // K = cbrt(600/0.4) = 11.4 s for W_max = 2000. With fast convergence every other loss lands just below the plateau before.
  for (const std::string profile : {"linux", "rfc"}) {
    CAPTURE(profile);
    const auto alternating = gaps(run_over_link(t2(profile, true)).times_of("loss_episode", 60));
    REQUIRE(alternating.size() >= 8);
    for (std::size_t i = 1; i < alternating.size(); ++i) {
      CHECK(std::min(alternating[i], alternating[i - 1]) == doctest::Approx(8.3).epsilon(0.05));
      CHECK(std::max(alternating[i], alternating[i - 1]) == doctest::Approx(18.5).epsilon(0.05));
    }
    // Linux rounds the distance to the plateau down to whole packets: it is "there" when one packet is left, which is
    // cbrt(1/0.4) = 1.36 s before K; plus two round trips for noticing and repairing the loss.
    const double expected = profile == "linux" ? 11.45 - 1.36 + 0.4 : 11.4;
    const auto even = gaps(run_over_link(t2(profile, false)).times_of("loss_episode", 120));
    REQUIRE(even.size() >= 5);
    for (const double gap : even) CHECK(gap == doctest::Approx(expected).epsilon(0.05));
  }
}

TEST_CASE("cubic's mean delay is that of the curve: between losses the window is a known function of time") {
  // T3 with one BDP of queue and no fast convergence: W_max = 200 packets, of which 100 fill the path.
  const LinkRun run = run_over_link({.cca = "cubic",
                                     .params = {{"profile", std::string{"rfc"}}, {"fast_convergence", false}},
                                     .queue_packets = 100,
                                     .duration_s = 200});
  const auto episodes = run.times_of("loss_episode", 60);
  REQUIRE(episodes.size() >= 5);
  const double first = episodes.front();
  const double last = episodes.back();
  const double period = (last - first) / static_cast<double>(episodes.size() - 1);
  // The epoch begins when the loss has been repaired: one round trip of 0.2 s with the full queue.
  constexpr double kRepair = 0.2;
  constexpr double kStep = 0.001;
  const double k = std::cbrt(0.3 * 200 / 0.4);
  double queue = 0;
  double t = 0;
  for (; t < k; t += kStep) queue += (200 + 0.4 * std::pow(t - k, 3) - 100) * kStep;
  CHECK(period == doctest::Approx(t + kRepair).epsilon(0.05));
  const double delay_ms = run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, first, last);
  CHECK(delay_ms == doctest::Approx(queue / t).epsilon(0.05));  // one packet is one millisecond
  CHECK(run.utilisation(first, last) > 0.9999);
  // the window stands still at the plateau: one packet too many
  const double dropped =
      run.mean([](const Sample& s) { return s.link.dropped_packets; }, first, last) * (last - first) * 100;
  CHECK(dropped == doctest::Approx(static_cast<double>(episodes.size() - 1)).epsilon(0.01));
}

TEST_CASE("cubic's window in the friendly region is Reno's: 5 Mbps, 10 ms, random loss") {
  const auto mean_window = [](const std::string& cca, Params::Given params) {
    double sum = 0;
    for (const uint64_t seed : {1U, 2U, 3U}) {
      sum += run_over_link({.cca = cca,
                            .params = params,
                            .rate_mbps = 5,
                            .rtt_ms = 10,
                            .duration_s = 300,
                            .loss = 0.002,
                            .seed = seed})
                 .mean(kCwnd, 10);
    }
    return sum / 3;
  };
  const double reno = mean_window("newreno", {});
  for (const std::string profile : {"linux", "rfc"}) {
    CAPTURE(profile);
    CHECK(mean_window("cubic", {{"profile", profile}}) == doctest::Approx(reno).epsilon(0.1));
  }
}

TEST_CASE("HyStart ends slow start before any loss; without it the first loss comes at twice path and queue") {
  // T3 with four BDP of queue (docs/reference.md 1.8): BDP 100 packets, threshold 12.5 ms.
  const auto run = [](const std::string& rule, const std::string& pacing, double queue) {
    return run_over_link({.cca = "newreno",
                          .params = {{"hystart", rule}, {"pacing", pacing}},
                          .queue_packets = queue,
                          .duration_s = 4,
                          .sample_period = Duration::millis(1)});
  };
  const auto exit_window = [](const LinkRun& r) {
    for (const Sample& s : r.samples)
      if (s.internals[0] == 1) return s.cwnd_packets();
    return 0.0;
  };

  const LinkRun unpaced = run("hystart", "off", 400);
  CHECK(unpaced.times_of("loss_episode").empty());
  CHECK(exit_window(unpaced) >= 100);
  CHECK(exit_window(unpaced) <= 250);

  // Paced, Linux waits for an ACK train as long as the whole path instead of half of it: 160 packets at the round's start
  // and one more for each that arrives within 100 + 1 ms.
  const LinkRun paced = run("hystart", "on", 400);
  CHECK(paced.times_of("loss_episode").empty());
  CHECK(exit_window(paced) == doctest::Approx(160 + 101).epsilon(0.02));

  // HyStart++ goes on at a quarter of the growth for five rounds, 1.25^5 = 3.05: it needs that much more queue.
  const LinkRun plus_plus = run("hystart++", "on", 1000);
  CHECK(plus_plus.times_of("loss_episode").empty());
  CHECK(exit_window(plus_plus) > 300);

  const LinkRun off = run("off", "on", 400);
  REQUIRE_FALSE(off.times_of("loss_episode").empty());
  const double lost_at = off.times_of("loss_episode").front();
  CHECK(off.largest(kCwnd, 0, lost_at) >= 900);
  CHECK(off.largest(kCwnd, 0, lost_at) <= 1010);
}
