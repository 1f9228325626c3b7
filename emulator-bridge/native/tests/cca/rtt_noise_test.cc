#include <doctest/doctest.h>

#include <cmath>

#include "cca/rtt_noise.hh"
#include "core/random.hh"

using namespace paceline;

namespace {

// An interval of 40 ms with a sample each millisecond; microseconds of RTT as a function of milliseconds.
template <class Rtt>
MonitorInterval interval(Rtt&& rtt) {
  MonitorInterval i;
  i.closed = Time::zero() + Duration::millis(40);
  for (int ms = 0; ms < 40; ++ms) i.rtt.add(ms * 1e-3, rtt(ms));
  return i;
}

}  // namespace

TEST_CASE("a line that fits counts as a growing queue, a slope within the noise does not") {
  RttNoise noise;
  const auto clean = noise.judge(interval([](int ms) { return 40'000.0 + 100 * ms; }), false);
  CHECK(clean.slope == doctest::Approx(0.1));  // 100 us per ms

  RttNoise other;
  Random random{1, 0, "jitter"};
  const auto noisy =
      other.judge(interval([&](int ms) { return 40'000.0 + 2 * ms + random.uniform(-4000, 4000); }), false);
  CHECK(noisy.slope == 0);
  CHECK(noisy.deviation == 0);
}

TEST_CASE("a falling RTT is never rewarded") {
  RttNoise noise;
  CHECK(noise.judge(interval([](int ms) { return 80'000.0 - 100 * ms; }), false).slope == 0);
}

TEST_CASE("while starting only slopes of more than a millisecond per interval count, and no deviation") {
  RttNoise noise;
  const auto small =
      noise.judge(interval([](int ms) { return 40'000.0 + 20 * ms; }), true);  // 0.8 ms over the interval
  CHECK(small.slope == 0);
  const auto large = noise.judge(interval([](int ms) { return 40'000.0 + 50 * ms; }), true);
  CHECK(large.slope == doctest::Approx(0.05));
  CHECK(large.deviation == 0);
}

TEST_CASE("a deviation far beyond the usual counts, whatever the slope") {
  RttNoise noise;
  const auto swings = [](double us) { return interval([us](int ms) { return 40'000.0 + (ms % 2 == 0 ? us : -us); }); };
  for (int i = 0; i < 60; ++i) CHECK(noise.judge(swings(300), false).deviation == 0);
  CHECK(noise.judge(swings(600), false).deviation == 0);  // unusual, but less than a millisecond
  CHECK(noise.judge(swings(9000), false).deviation == doctest::Approx(9000).epsilon(0.01));
  // when nearly all intervals deviate, that is what is usual
  int counted = 0;
  for (int i = 0; i < 60; ++i) counted += noise.judge(swings(9000), false).deviation > 0 ? 1 : 0;
  CHECK(counted > 20);
  CHECK(counted < 50);
}

TEST_CASE("a trend over the last intervals beyond the usual counts though each interval's line is lost in jitter") {
  RttNoise noise;
  double base = 40'000;
  const auto next = [&] {
    return noise.judge(interval([&](int ms) { return base + 30 * ms + (ms % 2 == 0 ? 4000 : -4000); }), false).slope;
  };
  for (int i = 0; i < 20; ++i) CHECK(next() == 0);
  int counted = 0;
  for (int i = 0; i < 5; ++i) {
    base += 8000;
    counted += next() > 0 ? 1 : 0;
  }
  CHECK(counted >= 3);  // the first step only says what a trend is
}

TEST_CASE(
    "RTTs of acknowledgements that come in a burst, its first one too, are not looked at until they fall back and rise "
    "again") {
  AckBursts bursts;
  Time now{};
  // what the one before it was worth
  const auto ack = [&](double gap_ms, double rtt_ms) {
    now += Duration::seconds(gap_ms * 1e-3);
    return bursts.previous_is_reliable(now, Duration::seconds(rtt_ms * 1e-3), Duration::millis(42));
  };
  CHECK_FALSE(ack(1, 40));
  CHECK_FALSE(ack(1, 40));  // nothing is known of the gap before the first
  for (int i = 0; i < 20; ++i) CHECK(ack(1, 40));
  CHECK_FALSE(ack(80, 120));    // held back for 80 ms
  CHECK_FALSE(ack(0.01, 119));  // and here it is seen: the one of 120 ms counts no more than those behind it
  CHECK_FALSE(ack(0.01, 118));
  CHECK_FALSE(ack(1, 40));
  CHECK_FALSE(ack(1, 41));  // above the one before, and that one was below the average
  CHECK(ack(1, 41));
}

TEST_CASE("from the first loss on no burst of acknowledgements stands out") {
  AckBursts bursts;
  Time now{};
  const auto ack = [&](double gap_ms, double rtt_ms) {
    now += Duration::seconds(gap_ms * 1e-3);
    return bursts.previous_is_reliable(now, Duration::seconds(rtt_ms * 1e-3), Duration::millis(42));
  };
  for (int i = 0; i < 20; ++i) ack(1, 40);
  bursts.note_loss();
  CHECK_FALSE(ack(1, 40));  // the one before was settled with the loss
  CHECK(ack(80, 120));
  CHECK(ack(0.01, 119));
  CHECK(ack(1, 40));
}
