#include "trace/autocorrelation.hh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

namespace paceline {

namespace {

struct Complex {
  double re{};
  double im{};
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
Complex conjugate(Complex a) { return {a.re, -a.im}; }

// Radix-2, in place; the length is a power of two.
class Fourier {
 public:
  explicit Fourier(std::size_t size) : turns_(size / 2), reversed_(size) {
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      const double angle = -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(size);
      turns_[i] = {std::cos(angle), std::sin(angle)};
    }
    for (std::size_t i = 1; i < size; ++i) reversed_[i] = (reversed_[i / 2] / 2) | ((i % 2 == 1) ? size / 2 : 0);
  }
  void transform(std::vector<Complex>& z) const {
    for (std::size_t i = 0; i < z.size(); ++i)
      if (i < reversed_[i]) std::swap(z[i], z[reversed_[i]]);
    for (std::size_t half = 1; half < z.size(); half *= 2) {
      const std::size_t stride = turns_.size() / half;
      for (std::size_t start = 0; start < z.size(); start += 2 * half)
        for (std::size_t i = 0; i < half; ++i) {
          const Complex odd = z[start + half + i] * turns_[i * stride];
          z[start + half + i] = z[start + i] - odd;
          z[start + i] = z[start + i] + odd;
        }
    }
  }

 private:
  std::vector<Complex> turns_;
  std::vector<std::size_t> reversed_;
};

}  // namespace

std::vector<double> autocorrelation(std::span<const double> values, std::size_t lags) {
  const std::size_t n = values.size();
  lags = std::min(lags, n / 2);
  if (n < 2) return {};
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  std::vector<double> v(n);
  std::transform(values.begin(), values.end(), v.begin(), [mean](double x) { return x - mean; });
  const double variance = std::inner_product(v.begin(), v.end(), v.begin(), 0.0) / static_cast<double>(n);
  if (variance <= 1e-18 * mean * mean) return {};  // what rounding leaves of a constant

  // Each block with itself and the block after it: two real series in one complex one.
  const std::size_t block = std::bit_ceil(lags + 1);
  const std::size_t size = 2 * block;
  const Fourier fourier{size};
  std::vector<Complex> z(size);
  std::vector<Complex> spectrum(size);
  for (std::size_t start = 0; start < n; start += block) {
    for (std::size_t i = 0; i < size; ++i) {
      const double here = start + i < n ? v[start + i] : 0.0;
      z[i] = {i < block ? here : 0.0, here};
    }
    fourier.transform(z);
    for (std::size_t k = 0; k < size; ++k) {
      const Complex mirrored = conjugate(z[(size - k) % size]);
      const Complex own = Complex{0.5, 0} * (z[k] + mirrored);
      const Complex both = Complex{0, -0.5} * (z[k] - mirrored);
      spectrum[k] = spectrum[k] + conjugate(own) * both;
    }
  }
  // The inverse is the transform of the conjugate; of a real result the conjugate is itself.
  std::transform(spectrum.begin(), spectrum.end(), spectrum.begin(), conjugate);
  fourier.transform(spectrum);
  std::vector<double> r(lags + 1);
  for (std::size_t lag = 0; lag <= lags; ++lag)
    r[lag] = spectrum[lag].re / static_cast<double>(size) / static_cast<double>(n - lag) / variance;
  return r;
}

std::optional<std::size_t> decorrelation_lag(std::span<const double> autocorrelation) {
  const double limit = std::exp(-1.0);
  for (std::size_t lag = 1; lag < autocorrelation.size(); ++lag)
    if (autocorrelation[lag] < limit) return lag;
  return std::nullopt;
}

}  // namespace paceline
