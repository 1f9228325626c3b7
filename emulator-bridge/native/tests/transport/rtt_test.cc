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

// RFC 6298 section 2 by hand, G = 0: SRTT 300, RTTVAR 150; then 7/8 SRTT + 1/8 R, 3/4 RTTVAR + 1/4 |SRTT - R|.
TEST_CASE("srtt, rttvar and the timeout are those of RFC 6298, worked by hand") {
  RttEstimator e;
  e.sample(ms(300), false);
  CHECK(e.rto() == ms(300 + 4 * 150));
  e.sample(ms(500), false);  // SRTT 325, RTTVAR 162.5
  CHECK(e.srtt() == ms(325));
  CHECK(e.rttvar() == Duration::micros(162'500));
  CHECK(e.rto() == ms(325 + 650));
  e.sample(ms(500), false);  // SRTT 346.875, RTTVAR 165.625
  CHECK(e.srtt() == Duration::micros(346'875));
  CHECK(e.rttvar() == Duration::micros(165'625));
  CHECK(e.rto() == Duration::micros(346'875 + 4 * 165'625));
  e.back_off();  // section 5.5
  CHECK(e.rto() == Duration::micros(2 * (346'875 + 4 * 165'625)));
}

// Linux has a floor under 4 RTTVAR (200 ms) in place of RFC 6298's floor of a second under the sum (section 2.4).
TEST_CASE("however steady the path is, the timeout leaves 200 ms for what may come") {
  for (const int64_t rtt : {1, 10, 40, 400}) {
    CAPTURE(rtt);
    RttEstimator e;
    for (int i = 0; i < 60; ++i) e.sample(ms(rtt), true);
    CHECK(e.rto().to_millis() == doctest::Approx(static_cast<double>(rtt) + 200).epsilon(0.001));
  }
}
