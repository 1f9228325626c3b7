// NewReno over a link, against what can be computed by hand (docs/reference.md 2.1, link T3: 12 Mbps, 100 ms, BDP 100 packets).
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kBdp = 100;  // packets
constexpr double kPacketsPerSecond = 1000;

// One tooth: windows 100, 101 … 200, one round trip each. A window of w > BDP keeps w - BDP packets waiting, and its round
// trip lasts as long as its w packets take to pass.
struct Tooth {
  double packets{};
  double delay_ms{};
  double period_s{};
};
Tooth tooth(int from, int to) {
  Tooth t;
  double waiting = 0;
  for (int w = from; w <= to; ++w) {
    t.packets += w;
    waiting += w * (w - kBdp);
  }
  t.delay_ms = waiting / t.packets / kPacketsPerSecond * 1000;
  t.period_s = t.packets / kPacketsPerSecond;
  return t;
}

}  // namespace

TEST_CASE("newreno's saw-tooth over one BDP of queue has the size, period, delay and loss computed by hand") {
  const LinkRun run = run_over_link({.cca = "newreno", .queue_packets = kBdp, .duration_s = 170});
  const auto episodes = run.times_of("loss_episode", 20);
  REQUIRE(episodes.size() >= 8);
  const double first = episodes.front();
  const double last = episodes.back();
  const Tooth expected = tooth(100, 200);

  const double period = (last - first) / static_cast<double>(episodes.size() - 1);
  CHECK(period == doctest::Approx(15.2).epsilon(0.05));
  CHECK(expected.period_s == doctest::Approx(15.15).epsilon(0.01));

  const auto cwnd = [](const Sample& s) { return s.cwnd_packets(); };
  CHECK(run.least(cwnd, first, last) >= 97);
  CHECK(run.least(cwnd, first, last) <= 103);
  CHECK(run.largest(cwnd, first, last) >= 197);
  CHECK(run.largest(cwnd, first, last) <= 203);

  CHECK(run.utilisation(first, last) >= 0.99);
  const double delay_ms = run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, first, last);
  CHECK(delay_ms == doctest::Approx(expected.delay_ms).epsilon(0.05));
  // two packets each: the one too many, and one more because the window grows by one until the loss is noticed
  const double drops = 2 * static_cast<double>(episodes.size() - 1);
  const double dropped =
      run.mean([](const Sample& s) { return s.link.dropped_packets; }, first, last) * (last - first) * 100;
  CHECK(dropped == doctest::Approx(drops).epsilon(0.01));
}

TEST_CASE("newreno doubles in slow start at 100 ms steps on the link") {
  const LinkRun run = run_over_link({.cca = "newreno", .queue_packets = kBdp, .duration_s = 0.5});
  // each round's window is complete one RTT and its own sending time after the last; look just before the next begins
  const auto at = [&](double t) {
    return std::ranges::find_if(run.samples, [&](const Sample& s) { return s.time_s >= t - 1e-9; })->cwnd_packets();
  };
  CHECK(at(0.09) == doctest::Approx(10));
  CHECK(at(0.20) == doctest::Approx(20).epsilon(0.05));
  CHECK(at(0.30) == doctest::Approx(40).epsilon(0.03));
  CHECK(at(0.40) == doctest::Approx(80).epsilon(0.02));
}

TEST_CASE("paced newreno uses 77 % of a link with five packets of queue") {
  // 75 % is the limit without any queue: the window goes between one half and one BDP
  const LinkRun run = run_over_link({.cca = "newreno", .queue_packets = 5, .duration_s = 120});
  CHECK(run.utilisation(20) > 0.74);
  CHECK(run.utilisation(20) < 0.80);
}

TEST_CASE("a timeout leaves newreno one packet, and slow start takes it back to ssthresh") {
  // one second of nothing: everything in flight times out
  const auto outage = steps({{10, kPacketsPerSecond}, {12, 0}, {30, kPacketsPerSecond}});
  const LinkRun run = run_over_link({.cca = "newreno", .trace = outage, .queue_packets = 50, .duration_s = 16});
  const auto timeouts = run.times_of("rto");
  REQUIRE_FALSE(timeouts.empty());
  const double after = timeouts.front();
  CHECK(run.least([](const Sample& s) { return s.cwnd_packets(); }, after, after + 0.05) == doctest::Approx(1));
  CHECK(run.utilisation(13, 16) > 0.5);
}
