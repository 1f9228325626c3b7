// The figures are of Linux 6.18, to which segments were sent at these times (docs/engine.md); its timers go by steps of 4 ms.

#include <doctest/doctest.h>

#include <vector>

#include "transport/receiver.hh"

using namespace paceline;

namespace {

constexpr Time at(double ms) { return Time::zero() + Duration::micros(static_cast<int64_t>(ms * 1000)); }

// Sends packets to a receiver and lets its timers run in between.
class Trial {
 public:
  explicit Trial(int64_t rtt_ms) : receiver_{{.linux_rtt = Duration::millis(rtt_ms)}, nullptr} {}

  void send(uint64_t sequence, double ms, EcnMark ecn = EcnMark::not_ect) {
    wait_until(ms);
    Packet p{};
    p.sequence = p.number = sequence;
    p.size = 1500;
    p.ecn = ecn;
    if (receiver_.on_packet(p, at(ms))) answer(ms);
  }

  // Of packets sent each `gap_ms`, how long each waited for its acknowledgement.
  std::vector<double> waits(uint64_t first, int count, double from_ms, double gap_ms) {
    for (int i = 0; i < count; ++i) send(first + static_cast<uint64_t>(i), from_ms + gap_ms * i);
    wait_until(from_ms + gap_ms * count + 1000);
    std::vector<double> all;
    for (int i = 0; i < count; ++i) {
      const uint64_t sequence = first + static_cast<uint64_t>(i);
      for (const Answer& a : answers_)
        if (a.cumulative > sequence) {
          all.push_back(a.ms - (from_ms + gap_ms * i));
          break;
        }
    }
    return all;
  }

  void wait_until(double ms) {
    while (receiver_.next_event() < at(ms)) {
      const Time now = receiver_.next_event();
      const double then = static_cast<double>(now.ns) / 1e6;
      if (receiver_.on_timer(now)) answer(then);
    }
  }

  [[nodiscard]] std::size_t answers() const { return answers_.size(); }
  [[nodiscard]] double last_answer() const { return answers_.back().ms; }

 private:
  struct Answer {
    uint64_t cumulative;
    double ms;
  };
  void answer(double ms) {
    Ack ack{};
    receiver_.write_ack(ack);
    answers_.push_back({ack.cumulative, ms});
  }

  Receiver receiver_;
  std::vector<Answer> answers_{};
};

// Past the acknowledgements of the start, with so few packets in a round trip that its window need not grow further; the last ones came
// close together.
constexpr int kStart = 32;
Trial started(int64_t rtt_ms) {
  Trial trial{rtt_ms};
  const double gap = static_cast<double>(rtt_ms) / 8;
  for (int i = 0; i < kStart; ++i) trial.send(static_cast<uint64_t>(i), i < 24 ? gap * i : gap * 24 + i);
  return trial;
}
// When that is over, and a pause before the next.
constexpr double after(int64_t rtt_ms) { return static_cast<double>(rtt_ms) * 3 + 150; }

}  // namespace

TEST_CASE("Linux acknowledges each of the first 22 packets, then every second") {
  Trial trial{20};
  for (int i = 0; i < 22; ++i) trial.send(static_cast<uint64_t>(i), 20.0 * i);
  CHECK(trial.answers() == 22);
  for (int i = 22; i < 30; ++i) trial.send(static_cast<uint64_t>(i), 20.0 * i);
  CHECK(trial.answers() == 26);
}

TEST_CASE("Linux lets a single packet wait for 40 ms, or longer over a long path") {
  for (const double gap : {45.0, 60.0, 100.0, 190.0})
    for (const double wait : started(20).waits(kStart, 10, after(20), gap))
      CHECK(wait == doctest::Approx(40).epsilon(0.01));
  // 200 ms, each 60 ms: 43, 62, then every second at once.
  const std::vector<double> waits = started(200).waits(kStart, 6, after(200), 60);
  REQUIRE(waits.size() == 6);
  CHECK(waits[0] == doctest::Approx(40).epsilon(0.01));
  CHECK(waits[1] == doctest::Approx(60).epsilon(0.05));
  CHECK(waits[2] == doctest::Approx(0));
  CHECK(waits[3] == doctest::Approx(60).epsilon(0.05));
  CHECK(waits[4] == doctest::Approx(0));
}

TEST_CASE("after a pause of more than a timeout Linux acknowledges each packet again, as after a late copy") {
  for (const double wait : started(20).waits(kStart, 10, 1100, 2)) CHECK(wait == doctest::Approx(0));
  Trial trial = started(20);
  trial.send(5, after(20));
  for (const double wait : trial.waits(kStart, 15, after(20) + 10, 2)) CHECK(wait == doctest::Approx(0));
}

TEST_CASE("of SACKs in a row Linux sends the first three, then one each millisecond or twentieth of the RTT") {
  Trial trial = started(20);
  const std::size_t before = trial.answers();
  for (int i = 0; i < 3; ++i) trial.send(static_cast<uint64_t>(kStart + 1 + i), after(20) + 0.01 * i);
  CHECK(trial.answers() == before + 3);
  for (int i = 3; i < 20; ++i) trial.send(static_cast<uint64_t>(kStart + 1 + i), after(20) + 0.01 * i);
  CHECK(trial.answers() == before + 3);
  trial.wait_until(after(20) + 10);
  CHECK(trial.answers() == before + 4);
  CHECK(trial.last_answer() == doctest::Approx(after(20) + 1.03));
  // What closes the hole is acknowledged at once.
  trial.send(kStart, after(20) + 20);
  CHECK(trial.last_answer() == doctest::Approx(after(20) + 20));
}

TEST_CASE("of SACKs that Linux holds back none is the 45th, and a mark is told at once") {
  Trial trial = started(20);
  const std::size_t before = trial.answers();
  for (int i = 0; i < 3 + 44; ++i) trial.send(static_cast<uint64_t>(kStart + 1 + i), after(20) + 0.001 * i);
  CHECK(trial.answers() == before + 3);
  trial.send(kStart + 48, after(20) + 0.1);
  CHECK(trial.answers() == before + 4);

  Trial marked = started(20);
  const std::size_t then = marked.answers();
  marked.send(kStart, after(20), EcnMark::ce);
  CHECK(marked.answers() == then + 1);
}

TEST_CASE("Linux acknowledges each packet while the window that it offers grows with what is used") {
  Trial trial{40};
  uint64_t next = 0;
  // Twice as much in each round trip, as slow start has it: each is answered.
  int round = 0;
  for (int size = 10; size <= 160; size *= 2, ++round)
    for (int i = 0; i < size; ++i) trial.send(next++, 40 * round + 0.1 * i);
  CHECK(trial.answers() > static_cast<std::size_t>(0.8 * static_cast<double>(next)));
  // Then as much in each: every second is.
  const double from = 40.0 * round;
  for (int i = 0; i < 160 * 10; ++i) trial.send(next++, from + 0.25 * i);
  const std::size_t before = trial.answers();
  for (int i = 0; i < 160; ++i) trial.send(next++, from + 0.25 * (1600 + i));
  CHECK(trial.answers() - before == 80);
}
