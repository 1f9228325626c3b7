#pragma once
// Logarithm, exponential and circle from nothing but IEEE additions, multiplications, divisions and square roots: the
// same bits on every machine, compiler and math library, which std::log and its kin do not promise. Relative error below
// 10^-14, far finer than any constant of a channel model.

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/random.hh"

namespace paceline {

struct Cis {
  double cos{1};
  double sin{};
};

[[nodiscard]] inline double exp2_of(double x) {
  constexpr double kLn2 = 0.693147180559945309417;
  if (!(x > -1000.0)) return 0;
  const double whole = std::floor((x < 1000.0 ? x : 1000.0) + 0.5);
  const double f = ((x < 1000.0 ? x : 1000.0) - whole) * kLn2;
  double term = 1.0;
  for (int n = 13; n >= 1; --n) term = 1.0 + term * f * (1.0 / n);
  const auto exponent = static_cast<uint64_t>(static_cast<int64_t>(whole) + 1023);
  return term * std::bit_cast<double>(exponent << 52U);
}

// x must be a positive normal number.
[[nodiscard]] inline double log2_of(double x) {
  constexpr double kSqrt2 = 1.41421356237309504880;
  constexpr double kTwoOverLn2 = 2.88539008177792681472;
  const auto bits = std::bit_cast<uint64_t>(x);
  auto exponent = static_cast<int64_t>(bits >> 52U) - 1023;
  double m = std::bit_cast<double>((bits & 0xfffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > kSqrt2) {
    m *= 0.5;
    ++exponent;
  }
  const double s = (m - 1.0) / (m + 1.0);
  const double s2 = s * s;
  double series = 0;
  for (int n = 21; n >= 1; n -= 2) series = series * s2 + 1.0 / n;
  return static_cast<double>(exponent) + kTwoOverLn2 * s * series;
}

[[nodiscard]] inline double log10_of(double x) { return log2_of(x) * 0.301029995663981195214; }
[[nodiscard]] inline double exp_of(double x) { return exp2_of(x * 1.44269504088896340736); }
[[nodiscard]] inline double ln_of(double x) { return log2_of(x) * 0.693147180559945309417; }
[[nodiscard]] inline double power_of(double base, double exponent) { return exp2_of(exponent * log2_of(base)); }
[[nodiscard]] inline double from_db(double db) { return exp2_of(db * 0.332192809488736234787); }
[[nodiscard]] inline double to_db(double ratio) { return log2_of(ratio) * 3.01029995663981195214; }

// The point on the unit circle after so many turns.
[[nodiscard]] inline Cis cis_of(double turns) {
  constexpr double kTwoPi = 6.28318530717958647693;
  const double quarters = std::floor(turns * 4.0 + 0.5);
  const double y = (turns - quarters * 0.25) * kTwoPi;  // within an eighth of a turn
  const double y2 = y * y;
  double cosine = 1;
  for (int n = 16; n >= 2; n -= 2) cosine = 1.0 - cosine * y2 * (1.0 / (n * (n - 1)));
  double sine = 1;
  for (int n = 17; n >= 3; n -= 2) sine = 1.0 - sine * y2 * (1.0 / (n * (n - 1)));
  sine *= y;
  switch (static_cast<int64_t>(quarters) & 3) {
    case 0:
      return {cosine, sine};
    case 1:
      return {-sine, cosine};
    case 2:
      return {-cosine, -sine};
    default:
      return {sine, -cosine};
  }
}

// Distribution function of the unit Gaussian (Abramowitz and Stegun 26.2.17, error below 7.5e-8).
[[nodiscard]] inline double normal_cdf(double x) {
  const double a = std::abs(x);
  const double t = 1.0 / (1.0 + 0.2316419 * a);
  const double poly = t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double tail = 0.398942280401432678 * exp_of(-0.5 * a * a) * poly;
  return x < 0 ? tail : 1.0 - tail;
}

// Random draws that are the same bits everywhere; each process of a scenario has a stream of its own.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t entity, std::string_view process) : random_{seed, entity, process} {}

  double uniform() { return random_.uniform(); }
  double uniform(double lo, double hi) { return random_.uniform(lo, hi); }
  bool chance(double p) { return random_.chance(p); }
  double exponential(double mean) { return -mean * ln_of(1.0 - random_.uniform()); }
  double normal() {  // Marsaglia's polar method
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u{}, v{}, s{};
    do {
      u = uniform(-1, 1);
      v = uniform(-1, 1);
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double k = std::sqrt(-2 * ln_of(s) / s);
    spare_ = v * k;
    has_spare_ = true;
    return u * k;
  }

 private:
  Random random_;
  double spare_{};
  bool has_spare_{};
};

}  // namespace paceline
