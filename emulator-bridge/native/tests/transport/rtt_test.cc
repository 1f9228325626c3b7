// RFC 6298; RFC 9002 section 5; docs/reference.md 1.1.

#include <doctest/doctest.h>

#include "transport/rtt.hh"

using namespace paceline;

namespace {
constexpr Duration ms(int64_t v) { return Duration::millis(v); }
}  // namespace

TEST_CASE("at a constant RTT the deviation vanishes and the timeout is that RTT plus the floor") {
  RttEstimator e;
  for (int i = 0; i < 30; ++i) e.sample(ms(100), false);
  CHECK(e.rttvar().to_millis() < 0.02);
  for (int i = 0; i < 30; ++i) e.sample(ms(100), true);
  CHECK(e.srtt() == ms(100));
  CHECK(e.rto().to_millis() == doctest::Approx(300).epsilon(0.001));
}

TEST_CASE("the first sample is taken as it is, and the timeout starts at three RTTs") {
  RttEstimator e;
  CHECK(e.rto() == RttEstimator::kInitialRto);
  e.sample(ms(300), false);
  CHECK(e.srtt() == ms(300));
  CHECK(e.rttvar() == ms(150));
  CHECK(e.rto() == ms(900));
}

TEST_CASE("ten samples after a step from 100 to 200 ms srtt has come to 174 ms") {
  RttEstimator e;
  for (int i = 0; i < 50; ++i) e.sample(ms(100), false);
  for (int i = 0; i < 10; ++i) e.sample(ms(200), false);
  CHECK(e.srtt().to_millis() == doctest::Approx(173.7).epsilon(0.001));
}

TEST_CASE("three silent expiries multiply the timer by eight, a sample resets it") {
  RttEstimator e;
  for (int i = 0; i < 50; ++i) e.sample(ms(100), true);
  const Duration base = e.rto();
  for (int i = 0; i < 3; ++i) e.back_off();
  CHECK(e.rto() == base * 8);
  for (int i = 0; i < 40; ++i) e.back_off();
  CHECK(e.rto() == RttEstimator::kMaxRto);
  e.sample(ms(100), true);
  CHECK(e.rto() == base);
}

TEST_CASE("a falling RTT hardly raises the timeout") {
  RttEstimator rising, falling;
  for (int i = 0; i < 50; ++i) rising.sample(ms(500), true), falling.sample(ms(500), true);
  rising.sample(ms(900), false);
  falling.sample(ms(100), false);
  CHECK(rising.rttvar() > falling.rttvar() * 4);
}
