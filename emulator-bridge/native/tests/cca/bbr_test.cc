#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cca/bbr_aggregation.hh"
#include "cca/bbr_burst.hh"
#include "cca/bbr_policer.hh"
#include "tests/cca/event_feeder.hh"

using namespace paceline;
using paceline::testing::EventFeeder;
using paceline::testing::make_cca;

namespace {

constexpr std::size_t kGain = 3;
constexpr std::size_t kExtra = 6;
constexpr std::size_t kFullPipe = 7;
constexpr std::size_t kPoliced = 8;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 9> values{};
  cca.internals(values);
  return values[index];
}

// Feeds a BBR flow on a path of 12 Mbps and 40 ms until it cruises.
void fill_pipe(Controller& cca, EventFeeder& feed) {
  feed.set_rate(Rate::mbps(12));
  for (int i = 0; i < 2000 && cca.phase() != "PROBE_BW"; ++i) {
    feed.wait(Duration::millis(1));
    AckEvent ack = feed.next_ack(1);
    ack.inflight = std::min(ack.inflight, kMtu * 40);
    cca.on_ack(ack);
  }
  REQUIRE(cca.phase() == "PROBE_BW");
}

}  // namespace

TEST_CASE("bbr paces its first window at 2.885 times the window per RTT, less one percent") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  CHECK(cca->phase() == "STARTUP");
  CHECK(feed.cwnd() == 10);
  feed.set_rate(Rate::mbps(0.1));  // so that the first measurement does not overrule it
  feed.ack(1);
  // set from the ten packets of before the ACK
  CHECK(cca->pacing_rate().to_mbps() == doctest::Approx(2.885 * 0.99 * 10 * 0.012 / 0.04).epsilon(0.001));
}

TEST_CASE("bbr takes the path for full after three rounds without a quarter more bandwidth, and then drains") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  feed.set_rate(Rate::mbps(12));
  int rounds = 0;
  Bytes round_began{};
  while (cca->phase() == "STARTUP" && rounds < 20) {
    Bytes delivered{};
    for (int i = 0; i < 40; ++i) {
      feed.wait(Duration::millis(1));
      AckEvent ack = feed.next_ack(1);
      ack.rate.prior_delivered = round_began;
      cca->on_ack(ack);
      delivered = ack.delivered;
    }
    round_began = delivered;
    ++rounds;
  }
  CHECK(rounds == 4);  // one sets the mark, three do not beat it
  CHECK(internal(*cca, kFullPipe) == 1);
  CHECK(internal(*cca, kGain) == doctest::Approx(1 / 2.885).epsilon(0.001));
}

TEST_CASE("bbr does not take an application's pause for a full path") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 200; ++i) {
    feed.wait(Duration::millis(10));
    AckEvent ack = feed.next_ack(1);
    ack.rate.rate = Rate::mbps(1);
    ack.rate.app_limited = true;
    cca->on_ack(ack);
  }
  CHECK(cca->phase() == "STARTUP");
}

TEST_CASE("bbr keeps two BDP and its burst budget in flight while cruising") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  for (int i = 0; i < 400; ++i) {
    feed.wait(Duration::millis(1));
    feed.ack(1);
  }
  // 2 x 40 packets, 3 bursts of 2 packets, 2 more while probing; extra_acked is next to nothing on a smooth path
  CHECK(feed.cwnd() >= 86);
  CHECK(feed.cwnd() <= 90);
}

TEST_CASE("bbr sends what was delivered in the first round of recovery, and gets its window back after it") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  for (int i = 0; i < 400; ++i) {
    feed.wait(Duration::millis(1));
    feed.ack(1);
  }
  const int64_t before = feed.cwnd();
  feed.lose(10, true);
  AckEvent ack = feed.next_ack(2);
  ack.recovery = Recovery::entered;
  ack.lost_packets = 10;
  ack.inflight = kMtu * 30;
  ack.rate.prior_delivered = Bytes::zero();  // sent before the loss: no new round
  cca->on_ack(ack);
  CHECK(feed.cwnd() == 32);
  ack = feed.next_ack(1);
  ack.recovery = Recovery::exited;
  cca->on_ack(ack);
  CHECK(feed.cwnd() >= before - 2);
}

TEST_CASE("bbr restarts from one packet after a timeout and is back at its window in a few rounds") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  const int64_t before = feed.cwnd();
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  feed.ack(1, Recovery::timeout);
  CHECK(feed.cwnd() == 4);  // the least window
  feed.ack(4, Recovery::timeout);
  CHECK(feed.cwnd() == 8);
  feed.ack(1, Recovery::exited);
  CHECK(feed.cwnd() >= before);
}

TEST_CASE("bbr over QUIC keeps four packets at persistent congestion") {
  const auto cca = make_cca("bbr", {}, TransportProfile::quic);
  EventFeeder feed{*cca};
  feed.time_out();
  CHECK(feed.cwnd() == 4);
}

TEST_CASE("bbr dips to four packets for 200 ms when its least RTT is ten seconds old, seen again or not") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  feed.set_rtt(Duration::millis(39));
  feed.ack(1);
  const double first_seen = feed.seconds();
  double entered = 0;
  double left = 0;
  for (int i = 0; i < 14'000; ++i) {
    feed.wait(Duration::millis(1));
    AckEvent ack = feed.next_ack(1);
    const bool dipping = cca->phase() == "PROBE_RTT";
    if (dipping) {
      ack.inflight = kMtu * 4;
      CHECK(feed.cwnd() <= 4);
      CHECK(cca->limits_itself());
    }
    cca->on_ack(ack);
    const bool dips = cca->phase() == "PROBE_RTT";
    if (dips && !dipping) entered = feed.seconds();
    if (!dips && dipping) left = feed.seconds();
  }
  CHECK(entered - first_seen == doctest::Approx(10).epsilon(0.002));
  CHECK(left - entered >= 0.2);
  CHECK(left - entered < 0.3);
}

TEST_CASE("the policer detector holds the rate of two alike intervals with heavy loss for 48 rounds") {
  BbrPolicer policer{true};
  BbrPolicer::Sample s{.probing_bw = true};
  const auto round = [&](int64_t delivered, int64_t lost) {
    s.now += Duration::millis(40);
    s.delivered += Bytes{delivered};
    s.lost += Bytes{lost};
    s.any_loss = lost > 0;
    s.round_start = true;
    return policer.sample(s);
  };
  for (int i = 0; i < 12 && !policer.in_use(); ++i) round(60'000, 20'000);
  REQUIRE(policer.in_use());
  CHECK(policer.rate().to_mbps() == doctest::Approx(12));
  int held = 1;
  while (!round(60'000, 0)) ++held;
  CHECK(held == 48);
  CHECK_FALSE(policer.in_use());
}

TEST_CASE("the policer detector ignores light loss and application-limited rounds") {
  BbrPolicer policer{true};
  BbrPolicer::Sample s{.any_loss = true, .round_start = true, .probing_bw = true};
  for (int i = 0; i < 100; ++i) {
    s.now += Duration::millis(40);
    s.delivered += Bytes{60'000};
    s.lost += Bytes{6'000};  // 10 %: below 50/256
    CHECK_FALSE(policer.sample(s));
  }
  CHECK_FALSE(policer.in_use());
  s.app_limited = true;
  for (int i = 0; i < 100; ++i) {
    s.now += Duration::millis(40);
    s.delivered += Bytes{60'000};
    s.lost += Bytes{30'000};
    CHECK_FALSE(policer.sample(s));
  }
  CHECK_FALSE(policer.in_use());
}

TEST_CASE("bbr sends a millisecond at once, two packets at least and 64 kB at most, one below 1.2 Mbps") {
  CHECK(burst_segments(Rate::mbps(1.1), kMtu) == 1);
  CHECK(burst_segments(Rate::mbps(1.2), kMtu) == 2);
  CHECK(burst_segments(Rate::mbps(12), kMtu) == 2);
  CHECK(burst_segments(Rate::mbps(100), kMtu) == 8);      // 12207 bytes in 1/1024 s
  CHECK(burst_segments(Rate::mbps(10'000), kMtu) == 43);  // 65215 bytes
  CHECK(burst_segments(Rate::mbps(10'000), Bytes{200}) == 127);
}

TEST_CASE("ACK aggregation is what exceeds bandwidth x time at once, remembered for five to ten rounds") {
  AckAggregation aggregation;
  const Rate bw = Rate::mbps(12);  // a packet per millisecond
  Time now{};
  const auto ack = [&](int64_t ms, int64_t packets, bool round) {
    now += Duration::millis(ms);
    aggregation.update(now, round, kMtu * packets, bw, kMtu * 1000);
  };
  aggregation.restart(now);
  for (int i = 0; i < 50; ++i) ack(1, 1, i % 40 == 0);
  CHECK(aggregation.extra() <= kMtu);  // the packet itself
  ack(30, 30, false);                  // held back for 30 ms
  CHECK(aggregation.extra() == kMtu * 30);
  int rounds = 0;
  while (aggregation.extra() > kMtu && rounds < 20) {
    ++rounds;
    for (int i = 0; i < 40; ++i) ack(2, 1, i == 0);  // more slowly than the bandwidth, which is a maximum
  }
  CHECK(rounds >= 5);
  CHECK(rounds <= 10);
}

TEST_CASE(
    "bbr lets what ACKs bring at once be in flight on top, up to 100 ms of its bandwidth, once the pipe is full") {
  const auto window = [](bool on) {
    const auto cca = make_cca("bbr", {{"ack_agg", on}});
    EventFeeder feed{*cca, Duration::millis(40)};
    fill_pipe(*cca, feed);
    for (int i = 0; i < 60; ++i) {
      feed.wait(Duration::millis(20));
      AckEvent ack = feed.next_ack(20);
      cca->on_ack(ack);
    }
    if (on) CHECK(internal(*cca, kExtra) == doctest::Approx(20 * 1500).epsilon(0.05));
    return feed.cwnd();
  };
  const int64_t without = window(false);
  CHECK(window(true) - without >= 18);
  CHECK(window(true) - without <= 22);
}

TEST_CASE("bbr paces at its bandwidth after an idle time, and does not take it for a reason to probe the RTT") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  while (internal(*cca, kGain) == 1) {  // until it probes
    feed.wait(Duration::millis(1));
    feed.ack(1);
  }
  feed.wait(Duration::seconds(11));  // longer than the least RTT is believed
  cca->on_idle_restart(feed.now());
  CHECK(cca->pacing_rate().to_mbps() == doctest::Approx(12 * 0.99));
  feed.ack(1);
  CHECK(cca->phase() == "PROBE_BW");
  feed.wait(Duration::millis(1));
  feed.ack(1);
  CHECK(cca->phase() == "PROBE_BW");  // that RTT counts as measured
}

TEST_CASE("bbr does not believe an RTT that the receiver's delayed ACK has lengthened") {
  const auto least_rtt = [](bool delayed) {
    const auto cca = make_cca("bbr");
    EventFeeder feed{*cca, Duration::millis(40)};
    fill_pipe(*cca, feed);
    feed.wait(Duration::seconds(11));
    AckEvent ack = feed.next_ack(1);
    ack.rtt = Duration::millis(80);
    ack.delayed = delayed;
    cca->on_ack(ack);
    return internal(*cca, 1);
  };
  CHECK(least_rtt(true) == doctest::Approx(40));
  CHECK(least_rtt(false) == doctest::Approx(80));
}

TEST_CASE("bbr forgets what it learnt from losses that were none") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  for (int i = 0; i < 400; ++i) {
    feed.wait(Duration::millis(1));
    feed.ack(1);
  }
  const int64_t before = feed.cwnd();
  feed.time_out();
  AckEvent ack = feed.next_ack(1);
  ack.recovery = Recovery::undone;
  cca->on_ack(ack);
  CHECK(feed.cwnd() >= before - 2);
}

TEST_CASE("bbr holds a policed rate at a pacing gain of 1") {
  const auto cca = make_cca("bbr");
  EventFeeder feed{*cca, Duration::millis(40)};
  fill_pipe(*cca, feed);
  CHECK(std::isnan(internal(*cca, kPoliced)));
  Bytes lost{};
  feed.set_rate(Rate::mbps(4));
  Bytes round_began{};
  for (int i = 0; i < 40 * 20 && std::isnan(internal(*cca, kPoliced)); ++i) {
    feed.wait(Duration::millis(3));  // 4 Mbps get through
    AckEvent ack = feed.next_ack(1);
    lost += kMtu;  // and as much again does not
    ack.lost = lost;
    ack.lost_packets = 1;
    ack.rate.prior_delivered = round_began;
    if (i % 13 == 0) round_began = ack.delivered;
    cca->on_ack(ack);
  }
  CHECK(internal(*cca, kPoliced) == doctest::Approx(4).epsilon(0.02));
  feed.wait(Duration::millis(3));
  feed.ack(1);
  CHECK(internal(*cca, kGain) == 1);
  CHECK(internal(*cca, 0) == doctest::Approx(4).epsilon(0.02));  // the bandwidth it goes by
}
