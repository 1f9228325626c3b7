// Functions of our own instead of the library's: correctly rounded.

#include "core/math.hh"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/number_text.hh"
#include "core/random.hh"

using namespace paceline;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How many representable numbers lie between them.
int64_t steps(double a, double b) {
  const auto place = [](double v) {
    const auto bits = std::bit_cast<int64_t>(v);
    return bits < 0 ? std::numeric_limits<int64_t>::min() - bits : bits;
  };
  return std::abs(place(a) - place(b));
}

}  // namespace

// Rounded from 200 bits (mpmath); where a library errs, it errs here.
TEST_CASE("functions are correctly rounded") {
  CHECK(exact::exp(1) == 0x1.5bf0a8b145769p+1);
  CHECK(exact::cbrt(0x1.8f03f99fad296p-27) == 0x1.28d159e024fa2p-9);
  CHECK(exact::cbrt(0x1.b5abcb58ae8e5p+9) == 0x1.321bdf5f7ded6p+3);
  CHECK(exact::cbrt(0x1.fb198efc8d8ecp-15) == 0x1.4181ecc4af274p-5);
  CHECK(exact::erfc(0x1.033e5596213e4p+2) == 0x1.5c1699d2c5adfp-27);
  CHECK(exact::erfc(0x1.ab59f394d3246p+1) == 0x1.3a0c8eb9beb9dp-19);
  CHECK(exact::erfc(0x1.f965bb09b77c2p+0) == 0x1.57599805ce294p-8);
  CHECK(exact::exp(-0x1.2e87f925a4448p+3) == 0x1.48b2b631150b6p-14);
  CHECK(exact::log(0x1.ce417c2024021p-1) == -0x1.a2a2f9c6823bfp-4);
  CHECK(exact::log(0x1.de6413d2d2e8p-1) == -0x1.161a8592419dp-4);
  CHECK(exact::log(0x1.f3583d7cc6adep-1) == -0x1.9a0f14e1b85c6p-6);
  CHECK(exact::log1p(-0x1.10cc95894ad53p-1) == -0x1.85a48e001e2dfp-1);
  CHECK(exact::log1p(-0x1.3fced6d1ef7bap-1) == -0x1.f5ac38c41aee3p-1);
  CHECK(exact::log1p(-0x1.be40a1b5bed7ep-2) == -0x1.2509120b7a8bbp-1);
}

TEST_CASE("functions are within a few steps of the library's, wherever") {
  Random random{11, 0, "math"};
  for (int i = 0; i < 20'000; ++i) {
    const double x = random.uniform(-30, 30);
    const double positive = std::exp(random.uniform(-30, 30));
    CAPTURE(x);
    CAPTURE(positive);
    CHECK(steps(exact::exp(x), std::exp(x)) <= 1);
    CHECK(steps(exact::exp2(x), std::exp2(x)) <= 1);
    CHECK(steps(exact::log(positive), std::log(positive)) <= 1);
    CHECK(steps(exact::log1p(positive - 0.5 * std::min(1.0, positive)),
                std::log1p(positive - 0.5 * std::min(1.0, positive))) <= 2);
    CHECK(steps(exact::cbrt(positive), std::cbrt(positive)) <= 4);
    CHECK(steps(exact::pow(positive, x / 10), std::pow(positive, x / 10)) <= 1);
    if (i % 20 == 0) CHECK(steps(exact::erfc(x / 5), std::erfc(x / 5)) <= 4);
  }
}

TEST_CASE("functions have their limits") {
  CHECK(exact::exp(-kInfinity) == 0);
  CHECK(exact::exp(1000) == kInfinity);
  CHECK(exact::exp2(1024) == kInfinity);
  CHECK(exact::exp2(-1074) == std::numeric_limits<double>::denorm_min());
  CHECK(exact::log(0) == -kInfinity);
  CHECK(std::isnan(exact::log(-1)));
  CHECK(exact::log1p(-1) == -kInfinity);
  CHECK(exact::log1p(1e-300) == 1e-300);
  CHECK(exact::pow(0, 0.9) == 0);
  CHECK(exact::pow(0, -1) == kInfinity);
  CHECK(exact::pow(3, 4) == 81);
  CHECK(exact::pow(2, -1074) == std::numeric_limits<double>::denorm_min());
  CHECK(exact::cbrt(-27) == -3);
  CHECK(exact::cbrt(0) == 0);
  CHECK(exact::erfc(-9) == 2);
  CHECK(exact::erfc(0) == 1);
  CHECK(exact::erfc(40) == 0);
}

TEST_CASE("numbers in messages are as short as people write them") {
  const std::vector<std::pair<double, std::string>> all{
      {0, "0"},          {0.1, "0.1"},       {12, "12"},          {100, "100"},
      {1e5, "1e+05"},    {1e9, "1e+09"},     {86400, "86400"},    {-0.25, "-0.25"},
      {1e-4, "1e-04"},   {1e-3, "0.001"},    {1234.5, "1234.5"},  {9007199254740991, "9007199254740991"},
      {1e300, "1e+300"}, {kInfinity, "inf"}, {-kInfinity, "-inf"}};
  for (const auto& [value, text] : all) CHECK(number_text(value) == text);
}
