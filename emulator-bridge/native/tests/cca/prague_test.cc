// Prague: its reactions one by one (prague_cc.cpp, docs/reference.md 9.1), and over the queue that it is made for.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kState = 0;  // positions of the internals
constexpr std::size_t kMode = 1;
constexpr std::size_t kAlpha = 2;
constexpr std::size_t kShare = 3;
constexpr std::size_t kWindow = 4;
constexpr std::size_t kRoundsToGrowth = 6;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 7> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

// Acknowledges window after window, one packet at a time, evenly over the RTT.
class Feeder {
 public:
  Feeder(Controller& cca, double rtt_ms) : cca_{cca}, feed_{cca, Duration::seconds(rtt_ms / 1e3)}, rtt_ms_{rtt_ms} {}

  // `share` of the packets come back marked.
  void rounds(int count, double share = 0) {
    for (int i = 0; i < count; ++i) {
      const auto packets = std::max<int64_t>(1, std::llround(internal(cca_, kWindow)));
      for (int64_t p = 0; p < packets; ++p) {
        feed_.wait(Duration::seconds(rtt_ms_ / 1e3 / static_cast<double>(packets)));
        AckEvent ack = feed_.next_ack(1);
        owed_ += share;
        if (owed_ >= 1) {
          ack.ce_packets = 1;
          owed_ -= 1;
        }
        cca_.on_ack(ack);
      }
    }
  }
  void until_window(double packets) {
    rounds(3);  // until then it reports what it starts with
    while (internal(cca_, kWindow) < packets) rounds(1);
  }
  EventFeeder& events() { return feed_; }

 private:
  Controller& cca_;
  EventFeeder feed_;
  double rtt_ms_;
  double owed_{};
};

double mean_window(Controller& cca, Feeder& feed, int rounds, double share) {
  double sum = 0;
  for (int i = 0; i < rounds; ++i) {
    feed.rounds(1, share);
    sum += internal(cca, kWindow);
  }
  return sum / rounds;
}

Outcome over_dualpi2(std::vector<FlowPlan> flows, double seconds, double mbps = 48, double rtt_ms = 40) {
  return outcome_of(on_t1("dualpi2", {}, std::move(flows), seconds, mbps, rtt_ms));
}

}  // namespace

// docs/reference.md 9.1 (2): one packet per virtual round trip until rtts_to_growth is over, then rate × 1 ms.
TEST_CASE("prague adds a packet per round trip, and after seven quiet ones a millisecond's worth") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 50};
  feed.until_window(20);  // 4.8 Mbit/s: a millisecond is less than a packet
  double before = internal(*cca, kWindow);
  feed.rounds(10);
  CHECK(internal(*cca, kWindow) - before == doctest::Approx(10).epsilon(0.05));
  CHECK(internal(*cca, kRoundsToGrowth) == 0);

  feed.until_window(400);  // 96 Mbit/s: a millisecond is 8 packets
  before = internal(*cca, kWindow);
  feed.rounds(5);
  CHECK(internal(*cca, kWindow) / before == doctest::Approx(std::pow(1 + 1.0 / 50, 5)).epsilon(0.01));

  feed.rounds(1, 0.01);  // a mark: it waits 7 round trips and one more per 15.36 Mbit/s
  CHECK(internal(*cca, kRoundsToGrowth) == doctest::Approx(7 + 7).epsilon(0.1));
  before = internal(*cca, kWindow);
  feed.rounds(5);
  CHECK(internal(*cca, kWindow) - before == doctest::Approx(5).epsilon(0.1));
}

// Growth goes with the square of srtt / vrtt, so the rate of all flows below 25 ms grows alike.
TEST_CASE("prague's rate grows as if the round trip were 25 ms when it is shorter") {
  for (const double rtt_ms : {5.0, 12.5, 25.0}) {
    CAPTURE(rtt_ms);
    const auto cca = make_cca("prague", {{"growth_ms", 0.0}});
    Feeder feed{*cca, rtt_ms};
    feed.until_window(10);
    const double before = internal(*cca, kWindow) / rtt_ms;
    const double began = feed.events().seconds();
    feed.rounds(static_cast<int>(1000 / rtt_ms));
    const double per_s = (internal(*cca, kWindow) / rtt_ms - before) * 1000 / (feed.events().seconds() - began);
    CHECK(per_s == doctest::Approx(1 / 0.025 / 0.025).epsilon(0.05));  // packets per second, each second
  }
}

TEST_CASE("prague's alpha follows the share of marks by a sixteenth per round trip") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 40};
  feed.until_window(40);
  CHECK(internal(*cca, kAlpha) == 0);
  feed.rounds(20, 0.5);
  CHECK(internal(*cca, kShare) == doctest::Approx(0.5).epsilon(0.1));
  CHECK(internal(*cca, kAlpha) == doctest::Approx(0.5 * (1 - std::pow(15.0 / 16, 19))).epsilon(0.08));
}

TEST_CASE("prague gives up half of alpha at marks, once per round trip, and holds where growth and cut are equal") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 40};
  feed.until_window(60);
  // One packet per round trip, less W p / 2 at each cut: W = 2 / p (RFC 9332 appendix A) times the round trips between two cuts,
  // which are one and the wait for the next mark, half of 1 / p packets.
  const double share = 0.05;
  mean_window(*cca, feed, 300, share);
  const double window = mean_window(*cca, feed, 300, share);
  CHECK(window == doctest::Approx(2 / share * (1 + 0.5 / share / window)).epsilon(0.1));
  CHECK(cca->phase() == "after marks");

  const double before = internal(*cca, kWindow);
  const double alpha = internal(*cca, kAlpha);
  feed.rounds(3);
  REQUIRE(cca->phase() == "increase");
  AckEvent marked = feed.events().next_ack(1);
  marked.ce_packets = 1;
  const double grown = internal(*cca, kWindow);
  CHECK(grown > before);
  const double now_alpha = internal(*cca, kAlpha);
  CHECK(now_alpha < alpha);
  cca->on_ack(marked);
  CHECK(internal(*cca, kWindow) / grown == doctest::Approx(1 - now_alpha / 2).epsilon(0.01));
  const double after = internal(*cca, kWindow);
  marked.newest_number += 1;
  cca->on_ack(marked);
  CHECK(internal(*cca, kWindow) == doctest::Approx(after).epsilon(0.001));
}

TEST_CASE("prague halves at losses, once per round trip, and takes it back when they were not lost") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 40};
  feed.until_window(100);
  const double before = internal(*cca, kWindow);
  feed.events().lose(1, true);
  feed.events().lose(2, false);
  CHECK(internal(*cca, kWindow) / before == doctest::Approx(0.5).epsilon(0.001));
  CHECK(cca->phase() == "after loss");
  CHECK(internal(*cca, kRoundsToGrowth) == std::floor(100 / 0.04 / 2 * 0.025 * 0.025 / 0.04));
  feed.events().ack(1, Recovery::undone);
  CHECK(internal(*cca, kWindow) / before == doctest::Approx(1).epsilon(0.001));
  CHECK(cca->phase() == "increase");
}

TEST_CASE("prague starts anew from 100 kbit/s after a timeout") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 40};
  feed.until_window(50);
  feed.events().time_out();
  CHECK(cca->cwnd() == kMtu);
  CHECK(cca->pacing_rate().to_mbps() == doctest::Approx(0.1).epsilon(0.04));
  CHECK(internal(*cca, kState) == 0);
  feed.rounds(3);
  CHECK(internal(*cca, kState) == 1);
}

TEST_CASE("prague keeps the rate itself where a round trip is too short to divide by") {
  const auto cca = make_cca("prague");
  Feeder feed{*cca, 1};
  feed.rounds(50);
  CHECK(internal(*cca, kMode) == 1);
  feed.events().set_rtt(Duration::seconds(0.003));
  double rate = cca->pacing_rate().bps;
  for (int i = 0; i < 10; ++i) {
    feed.events().ack(1);
    CHECK(cca->pacing_rate().bps == doctest::Approx(rate).epsilon(0.1));  // also when it goes over to the window
    rate = cca->pacing_rate().bps;
  }
  CHECK(internal(*cca, kMode) == 0);
}

// docs/reference.md 9.1 (1): mean queueing < 2 ms, utilisation ≥ 95 %.
TEST_CASE("prague fills T1 below a marking threshold of a millisecond") {
  const Outcome o = over_dualpi2({flow(cca("prague"))}, 60, 12);
  CHECK(o.mean("sojourn_mean_ms", 10) < 2);
  CHECK(o.utilisation(10) > 0.95);
  CHECK(o.link().dropped_packets == 0);
}

// RFC 9332 section 2.1: about the same rate for both; RFC 9330 section 1: below about a millisecond for the one. The reference RTT of
// 25 ms stands for a path of 10 ms with Cubic's 15 ms of queue; on longer paths Cubic's round trip is the longer by that queue.
TEST_CASE("prague and Cubic share a coupled queue about equally, and prague's packets do not wait") {
  struct Path {
    double rtt_ms;
    double least;
    double most;
  };
  for (const Path path : {Path{10, 0.8, 1.25}, Path{20, 1, 2}, Path{40, 1, 2}}) {
    CAPTURE(path.rtt_ms);
    const Outcome o = over_dualpi2({flow(cca("prague")), flow(cca("cubic"))}, 120, 48, path.rtt_ms);
    CHECK(o.wait_ms(o.summary.receivers[0].owd.p99_ms) < 1);
    CHECK(o.wait_ms(o.summary.receivers[1].owd.p99_ms) > 10);
    CHECK(o.utilisation(10) > 0.96);
    const double ratio = o.throughput(0) / o.throughput(1);
    CHECK(ratio > path.least);
    CHECK(ratio < path.most);
  }
}

TEST_CASE("two prague flows share equally, also at 5 and 20 ms of round trip") {
  std::vector<FlowPlan> flows{flow(cca("prague")), flow(cca("prague"))};
  flows[1].extra_rtt = Duration::millis(15);
  const Outcome o = over_dualpi2(std::move(flows), 60, 48, 5);
  CHECK(o.throughput(0) / o.throughput(1) == doctest::Approx(1).epsilon(0.2));
}
