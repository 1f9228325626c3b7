#include "core/math.hh"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace paceline::exact {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// A number as the sum of two doubles, the second below half a unit in the last place of the first (T. J. Dekker, 1971).
struct Pair {
  double high{};
  double low{};
};

// |a| >= |b|, or a is 0.
constexpr Pair quick_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

constexpr Pair sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// In halves of 26 bits: no fused multiplication, which not every machine has.
constexpr Pair product(double a, double b) {
  constexpr double kSplit = 134217729;  // 2^27 + 1
  const double ta = kSplit * a;
  const double tb = kSplit * b;
  const double ah = ta - (ta - a);
  const double bh = tb - (tb - b);
  const double al = a - ah;
  const double bl = b - bh;
  const double p = a * b;
  return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

constexpr Pair operator+(Pair a, Pair b) {
  const Pair s = sum(a.high, b.high);
  const Pair t = sum(a.low, b.low);
  const Pair u = quick_sum(s.high, s.low + t.high);
  return quick_sum(u.high, u.low + t.low);
}
constexpr Pair operator-(Pair a) { return {-a.high, -a.low}; }
constexpr Pair operator-(Pair a, Pair b) { return a + -b; }
constexpr Pair operator*(Pair a, Pair b) {
  const Pair p = product(a.high, b.high);
  return quick_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}
constexpr Pair operator*(Pair a, double b) { return a * Pair{b, 0}; }
// Of a power of two: exact.
constexpr Pair scaled(Pair a, double power) { return {a.high * power, a.low * power}; }
constexpr Pair operator/(Pair a, Pair b) {
  const double first = a.high / b.high;
  const Pair rest = a - b * first;
  const double second = rest.high / b.high;
  const double third = (rest - b * second).high / b.high;
  const Pair two = quick_sum(first, second);
  return two + Pair{third, 0};
}
constexpr double rounded(Pair a) { return a.high + a.low; }

constexpr Pair kOne{1, 0};
constexpr Pair kLn2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair kTwoOverRootPi{0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
constexpr Pair kOneOverRootPi{0x1.20dd750429b6dp-1, 0x1.1ae3a914fed80p-57};

// 1/n! and 1/(2n + 1).
constexpr auto kOverFactorial = [] {
  std::array<Pair, 11> all{kOne, kOne};
  for (std::size_t n = 2; n < all.size(); ++n) all[n] = all[n - 1] / Pair{static_cast<double>(n), 0};
  return all;
}();
constexpr auto kOverOdd = [] {
  std::array<Pair, 24> all{};
  for (std::size_t n = 0; n < all.size(); ++n) all[n] = kOne / Pair{static_cast<double>(2 * n + 1), 0};
  return all;
}();

// e^x - 1 for |x| of half a ln 2 at most: the series of a 256th of it, squared eight times.
Pair small_expm1(Pair x) {
  constexpr int kHalvings = 8;
  const Pair part = scaled(x, 1.0 / (1 << kHalvings));
  Pair series = kOverFactorial.back();
  for (std::size_t n = kOverFactorial.size() - 1; n >= 2; --n) series = kOverFactorial[n - 1] + series * part;
  Pair less_one = series * part;
  for (int i = 0; i < kHalvings; ++i) less_one = scaled(less_one, 2) + less_one * less_one;
  return less_one;
}

// The value is value * 2^power.
struct Scaled {
  Pair value{};
  int power{};
};

// |x| below a thousand or so.
Scaled scaled_exp(Pair x) {
  const double power = std::floor(x.high * 0x1.71547652b82fep+0 + 0.5);
  const Pair rest = x - kLn2 * power;
  return {kOne + small_expm1(rest), static_cast<int>(power)};
}

double of(Scaled x) { return std::ldexp(rounded(x.value), x.power); }

double exp_of(Pair x) {
  constexpr double kOverflows = 710;
  constexpr double kVanishes = -746;
  if (x.high > kOverflows) return kInfinity;
  if (x.high < kVanishes) return 0;
  return of(scaled_exp(x));
}

// 2 artanh((x - 1) / (x + 1)), and the power of two beside it. x > 0, finite and normal.
Pair log_of(Pair x) {
  constexpr double kRootTwo = 0x1.6a09e667f3bcdp+0;
  int power{};
  if (std::frexp(x.high, &power) * 2 < kRootTwo) --power;
  x = {std::ldexp(x.high, -power), std::ldexp(x.low, -power)};
  const Pair ratio = (x - kOne) / (x + kOne);
  const Pair square = ratio * ratio;
  Pair series = kOverOdd.back();
  for (std::size_t n = kOverOdd.size() - 1; n >= 1; --n) series = kOverOdd[n - 1] + series * square;
  return kLn2 * static_cast<double>(power) + scaled(ratio * series, 2);
}

// 2/sqrt(pi) x e^(-x²) (1 + 2x²/3 + (2x²)²/15 + …): no term is negative, so none cancels another.
Pair small_erf(double x) {
  const Pair square = product(x, x);
  Pair term = kOne;
  Pair series = kOne;
  for (int n = 1; term.high > series.high * 0x1p-107; ++n) {
    term = scaled(term * square, 2) / Pair{static_cast<double>(2 * n + 1), 0};
    series = series + term;
  }
  const Scaled bell = scaled_exp(-square);
  return kTwoOverRootPi * Pair{x, 0} * series * scaled(bell.value, std::ldexp(1.0, bell.power));
}

// e^(-x²) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) / …))).
Scaled large_erfc(double x) {
  const int kTerms = x < 3 ? 220 : x < 5 ? 120 : 60;
  const Pair at{x, 0};
  Pair below = at;
  for (int n = kTerms; n >= 1; --n) below = at + Pair{n / 2.0, 0} / below;
  Scaled bell = scaled_exp(-product(x, x));
  bell.value = bell.value * kOneOverRootPi / below;
  return bell;
}

}  // namespace

double exp(double x) { return std::isnan(x) ? x : exp_of({x, 0}); }

double exp2(double x) {
  if (std::isnan(x)) return x;
  constexpr double kOverflows = 1024;
  constexpr double kVanishes = -1076;
  if (x >= kOverflows) return kInfinity;
  if (x < kVanishes) return 0;
  const double power = std::floor(x + 0.5);
  return of({kOne + small_expm1(kLn2 * (x - power)), static_cast<int>(power)});
}

double log(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (x <= 0) return x == 0 ? -kInfinity : kNan;
  return rounded(log_of({x, 0}));
}

double log1p(double x) {
  if (std::isnan(x) || x == kInfinity || x == 0) return x;
  if (x <= -1) return x == -1 ? -kInfinity : kNan;
  constexpr double kNothing = 0x1p-60;  // x²/2 is beyond the last bit
  if (std::abs(x) < kNothing) return x;
  return rounded(log_of(sum(1, x)));
}

double pow(double base, double exponent) {
  if (exponent == 0 || base == 1) return 1;
  if (std::isnan(base) || std::isnan(exponent) || base < 0) return kNan;
  if (base == 0 || base == kInfinity) return (base == 0) == (exponent > 0) ? 0 : kInfinity;
  if (std::isinf(exponent)) return (base > 1) == (exponent > 0) ? kInfinity : 0;
  const Pair power = log_of({base, 0});
  constexpr double kBeyond = 1000;
  const double about = power.high * exponent;
  if (about > kBeyond) return kInfinity;
  if (about < -kBeyond) return 0;
  return exp_of(power * exponent);
}

// A step of Newton's from what doubles give.
double cbrt(double x) {
  if (std::isnan(x) || std::isinf(x) || x == 0) return x;
  int power{};
  double part = std::frexp(std::abs(x), &power);
  while (power % 3 != 0) {
    part *= 0.5;
    ++power;
  }
  double root = 0.75;  // part is from 1/8 to 1
  for (int i = 0; i < 8; ++i) root -= (root * root * root - part) / (3 * root * root);
  const Pair square = product(root, root);
  const Pair rest = Pair{part, 0} - square * root;
  const double result = rounded(Pair{root, 0} + rest / (square * 3.0));
  return std::copysign(std::ldexp(result, power / 3), x);
}

double erfc(double x) {
  if (std::isnan(x)) return x;
  constexpr double kVanishes = 27.3;
  constexpr double kLarge = 2;
  if (x > kVanishes) return 0;
  constexpr double kTwoFrom = -6;
  if (x < kTwoFrom) return 2;
  if (x >= kLarge) return of(large_erfc(x));
  if (x <= -kLarge) {
    const Scaled tail = large_erfc(-x);
    return rounded(Pair{2, 0} - scaled(tail.value, std::ldexp(1.0, tail.power)));
  }
  return rounded(kOne - small_erf(x));
}

}  // namespace paceline::exact
