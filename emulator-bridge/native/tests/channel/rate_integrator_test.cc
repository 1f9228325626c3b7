#include "channel/rate_integrator.hh"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>

#include "channel/piecewise.hh"
#include "core/random.hh"

using namespace paceline;

namespace {
uint64_t sum(const std::vector<uint32_t>& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }
}  // namespace

TEST_CASE("1 Mbps is one packet in 12 ms, not one in every 10") {
  RateIntegrator integrator;
  for (int i = 0; i < 6; ++i) integrator.add(1'000'000, Duration::millis(10));
  CHECK(sum(integrator.finish()) == 5);
}

TEST_CASE("The total is the floor of the integral, whatever the pieces") {
  Random random{3, 0, "pieces"};
  for (int trial = 0; trial < 100; ++trial) {
    RateIntegrator integrator;
    long double bits = 0;
    long double since = 0;
    for (int piece = 0; piece < 500; ++piece) {
      const uint64_t bps = random.below(2'000'000'000);
      const auto ns = static_cast<int64_t>(random.below(50'000'000));
      integrator.add(bps, {ns});
      bits += static_cast<long double>(bps) * static_cast<long double>(ns) * 1e-9L;
      since += static_cast<long double>(ns) * 1e-6L;
    }
    const int64_t rest = 1'000'000 - static_cast<int64_t>(std::fmod(since, 1.0L) * 1e6L);
    integrator.add(0, {rest});  // up to a whole millisecond, so that nothing is cut off
    const auto counts = integrator.finish();
    CHECK(std::abs(static_cast<double>(static_cast<long double>(sum(counts)) - std::floor(bits / 12'000))) <= 1);
  }
}

TEST_CASE("A last millisecond that is cut short is dropped") {
  RateIntegrator integrator;
  integrator.add(12'000'000, {2'900'000});
  CHECK(integrator.finish() == std::vector<uint32_t>{0, 1, 1});
}

TEST_CASE("Impossible rates and empty traces are refused") {
  RateIntegrator integrator;
  CHECK_THROWS_AS(integrator.add(2'000'000'000'000, Duration::millis(1)), std::invalid_argument);
  CHECK_THROWS_AS(integrator.add(1, Duration::millis(-1)), std::invalid_argument);
  CHECK_THROWS_AS((void)integrator.finish(), std::invalid_argument);
  integrator.add(0, Duration::millis(5));
  CHECK_THROWS_AS((void)integrator.finish(), std::invalid_argument);
}

TEST_CASE("A ramp carries the area under its line") {
  const auto counts = piecewise_trace(std::vector<RatePiece>{{0, 1'000'000, 3000}}, 1);
  CHECK(sum(counts) == doctest::Approx(125'000).epsilon(1e-5));  // 500 Mbps for 3 s
  CHECK(counts[1500] == doctest::Approx(500e6 / 12e6).epsilon(0.03));
  CHECK(counts[3000] >= 83);
}
