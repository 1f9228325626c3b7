#include <doctest/doctest.h>

#include "cca/htcp_path.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t { state, ssthresh, alpha, beta, rtt_min_ms, rtt_max_ms, rate_max, count };

Time at(double seconds) { return Time::zero() + Duration::seconds(seconds); }

HtcpPath path_with_rtts(int64_t least_ms, int64_t largest_ms, bool bandwidth_switch = false) {
  HtcpPath path{bandwidth_switch, Time::zero()};
  for (int64_t rtt = least_ms; rtt <= largest_ms; rtt += 10) path.sample_rtt(Duration::millis(rtt), true);
  return path;
}

}  // namespace

TEST_CASE("h-tcp adds 1 packet per round trip in the first second after a loss, 11.25 after two, 22 after three") {
  // docs/reference.md 2.5, RTT 100 ms, beta 0.5 (Linux' integers: 11 instead of 11.25)
  const HtcpPath path = path_with_rtts(100, 100);
  CHECK(path.alpha(at(0.5), true) == doctest::Approx(1));
  CHECK(path.alpha(at(1), true) == doctest::Approx(1));
  CHECK(path.alpha(at(2), true) == doctest::Approx(11.25));
  CHECK(path.alpha(at(3), true) == doctest::Approx(22));
}

TEST_CASE("h-tcp grows alike in time whatever the RTT, between 10 and 200 ms") {
  CHECK(path_with_rtts(20, 20).alpha(at(3), true) == doctest::Approx(22.0 / 5));
  CHECK(path_with_rtts(200, 200).alpha(at(3), true) == doctest::Approx(44));
  CHECK(path_with_rtts(400, 400).alpha(at(3), true) == doctest::Approx(44));
  CHECK(path_with_rtts(5, 5).alpha(at(3), true) == doctest::Approx(22.0 / 10));
  CHECK(path_with_rtts(20, 20).alpha(at(3), false) == doctest::Approx(22));
}

TEST_CASE("h-tcp keeps the share of its window that just empties the queue, between 0.5 and 0.8") {
  HtcpPath path = path_with_rtts(100, 150);
  path.congestion();
  CHECK(path.beta() == 0.5);  // the first time it does not trust the RTTs yet
  path.congestion();
  // the largest RTT has faded once: 100 + 0.95 * 50 ms
  CHECK(path.beta() == doctest::Approx(100 / 147.5));
  HtcpPath shallow = path_with_rtts(100, 110);
  shallow.congestion();
  shallow.congestion();
  CHECK(shallow.beta() == doctest::Approx(102.0 / 128));
  HtcpPath close = path_with_rtts(8, 18);
  close.congestion();
  close.congestion();
  CHECK(close.beta() == 0.5);  // too short a path to trust the RTTs
}

TEST_CASE("h-tcp's largest RTT rises by at most 20 ms per sample and only while nothing is being repaired") {
  HtcpPath path = path_with_rtts(100, 100);
  path.sample_rtt(Duration::millis(300), true);
  CHECK(path.largest_rtt() == Duration::millis(100));
  path.sample_rtt(Duration::millis(120), true);
  CHECK(path.largest_rtt() == Duration::millis(120));
  path.sample_rtt(Duration::millis(140), false);
  CHECK(path.largest_rtt() == Duration::millis(120));
}

TEST_CASE("h-tcp halves when the rate changed by more than a fifth since the last loss") {
  HtcpPath path = path_with_rtts(100, 150, true);
  const auto rate_of = [&](double from_s, int64_t packets) {
    path.restart_clock(at(from_s));
    path.sample_rate(at(from_s), 0, false, 1);
    path.sample_rate(at(from_s + 0.2), packets, true, 1);
  };
  rate_of(0, 200);
  path.congestion();
  CHECK(path.beta() == 0.5);  // from nothing to 1000 packets/s
  rate_of(1, 210);
  path.congestion();
  CHECK(path.beta() == 0.5);  // within a fifth: trusts the RTTs from now on
  rate_of(2, 200);
  path.congestion();
  CHECK(path.beta() > 0.6);
  rate_of(3, 100);
  path.congestion();
  CHECK(path.beta() == 0.5);
}

TEST_CASE("h-tcp halves its first window and grows by one packet per round trip for a second") {
  const auto cca = make_cca("htcp");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.lose_one();
  CHECK(feed.cwnd() == 40);
  for (int i = 0; i < 9; ++i) feed.round();
  CHECK(feed.cwnd() >= 48);
  CHECK(feed.cwnd() <= 50);
  for (int i = 0; i < 10; ++i) feed.round();  // between one and two seconds: 1 to 11 packets per round trip
  CHECK(feed.cwnd() >= 75);
  CHECK(feed.cwnd() <= 115);
}

TEST_CASE("h-tcp takes clock and window back when the episode was spurious") {
  const auto cca = make_cca("htcp");
  EventFeeder feed{*cca};
  for (int i = 0; i < 2; ++i) feed.round();
  feed.lose_one();
  feed.wait(Duration::seconds(3));
  feed.round();
  const int64_t before = feed.cwnd();
  feed.lose(1, true);
  CHECK(feed.cwnd() < before);
  feed.ack(1, Recovery::undone);
  CHECK(feed.cwnd() >= before);
  feed.round();
  CHECK(feed.cwnd() >= before + 10);  // as fast as before the episode
}

TEST_CASE("over one BDP of queue h-tcp halves at each loss, as least and largest RTT are 1 to 2") {
  const LinkRun run = run_over_link({.cca = "htcp", .queue_packets = 100, .duration_s = 60});
  const auto kept = [](const Sample& s) { return s.internals[Internal::beta]; };
  CHECK(run.least(kept, 20) == doctest::Approx(0.5).epsilon(0.01));
  CHECK(run.largest(kept, 20) <= 0.53);  // the largest RTT fades by 5 % of the queue
  CHECK(run.utilisation(10) > 0.98);
  // 100 packets in a second of 1, then faster and faster: a period of 4 s instead of NewReno's 15
  const auto losses = run.times_of("loss_episode", 10);
  REQUIRE(losses.size() >= 5);
  const double period = (losses.back() - losses.front()) / static_cast<double>(losses.size() - 1);
  CHECK(period > 2.5);
  CHECK(period < 6);
}
