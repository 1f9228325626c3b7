// GCC: the parts one by one, then over a link (WebRTC goog_cc; docs/reference.md 9.3).
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cca/gcc.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;
using gcc::Usage;

namespace {

constexpr std::size_t kState = 0;  // positions of the internals
constexpr std::size_t kDetector = 1;
constexpr std::size_t kTarget = 2;
constexpr std::size_t kThreshold = 7;
constexpr std::size_t kLoss = 8;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 9> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

// Groups sent every 20 ms whose delay grows by so much each time.
class Path {
 public:
  void groups(int count, double growth_ms) {
    for (int i = 0; i < count; ++i) {
      sent_ += 20;
      delay_ += growth_ms;
      line.add({20, 20 + growth_ms}, sent_ + delay_);
    }
  }
  gcc::Trendline line{};

 private:
  double sent_{};
  double delay_{50};
};

// Packets at a steady rate over a path whose delay stays or grows.
class Feeder {
 public:
  explicit Feeder(Controller& cca) : cca_{cca} {}

  // `growth`: milliseconds of delay per second; `lost_share` of the packets never arrive.
  void send(double seconds, double packets_per_s, double growth = 0, double lost_share = 0) {
    const auto count = static_cast<int>(seconds * packets_per_s);
    for (int i = 0; i < count; ++i) {
      now_ += Duration::seconds(1 / packets_per_s);
      delay_s_ += growth / 1000 / packets_per_s;
      cca_.on_sent({.now = now_, .number = number_, .size = kMtu});
      owed_ += lost_share;
      if (owed_ >= 1) {
        owed_ -= 1;
        cca_.on_loss({.now = now_, .bytes = kMtu, .packet_count = 1});
        continue;
      }
      const AckedPacket packet{
          .number = number_++, .size = kMtu, .sent = now_ - kRtt, .rtt = kRtt, .one_way = Duration::seconds(delay_s_)};
      cca_.on_ack({.now = now_,
                   .acked_bytes = kMtu,
                   .acked_packets = 1,
                   .packets = {&packet, 1},
                   .rtt = kRtt,
                   .srtt = kRtt,
                   .min_rtt = kRtt});
    }
  }
  [[nodiscard]] Time now() const { return now_; }
  void silence(double seconds) {
    for (const Time end = now_ + Duration::seconds(seconds); now_ < end;) {
      now_ = cca_.next_tick();
      cca_.on_sent({.now = now_, .number = number_++, .size = kMtu});
      cca_.on_tick(now_);
    }
  }

 private:
  static constexpr Duration kRtt = Duration::millis(40);
  Controller& cca_;
  Time now_{Time::zero() + kRtt};
  double delay_s_{0.02};
  double owed_{};
  uint64_t number_{};
};

std::unique_ptr<Controller> at_rate(double mbps) {
  return make_cca("gcc", {{"start_rate_mbps", mbps}, {"probing", false}});
}

}  // namespace

TEST_CASE("packets sent within 5 ms are one group, and so are those that a path lets go at once") {
  gcc::PacketGroups groups;
  for (const double sent : {0.0, 2.0, 5.0}) CHECK_FALSE(groups.add(sent, sent + 20));
  CHECK_FALSE(groups.add(10, 30));  // the first group is complete, but there is none before it
  const auto step = groups.add(20, 43);
  REQUIRE(step);
  CHECK(step->sent == doctest::Approx(5));  // from the last of one to the last of the next
  CHECK(step->arrived == doctest::Approx(5));

  gcc::PacketGroups held;
  held.add(0, 20);
  held.add(10, 100);
  CHECK(held.add(20, 101).has_value() == false);  // held up until 100 ms, then at once: a burst
  CHECK(held.add(30, 102).has_value() == false);
  const auto after = held.add(90, 130);
  REQUIRE(after);
  CHECK(after->sent == doctest::Approx(30));
  CHECK(after->arrived == doctest::Approx(82));
}

// trendline_estimator.cc: slope of 20 smoothed points times 4 times the number of groups, at most 60.
TEST_CASE("the trend is the slope of the delay, magnified") {
  Path path;
  path.groups(200, 0.2);
  // 0.2 ms more for every 20.2 ms, once the smoothing has caught up.
  CHECK(path.line.trend() == doctest::Approx(60 * 4 * 0.2 / 20.2).epsilon(0.02));
  CHECK(path.line.usage() == Usage::normal);
}

TEST_CASE("a delay that grows is overuse, one that falls underuse, a steady one neither") {
  Path path;
  path.groups(100, 0);
  CHECK(path.line.usage() == Usage::normal);
  CHECK(path.line.trend() == doctest::Approx(0));
  path.groups(30, 4);
  CHECK(path.line.usage() == Usage::overuse);
  path.groups(40, -2);
  CHECK(path.line.usage() == Usage::underuse);
  path.groups(60, 0);
  CHECK(path.line.usage() == Usage::normal);
}

TEST_CASE("the threshold falls to 6 ms on a quiet path, rises under a trend somewhat above it, and lets spikes pass") {
  Path path;
  path.groups(30, 0);
  CHECK(path.line.threshold() == doctest::Approx(6));  // from 12.5 at 0.039 per ms
  path.groups(60, 1.2);                                // a trend of 13.6 ms
  CHECK(path.line.threshold() == doctest::Approx(60 * 4 * 1.2 / 21.2).epsilon(0.02));
  path.groups(100, 0);
  REQUIRE(path.line.threshold() == doctest::Approx(6));
  const double before = path.line.threshold();
  path.groups(1, 4000);  // a trend of 35 ms
  CHECK(path.line.trend() > before + 15);
  CHECK(path.line.threshold() == before);
}

TEST_CASE("the arriving rate is found in half a second and followed within another") {
  gcc::AckedRate rate;
  double now = 0;
  const auto feed = [&](double ms, double packets_per_ms) {
    for (const double end = now + ms; now < end; now += 1 / packets_per_ms) rate.add(now, 12'000);
  };
  feed(400, 1);
  CHECK_FALSE(rate.bps());
  feed(400, 1);
  REQUIRE(rate.bps());
  CHECK(*rate.bps() == doctest::Approx(12e6).epsilon(0.03));
  feed(1500, 0.5);
  CHECK(*rate.bps() == doctest::Approx(6e6).epsilon(0.1));
}

// aimd_rate_control.cc: 8 % per second; near the capacity half a packet per response time (RTT + 100 ms).
TEST_CASE("the rate grows by 8 % a second, and by about a packet per response time near where it was overused") {
  gcc::DelayBased rate{1e6, 0.85, 1.08, 0};
  double now = 0;
  const auto updates = [&](Usage usage, double seconds, double received) {
    for (const double end = now + seconds * 1000; now < end;) rate.update(usage, received, 100, now += 50);
  };
  updates(Usage::normal, 5, 10e6);
  CHECK(rate.rate() == doctest::Approx(1e6 * std::pow(1.08, 5)).epsilon(0.03));
  CHECK(rate.direction() == gcc::Direction::increase);

  updates(Usage::overuse, 0.1, 1.2e6);  // not within a round trip of the last change
  CHECK(rate.direction() == gcc::Direction::decrease);
  CHECK(rate.rate() == doctest::Approx(0.85 * 1.2e6));
  updates(Usage::underuse, 0.2, 1.2e6);
  CHECK(rate.direction() == gcc::Direction::hold);
  CHECK(rate.rate() == doctest::Approx(0.85 * 1.2e6));

  // 1.02 Mbit/s are 34 kbit per frame at 30 per second: four packets of 8.5 kbit, one per 2 × 200 ms.
  const double before = rate.rate();
  updates(Usage::normal, 1.05, 1.02e6);
  CHECK(rate.rate() - before == doctest::Approx(8500 / 0.4).epsilon(0.05));
  updates(Usage::normal, 1, 1.5e6);  // far above what was known: forgotten
  CHECK(rate.rate() / before > 1.08);
}

TEST_CASE("the rate does not run away from what arrives") {
  gcc::DelayBased rate{1e6, 0.85, 1.08, 0};
  for (double now = 0; now < 60'000; now += 50) rate.update(Usage::normal, 1e6, 100, now);
  CHECK(rate.rate() == doctest::Approx(1.5e6 + 10'000));
}

// docs/reference.md 9.3 (2)
TEST_CASE("gcc backs off to 85 % of what arrives when the delay grows") {
  const auto cca = at_rate(12);
  Feeder feed{*cca};
  feed.send(3, 1000);
  CHECK(internal(*cca, kTarget) > 12);
  CHECK(internal(*cca, kThreshold) == doctest::Approx(6).epsilon(0.01));
  const double before = internal(*cca, kTarget);
  for (int i = 0; i < 400 && internal(*cca, kTarget) >= before; ++i) feed.send(0.01, 1000, 100);
  CHECK(internal(*cca, kDetector) == 1);
  CHECK(cca->phase() == "decrease");
  CHECK(internal(*cca, kTarget) == doctest::Approx(0.85 * 12 / 1.1).epsilon(0.1));  // the growing delay is a lower rate
}

TEST_CASE("gcc lets frames leave faster than its encoder makes them, and endless data at the target") {
  const auto cca = at_rate(4);
  Feeder feed{*cca};
  feed.send(1, 300);
  const auto pace = [&cca] { return cca->pacing_rate().bps / cca->media_rate().bps; };
  CHECK(cca->media_rate().bps > 4e6);
  CHECK(pace() == 1);
  const Time frame = feed.now();
  cca->on_sent({.now = frame, .size = kMtu, .app_limited = true});  // the last of a frame
  CHECK(pace() == 2.5);
  cca->on_sent({.now = frame + Duration::millis(999), .size = kMtu});
  CHECK(pace() == 2.5);
  cca->on_sent({.now = frame + Duration::millis(1000), .size = kMtu});
  CHECK(pace() == 1);
}

// docs/reference.md 9.3 (3): 0.925 once per 300 ms + RTT.
TEST_CASE("gcc's rate loses half the share of losses every 300 ms and a round trip, above 10 % of them") {
  const auto cca = at_rate(12);
  Feeder feed{*cca};
  feed.send(3, 1000);
  const double before = internal(*cca, kTarget);
  feed.send(3.4, 1000, 0, 0.15);
  CHECK(internal(*cca, kLoss) == doctest::Approx(15).epsilon(0.15));
  // Every 340 ms, as seen at feedbacks 50 ms apart: every 350 ms.
  CHECK(internal(*cca, kTarget) / before == doctest::Approx(std::pow(0.925, 3.4 / 0.35)).epsilon(0.1));

  const auto tolerant = at_rate(12);
  Feeder some{*tolerant};
  some.send(3, 1000);
  const double held = internal(*tolerant, kTarget);
  some.send(3, 1000, 0, 0.06);
  CHECK(internal(*tolerant, kTarget) == doctest::Approx(held).epsilon(0.03));
}

TEST_CASE("gcc takes a fifth off per second when nothing has come back for three") {
  const auto cca = at_rate(12);
  Feeder feed{*cca};
  feed.send(3, 1000);
  const double before = internal(*cca, kTarget);
  feed.silence(2.9);
  CHECK(internal(*cca, kTarget) == before);
  feed.silence(5);
  CHECK(internal(*cca, kTarget) / before == doctest::Approx(std::pow(0.8, 5)).epsilon(0.01));
}

// docs/reference.md 9.3 (1): 85 to 100 % with less than 30 ms of queue.
TEST_CASE("gcc settles just below T1's capacity with hardly any queue") {
  const LinkRun run = run_over_link({.cca = "gcc", .rtt_ms = 40, .queue_packets = 160, .duration_s = 60});
  CHECK(run.utilisation(10) > 0.85);
  CHECK(run.link().queueing_delay.mean_ms < 5);
  CHECK(run.link().queueing_delay.p99_ms < 30);
  CHECK(run.link().dropped_packets == 0);
}

TEST_CASE("gcc's probes find the rate of a link within a second, and the draft's start takes most of a minute") {
  const auto seconds_to_half = [](bool probing, double mbps) {
    const LinkRun run = run_over_link({.cca = "gcc",
                                       .params = {{"probing", probing}},
                                       .rate_mbps = mbps,
                                       .rtt_ms = 40,
                                       .queue_packets = mbps * 40 / 12 * 2,
                                       .duration_s = 70});
    for (const Sample& s : run.samples)
      if (static_cast<double>(s.internals[kTarget]) > mbps / 2) return s.time_s;
    return 1e9;
  };
  CHECK(seconds_to_half(true, 12) < 1);
  CHECK(seconds_to_half(true, 200) < 2);
  // ln(20) / ln(1.08)
  CHECK(seconds_to_half(false, 12) == doctest::Approx(39).epsilon(0.2));
}

TEST_CASE("gcc is below the new capacity a second after it halved, and hesitates to take the freed half") {
  const auto stairs = steps({{20, 1000}, {40, 500}, {80, 1000}});
  const LinkRun run =
      run_over_link({.cca = "gcc", .trace = stairs, .rtt_ms = 40, .queue_packets = 400, .duration_s = 70});
  const auto target = [](const Sample& s) { return s.internals[kTarget]; };
  CHECK(run.mean(target, 15, 20) > 9.5);
  CHECK(run.mean(target, 21, 22) < 6);
  CHECK(run.utilisation(25, 40) > 0.8);
  CHECK(run.mean(target, 48, 52) < 6.2);  // near the known capacity: half a packet per response time
  CHECK(run.mean(target, 62, 70) > 10);   // once that is known to be wrong: ln(2) / ln(1.08) = 9 s
}

TEST_CASE("gcc's state says what it does") {
  const LinkRun run = run_over_link({.cca = "gcc", .rtt_ms = 40, .queue_packets = 160, .duration_s = 20});
  std::array<bool, 4> seen{};
  for (const Sample& s : run.samples) seen[static_cast<std::size_t>(s.internals[kState])] = true;
  CHECK(std::ranges::all_of(seen, [](bool b) { return b; }));
}
