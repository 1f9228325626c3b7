#include <doctest/doctest.h>

#include <vector>

#include "cca/monitor_intervals.hh"

using namespace paceline;

namespace {

constexpr Duration kSpacing = Duration::millis(1);

// Sends and settles packets of 1500 B, one per millisecond.
class Feeder {
 public:
  MonitorIntervals intervals{};

  void begin(int packets, bool useful = true, bool app_limited = false) {
    for (int i = 0; i < packets; ++i) {
      const SentPacket packet{.now = now_, .number = number_++, .size = kMtu, .app_limited = app_limited};
      if (i == 0) intervals.begin({.rate = Rate::mbps(12), .useful = useful}, packet);
      intervals.on_sent(packet);
      now_ += kSpacing;
    }
  }
  void ack(uint64_t number, double rtt_ms = 40, bool reliable = true) {
    const Duration rtt = Duration::seconds(rtt_ms * 1e-3);
    const Time sent = Time::zero() + kSpacing * static_cast<int64_t>(number);
    const AckedPacket packet{.number = number, .size = kMtu, .sent = sent, .rtt = rtt};
    intervals.on_arrived(packet, rtt, reliable, Duration::millis(40));
  }
  void ack_all(uint64_t first, uint64_t end) {
    for (; first < end; ++first) ack(first);
  }
  void lose(uint64_t number) {
    const LostPacket packet{.number = number, .size = kMtu};
    intervals.on_loss({.packets = {&packet, 1}});
  }

 private:
  Time now_{};
  uint64_t number_{};
};

}  // namespace

TEST_CASE("an interval's result is complete when it has ended and each of its packets is acknowledged or lost") {
  Feeder f;
  f.begin(10);
  f.ack_all(0, 10);
  CHECK(f.intervals.finished() == nullptr);  // it may still send
  f.begin(20);
  const MonitorInterval* first = f.intervals.finished();
  REQUIRE(first != nullptr);
  CHECK(first->id == 0);
  CHECK(first->bytes_sent == kMtu * 10);
  CHECK(first->duration() == Duration::millis(10));
  CHECK(first->sent_rate().to_mbps() == doctest::Approx(12));
  CHECK(first->loss() == 0);
  CHECK(first->representative());
  f.intervals.pop();

  f.begin(1);
  f.ack_all(10, 25);
  for (const uint64_t number : {25U, 26U, 28U, 29U}) f.lose(number);
  CHECK(f.intervals.finished() == nullptr);  // 27 is under way
  f.ack(27);
  const MonitorInterval* second = f.intervals.finished();
  REQUIRE(second != nullptr);
  CHECK(second->loss() == doctest::Approx(4.0 / 20));
  CHECK(second->delivered_rate().to_mbps() == doctest::Approx(12 * 16.0 / 20));
}

TEST_CASE("results come in the order of sending, and intervals of no use are passed over") {
  Feeder f;
  f.begin(5);
  f.begin(5, false);
  f.begin(5);
  f.begin(5);
  CHECK(f.intervals.useful() == 3);
  f.ack_all(10, 15);
  CHECK(f.intervals.finished() == nullptr);  // the first one is still waited for
  f.ack_all(0, 5);
  REQUIRE(f.intervals.finished() != nullptr);
  CHECK(f.intervals.finished()->id == 0);
  f.intervals.pop();
  REQUIRE(f.intervals.finished() != nullptr);
  CHECK(f.intervals.finished()->id == 2);
  f.intervals.pop();
  CHECK(f.intervals.useful() == 1);
  CHECK(f.intervals.finished() == nullptr);
  f.ack_all(5, 10);  // of an interval that is gone: nothing happens
}

TEST_CASE("a packet given up wrongly counts as arrived once its acknowledgement comes, and once only") {
  Feeder f;
  f.begin(4);
  f.begin(1);
  f.lose(1);
  f.lose(1);
  f.ack(0);
  f.ack(1);
  f.ack(1);
  f.ack_all(2, 4);
  const MonitorInterval* interval = f.intervals.finished();
  REQUIRE(interval != nullptr);
  CHECK(interval->loss() == 0);
  CHECK(interval->bytes_acked == kMtu * 4);
}

TEST_CASE("a packet that nobody hears of again is written off two round trips later") {
  Feeder f;
  f.begin(10);
  f.begin(120);
  f.ack_all(0, 9);        // 9 was repeated under another number
  f.ack_all(10, 9 + 80);  // sent just under 80 ms later
  CHECK(f.intervals.finished() == nullptr);
  f.ack(9 + 80);
  const MonitorInterval* interval = f.intervals.finished();
  REQUIRE(interval != nullptr);
  CHECK(interval->bytes_sent == kMtu * 9);
  CHECK(interval->loss() == 0);
}

TEST_CASE("the RTT's slope, mean and deviation are those of the reliable samples") {
  Feeder f;
  f.begin(11);
  f.begin(1);
  for (uint64_t i = 0; i < 11; ++i) {
    if (i == 5) {
      f.ack(i, 500, false);
    } else {
      f.ack(i, 40 + 0.1 * static_cast<double>(i));  // 0.1 ms more each ms
    }
  }
  const MonitorInterval* interval = f.intervals.finished();
  REQUIRE(interval != nullptr);
  CHECK(interval->rtts == 11);
  CHECK(interval->rtt.count() == 10);
  CHECK(interval->rtt_slope() == doctest::Approx(0.1));
  CHECK(interval->rtt.mean() == doctest::Approx(40'500));                     // microseconds
  CHECK(interval->rtt.deviation() == doctest::Approx(331.66).epsilon(1e-4));  // sqrt(11) x 0.1 ms
  CHECK(interval->rtt.residual() == doctest::Approx(0).epsilon(1e-3));
}

TEST_CASE("an interval that the application, the window or a silence held back does not represent its rate") {
  Feeder f;
  f.begin(10, true, true);
  f.begin(2);
  f.ack_all(0, 10);
  CHECK_FALSE(f.intervals.finished()->representative());
  f.intervals.pop();
  // two packets, then nothing for half a second: 12 Mbps were asked for
  f.ack_all(10, 12);
  f.intervals.begin({.rate = Rate::mbps(12)}, {.now = Time{} + Duration::millis(512), .number = 12, .size = kMtu});
  REQUIRE(f.intervals.finished() != nullptr);
  CHECK_FALSE(f.intervals.finished()->representative());
}

TEST_CASE("abandoned intervals are not waited for") {
  Feeder f;
  f.begin(5);
  f.begin(5);
  f.intervals.abandon();
  CHECK(f.intervals.useful() == 0);
  f.begin(5);
  f.begin(1);
  f.ack_all(0, 15);
  REQUIRE(f.intervals.finished() != nullptr);
  CHECK(f.intervals.finished()->id == 2);
}

TEST_CASE("a line's slope, deviation and residual") {
  LineFit line;
  CHECK(line.slope() == 0);
  line.add(1e9, 5);
  CHECK(line.slope() == 0);
  line.add(1e9 + 1, 7);
  line.add(1e9 + 2, 6);
  line.add(1e9 + 3, 8);
  CHECK(line.slope() == doctest::Approx(0.8));
  CHECK(line.mean() == doctest::Approx(6.5));
  CHECK(line.deviation() == doctest::Approx(1.118034));
  CHECK(line.residual() == doctest::Approx(0.670820));
}
