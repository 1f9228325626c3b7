// Orca's loop: what its agent sees, what its actions do, and its reward (docs/reference.md 7.1).
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/cca/networks.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Positions of the internals.
enum : std::size_t {
  kAction = 2,
  kFactor,
  kReward,
  kBest,
  kThroughput,
  kPacing,
  kLoss,
  kSamples,
  kDt,
  kLeastRtt,
  kDelay
};

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 13> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

Params::Given with(const std::string& policy) { return {{"policy", policy}}; }
Params::Given with(Params::Weights network) {
  return {{"policy", std::string{"network"}}, {"weights", std::move(network)}};
}

// A flow past slow start, with a tick whenever the loop asks for one.
class Loop {
 public:
  explicit Loop(const Params::Given& given) : cca{make_cca("orca", given)}, feed{*cca, Duration::millis(40)} {
    for (int i = 0; i < 4; ++i) feed.round();
    feed.lose_one();
    period();  // slow start counts as over once the window is seen above ssthresh
    period();
  }
  // The packets of 20 ms, one by one, and the look after them.
  void period(uint32_t packets = 20) {
    for (uint32_t i = 0; i < packets; ++i) {
      feed.wait(Duration::millis(20) / packets);
      feed.ack(1);
    }
    feed.wait(cca->next_tick() - feed.now());
    cca->on_tick(feed.now());
  }
  std::unique_ptr<Controller> cca;
  EventFeeder feed;
};

}  // namespace

TEST_CASE("orca's loop with the neutral agent has Cubic's window at every event") {
  // check 1: within a packet per period; here it is none
  const auto orca = make_cca("orca", with("neutral"));
  const auto cubic = make_cca("cubic");
  EventFeeder one{*orca, Duration::millis(40)};
  EventFeeder other{*cubic, Duration::millis(40)};
  for (int episode = 0; episode < 20; ++episode) {
    for (int i = 0; i < (episode == 0 ? 4 : 25); ++i) {
      one.round();
      other.round();
      REQUIRE(orca->cwnd() == cubic->cwnd());
      REQUIRE(orca->ssthresh() == cubic->ssthresh());
    }
    one.lose_one();
    other.lose_one();
  }
}

TEST_CASE("orca's loop with the neutral agent and Cubic's pacing is Cubic, bit for bit") {
  const auto over = [](const std::string& cca, const Params::Given& given) {
    return run_over_link(
        {.cca = cca, .params = given, .rtt_ms = 40, .queue_packets = 40, .duration_s = 30, .loss = 1e-4});
  };
  auto neutral = with("neutral");
  neutral["pacing"] = std::string{"cubic"};
  const LinkRun orca = over("orca", neutral);
  const LinkRun cubic = over("cubic", {});
  REQUIRE(orca.samples.size() == cubic.samples.size());
  for (std::size_t i = 0; i < orca.samples.size(); ++i)
    REQUIRE(std::memcmp(&orca.samples[i].sender, &cubic.samples[i].sender, sizeof(telemetry::SenderRow)) == 0);
}

TEST_CASE("orca paces at a window per smoothed RTT") {
  const auto orca = make_cca("orca", with("neutral"));
  EventFeeder feed{*orca, Duration::millis(40)};
  CHECK(orca->pacing_rate() == Rate::zero());  // unknown RTT: as the window opens
  feed.round();
  CHECK(orca->pacing_rate().bps == doctest::Approx(static_cast<double>(feed.cwnd()) * 1500 * 8 / 0.040));
}

TEST_CASE("orca's window follows the actions: a quarter of it down to four packets, four times as much up") {
  // check 2
  Loop down{with(always("orca", "dt_s", -1))};
  int64_t before = down.feed.cwnd();
  REQUIRE(before > 4);
  while (before > 4) {
    down.feed.wait(down.cca->next_tick() - down.feed.now());
    down.feed.ack(1);
    const int64_t window = down.feed.cwnd();
    down.cca->on_tick(down.feed.now());
    CHECK(down.feed.cwnd() == std::max<int64_t>(window / 4, 4));
    before = down.feed.cwnd();
  }
  Loop up{with(always("orca", "dt_s", 1))};
  for (int i = 0; i < 40; ++i) {
    up.feed.wait(up.cca->next_tick() - up.feed.now());
    up.feed.set_window_limited(false);
    up.feed.ack(1);
    const int64_t window = up.feed.cwnd();
    up.cca->on_tick(up.feed.now());
    CHECK(up.feed.cwnd() == std::min<int64_t>(window * 4, 1 << 20));
  }
  // 4 to the power of 0.3 is 1.5157: in hundredths 1.51
  Loop some{with(always("orca", "dt_s", 0.3F))};
  CHECK(internal(*some.cca, kFactor) == doctest::Approx(1.51));
}

TEST_CASE("orca's slow start grows by a tenth per period on top, until it has ended once") {
  const auto orca = make_cca("orca", with("rule"));
  EventFeeder feed{*orca, Duration::millis(40)};
  feed.ack(1);  // begins the first period
  feed.wait(Duration::millis(20));
  const int64_t before = feed.cwnd();
  orca->on_tick(feed.now());
  CHECK(feed.cwnd() == before * 11 / 10);
  CHECK(std::isnan(internal(*orca, kReward)));
  // nothing acknowledged in the next period: another look 2 ms later
  feed.wait(Duration::millis(20));
  orca->on_tick(feed.now());
  CHECK(orca->next_tick() == feed.now() + Duration::millis(2));
  CHECK(feed.cwnd() == before * 11 / 10);
}

TEST_CASE("orca sees throughput, losses, pace and delay, and rewards a full queue of one RTT with 0.625") {
  Loop loop{with(always("orca", "dt_s", 0))};
  loop.period();
  CHECK(internal(*loop.cca, kThroughput) == doctest::Approx(1));
  CHECK(internal(*loop.cca, kBest) == doctest::Approx(12).epsilon(0.1));  // 20 packets in 20 ms
  CHECK(internal(*loop.cca, kLoss) == 0);
  CHECK(internal(*loop.cca, kDt) == doctest::Approx(0.020));
  CHECK(internal(*loop.cca, kLeastRtt) == 1);
  CHECK(internal(*loop.cca, kDelay) == 1);
  CHECK(internal(*loop.cca, kReward) == doctest::Approx(1));
  CHECK(internal(*loop.cca, kSamples) == doctest::Approx(20.0 / static_cast<double>(loop.feed.cwnd())).epsilon(0.05));
  const double pace = static_cast<double>(loop.feed.cwnd()) * 1500 * 8 / 0.040 / 1e6;
  CHECK(internal(*loop.cca, kPacing) == doctest::Approx(pace / internal(*loop.cca, kBest)).epsilon(0.05));

  // check 4: the same rate with RTT = 2 least RTTs
  for (int i = 0; i < 20; ++i) {
    loop.feed.wait(Duration::millis(1));
    AckEvent ack = loop.feed.next_ack(1);
    ack.srtt = Duration::millis(80);
    loop.cca->on_ack(ack);
  }
  loop.cca->on_tick(loop.feed.now());
  CHECK(internal(*loop.cca, kDelay) == doctest::Approx(0.625));
  CHECK(internal(*loop.cca, kReward) == doctest::Approx(0.625 * internal(*loop.cca, kThroughput)));

  // one packet in eleven lost: half of what arrived, at five times its weight
  loop.feed.lose(2, true);
  loop.period();
  CHECK(internal(*loop.cca, kLoss) == doctest::Approx(5 * 2.0 / 20).epsilon(0.1));
  CHECK(internal(*loop.cca, kReward) == doctest::Approx(internal(*loop.cca, kThroughput) - internal(*loop.cca, kLoss)));
}

TEST_CASE(
    "a network of orca's sees the latest steps, oldest first, zeros before, in the order that its file declares") {
  // 0.5 × dt two looks ago + 2 × the least RTT's share now - 2 = what is checked; the share is 1 throughout
  const auto network = weighted_sum("orca", {"least_rtt_share", "dt_s"}, {0, 0.5F, 0, 0, 2, 0}, -2);
  const auto orca = make_cca("orca", with(network));
  EventFeeder feed{*orca, Duration::millis(40)};
  feed.round();
  feed.lose_one();
  feed.round();
  feed.round();
  orca->on_tick(feed.now());  // the first look: all of it is checked from the second on
  std::vector<double> looks{internal(*orca, kDt)};
  for (const int ms : {20, 30, 40, 50}) {
    feed.ack(1);
    feed.wait(Duration::millis(ms));
    orca->on_tick(feed.now());
    looks.push_back(internal(*orca, kDt));
    const std::size_t n = looks.size();
    CHECK(internal(*orca, kAction) == doctest::Approx(n > 2 ? 0.5 * looks[n - 3] : 0).epsilon(1e-4));
  }
}

TEST_CASE("orca does not act while losses are repaired, unless told to") {
  for (const bool acts : {false, true}) {
    auto given = with(always("orca", "dt_s", -1));
    given["act_in_recovery"] = acts;
    Loop loop{given};
    loop.feed.set_window_limited(true);
    for (int i = 0; i < 12; ++i) loop.feed.round();
    REQUIRE(loop.feed.cwnd() > 4);
    loop.feed.lose(1, true);
    loop.feed.ack(1, Recovery::entered);
    const int64_t window = loop.feed.cwnd();
    REQUIRE(window > 4);
    loop.cca->on_tick(loop.feed.now());
    CHECK((loop.feed.cwnd() < window) == acts);
  }
}

TEST_CASE("orca's rule goes to the window at which delay still costs nothing") {
  const auto orca = make_cca("orca", with("rule"));
  EventFeeder feed{*orca, Duration::millis(40)};
  for (int i = 0; i < 4; ++i) feed.round();
  feed.lose_one();
  feed.round();
  feed.set_window_limited(false);
  orca->on_tick(feed.now());
  for (int look = 0; look < 60; ++look) {  // a packet per millisecond: 1.25 × 40 ms of them
    for (int i = 0; i < 20; ++i) {
      feed.wait(Duration::millis(1));
      feed.ack(1);
    }
    orca->on_tick(feed.now());
  }
  CHECK(feed.cwnd() >= 49);
  CHECK(feed.cwnd() <= 50);
}

TEST_CASE("orca's rule fills a deep queue no further than its free delay, where Cubic fills all of it") {
  // T1 with 4 BDP: 1.25 least RTTs are 50 ms
  const auto over = [](const std::string& cca, const Params::Given& given) {
    return run_over_link({.cca = cca, .params = given, .rtt_ms = 40, .queue_packets = 160});
  };
  const LinkRun orca = over("orca", with("rule"));
  const LinkRun cubic = over("cubic", {});
  CHECK(orca.utilisation(10) > 0.99);
  CHECK(orca.summary.senders[0].rtt.mean_ms == doctest::Approx(54).epsilon(0.05));
  CHECK(cubic.utilisation(10) > 0.99);
  CHECK(cubic.summary.senders[0].rtt.mean_ms > 160);
}
