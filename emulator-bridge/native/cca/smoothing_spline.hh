#pragma once
// A smooth curve through many points: cubic B-splines on even knots, fitted by least squares with a penalty on curvature
// (Eilers, Marx: "Flexible smoothing with B-splines and penalties", 1996, with the integral of the squared second derivative as
// the penalty). Beyond its ends the curve goes on straight. Room is taken once, at construction.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace paceline {

class SmoothingSpline {
 public:
  static constexpr std::size_t kLeastBasis = 4;

  explicit SmoothingSpline(std::size_t most_basis) : matrix_(most_basis), coefficients_(most_basis) {}

  // Starts a fit with `basis` functions over [from, to].
  void begin(std::size_t basis, double from, double to) {
    basis_ = std::clamp(basis, kLeastBasis, matrix_.size());
    from_ = from;
    step_ = std::max(to - from, 1e-9) / static_cast<double>(basis_ - 3);
    std::fill_n(matrix_.begin(), basis_, Row{});
    std::fill_n(coefficients_.begin(), basis_, 0.0);
    data_trace_ = 0;
  }

  void add(double x, double y) {
    const Place at = place(x);
    const std::array<double, 4> b = values(at.u);
    for (std::size_t i = 0; i < 4; ++i) {
      coefficients_[at.first + i] += b[i] * y;
      for (std::size_t j = i; j < 4; ++j) matrix_[at.first + i][j - i] += b[i] * b[j];
      data_trace_ += b[i] * b[i];
    }
  }

  // `penalty`: how the traces of the two parts compare, so that it means the same for any number and scale of points.
  void finish(double penalty) {
    const std::size_t spans = basis_ - 3;
    // second derivatives of the four functions over a span are straight lines a + c u
    constexpr std::array<double, 4> a{1, -2, 1, 0};
    constexpr std::array<double, 4> c{-1, 3, -3, 1};
    constexpr double kSpanTrace = 1.0 / 3 + 1 + 1 + 1.0 / 3;  // of their products' integrals
    const double weight = penalty * data_trace_ / (kSpanTrace * static_cast<double>(spans));
    for (std::size_t s = 0; s < spans; ++s)
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i; j < 4; ++j)
          matrix_[s + i][j - i] += weight * (a[i] * a[j] + (a[i] * c[j] + c[i] * a[j]) / 2 + c[i] * c[j] / 3);
    // where there are no points the matrix is only just regular
    for (std::size_t i = 0; i < basis_; ++i) matrix_[i][0] += 1e-9 * data_trace_;
    solve();
  }

  [[nodiscard]] double operator()(double x) const {
    const double end = from_ + step_ * static_cast<double>(basis_ - 3);
    if (x < from_) return value(from_) + (x - from_) * slope(from_);
    if (x > end) return value(end) + (x - end) * slope(end);
    return value(x);
  }
  [[nodiscard]] double end_slope() const { return slope(from_ + step_ * static_cast<double>(basis_ - 3)); }

 private:
  using Row = std::array<double, 4>;  // the diagonal and three beside it
  struct Place {
    std::size_t first{};  // of the four functions that are not zero there
    double u{};           // 0 to 1 within the span
  };

  [[nodiscard]] Place place(double x) const {
    const double at = std::clamp((x - from_) / step_, 0.0, static_cast<double>(basis_ - 3));
    const auto span = std::min(static_cast<std::size_t>(at), basis_ - 4);
    return {span, at - static_cast<double>(span)};
  }
  static std::array<double, 4> values(double u) {
    const double v = 1 - u;
    return {v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (-3 * u * u * u + 3 * u * u + 3 * u + 1) / 6,
            u * u * u / 6};
  }
  [[nodiscard]] double value(double x) const {
    const Place at = place(x);
    const std::array<double, 4> b = values(at.u);
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += b[i] * coefficients_[at.first + i];
    return sum;
  }
  [[nodiscard]] double slope(double x) const {
    const Place at = place(x);
    const double u = at.u;
    const std::array<double, 4> b{-(1 - u) * (1 - u) / 2, (3 * u * u - 4 * u) / 2, (-3 * u * u + 2 * u + 1) / 2,
                                  u * u / 2};
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += b[i] * coefficients_[at.first + i];
    return sum / step_;
  }

  // Cholesky in the band: matrix = L D L^T.
  void solve() {
    for (std::size_t i = 0; i < basis_; ++i) {
      const double pivot = matrix_[i][0];
      for (std::size_t k = 1; k < 4 && i + k < basis_; ++k) {
        const double factor = matrix_[i][k] / pivot;
        for (std::size_t j = k; j < 4; ++j) matrix_[i + k][j - k] -= factor * matrix_[i][j];
        coefficients_[i + k] -= factor * coefficients_[i];
      }
    }
    for (std::size_t i = basis_; i-- > 0;) {
      for (std::size_t k = 1; k < 4 && i + k < basis_; ++k) coefficients_[i] -= matrix_[i][k] * coefficients_[i + k];
      coefficients_[i] /= matrix_[i][0];
    }
  }

  std::size_t basis_{kLeastBasis};
  double from_{};
  double step_{1};
  double data_trace_{};
  std::vector<Row> matrix_;
  std::vector<double> coefficients_;
};

}  // namespace paceline
