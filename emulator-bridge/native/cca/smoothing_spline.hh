#pragma once
// A smooth curve through many points: the natural cubic spline over even nodes, fitted by least squares with a penalty on its
// curvature, the integral of the squared second derivative (Eilers, Marx: "Flexible smoothing with B-splines and penalties",
// 1996). Beyond its ends the curve goes on straight. Room is taken once, at construction.
//
// It is kept by its B-splines, of which each point touches four; those beyond the two ends follow from their neighbours, as
// there the second derivative is zero. What a penalty weighs is said by the functions that are one at a node and zero at all
// others: by the largest of their sums of squares over the points, and of their curvatures (ALGLIB's penalised spline, whose
// weights Verus' program has).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace paceline {

class SmoothingSpline {
 public:
  static constexpr std::size_t kLeastNodes = 4;

  explicit SmoothingSpline(std::size_t most_nodes)
      : fit_(std::max(most_nodes, kLeastNodes)), bend_(fit_.size()), coefficients_(fit_.size() + 2) {}

  // Starts a fit with so many nodes over [from, to].
  void begin(std::size_t nodes, double from, double to) {
    nodes_ = std::clamp(nodes, kLeastNodes, fit_.size());
    from_ = from;
    step_ = std::max(to - from, 1e-9) / static_cast<double>(nodes_ - 1);
    std::fill_n(fit_.begin(), nodes_, Row{});
    std::fill_n(bend_.begin(), nodes_, Row{});
    std::fill_n(coefficients_.begin(), nodes_ + 2, 0.0);
  }

  void add(double x, double y) {
    const Place at = place(x);
    const Four b = folded(at.span, values(at.u));
    for (std::size_t i = 0; i < 4; ++i) {
      if (b.weights[i] == 0) continue;
      coefficients_[b.first + i + 1] += b.weights[i] * y;
      for (std::size_t j = i; j < 4; ++j) fit_[b.first + i][j - i] += b.weights[i] * b.weights[j];
    }
  }

  // `penalty`: how much curvature weighs against the distances from the points, for any number and scale of them.
  void finish(double penalty) {
    for (std::size_t span = 0; span + 1 < nodes_; ++span) add_curvature(span);
    const auto [points, curvature] = largest_of_nodes();
    const double weight = penalty * points / curvature;
    // Where there are no points the matrix is only just regular.
    const double ground = points * (1 + weight) * 1e-14;
    for (std::size_t i = 0; i < nodes_; ++i) {
      for (std::size_t j = 0; j < 4; ++j) fit_[i][j] += weight * bend_[i][j];
      fit_[i][0] += ground;
    }
    solve();
    double* a = coefficients_.data();
    a[0] = 2 * a[1] - a[2];
    a[nodes_ + 1] = 2 * a[nodes_] - a[nodes_ - 1];
  }

  [[nodiscard]] double operator()(double x) const {
    const double end = from_ + step_ * static_cast<double>(nodes_ - 1);
    if (x < from_) return value(from_) + (x - from_) * slope(from_);
    if (x > end) return value(end) + (x - end) * slope(end);
    return value(x);
  }
  [[nodiscard]] double end_slope() const { return slope(from_ + step_ * static_cast<double>(nodes_ - 1)); }

 private:
  using Row = std::array<double, 4>;  // the diagonal and three beside it
  struct Place {
    std::size_t span{};
    double u{};  // 0 to 1 within the span
  };
  // Weights of up to four neighbouring unknowns, from the first one on.
  struct Four {
    std::size_t first{};
    std::array<double, 4> weights{};
  };

  // A function that is one at a node has fallen to 10^-9 of it so many nodes away.
  static constexpr std::size_t kReach = 16;

  [[nodiscard]] Place place(double x) const {
    const double at = std::clamp((x - from_) / step_, 0.0, static_cast<double>(nodes_ - 1));
    const auto span = std::min(static_cast<std::size_t>(at), nodes_ - 2);
    return {span, at - static_cast<double>(span)};
  }
  static std::array<double, 4> values(double u) {
    const double v = 1 - u;
    return {v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (-3 * u * u * u + 3 * u * u + 3 * u + 1) / 6,
            u * u * u / 6};
  }

  // Of the four B-splines over a span, those beyond the ends laid upon their neighbours: a0 = 2 a1 - a2, and so at the other end.
  [[nodiscard]] Four folded(std::size_t span, std::array<double, 4> b) const {
    if (span + 2 == nodes_) {
      b[2] += 2 * b[3];
      b[1] -= b[3];
      b[3] = 0;
    }
    if (span > 0) return {.first = span - 1, .weights = b};
    return {.first = 0, .weights = {b[1] + 2 * b[0], b[2] - b[0], b[3], 0}};
  }

  void add_curvature(std::size_t span) {
    // Second derivatives over a span are straight lines a + c u.
    const Four a = folded(span, {1, -2, 1, 0});
    const Four c = folded(span, {-1, 3, -3, 1});
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i; j < 4; ++j) {
        const double product = a.weights[i] * a.weights[j] + c.weights[i] * c.weights[j] / 3 +
                               (a.weights[i] * c.weights[j] + c.weights[i] * a.weights[j]) / 2;
        if (product != 0) bend_[a.first + i][j - i] += product;
      }
  }

  struct Largest {
    double points{};
    double curvature{};
  };

  // Over the functions that are one at a node and zero at the others.
  [[nodiscard]] Largest largest_of_nodes() const {
    Largest largest;
    for (std::size_t node = 0; node < nodes_; ++node) {
      const std::size_t first = node > kReach ? node - kReach : 0;
      const std::size_t last = std::min(node + kReach, nodes_ - 1);
      std::array<double, 2 * kReach + 1> a{};
      at_node(node, first, last, a);
      largest.points = std::max(largest.points, product(fit_, first, last, a));
      largest.curvature = std::max(largest.curvature, product(bend_, first, last, a));
    }
    return largest;
  }

  // Its coefficients: (a[k-1] + 4 a[k] + a[k+1]) / 6 is one at the node and zero elsewhere; at the ends a[k] itself is.
  void at_node(std::size_t node, std::size_t first, std::size_t last, std::array<double, 2 * kReach + 1>& a) const {
    std::array<double, 2 * kReach + 1> upper{};
    for (std::size_t k = first; k <= last; ++k) {
      const std::size_t i = k - first;
      const bool end = k == 0 || k + 1 == nodes_;
      const double beside = end ? 0.0 : 1.0 / 6;
      const double pivot = (end ? 1.0 : 4.0 / 6) - (i > 0 ? beside * upper[i - 1] : 0);
      upper[i] = beside / pivot;
      a[i] = ((k == node ? 1.0 : 0.0) - (i > 0 ? beside * a[i - 1] : 0)) / pivot;
    }
    for (std::size_t i = last - first; i-- > 0;) a[i] -= upper[i] * a[i + 1];
  }

  static double product(const std::vector<Row>& matrix, std::size_t first, std::size_t last,
                        const std::array<double, 2 * kReach + 1>& a) {
    double sum = 0;
    for (std::size_t k = first; k <= last; ++k) {
      double row = matrix[k][0] * a[k - first];
      for (std::size_t j = 1; j < 4 && k + j <= last; ++j) row += 2 * matrix[k][j] * a[k + j - first];
      sum += row * a[k - first];
    }
    return sum;
  }

  [[nodiscard]] double value(double x) const {
    const Place at = place(x);
    return of_span(at.span, values(at.u));
  }
  [[nodiscard]] double slope(double x) const {
    const Place at = place(x);
    const double u = at.u;
    return of_span(at.span,
                   {-(1 - u) * (1 - u) / 2, (3 * u * u - 4 * u) / 2, (-3 * u * u + 2 * u + 1) / 2, u * u / 2}) /
           step_;
  }
  [[nodiscard]] double of_span(std::size_t span, const std::array<double, 4>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += b[i] * coefficients_[span + i];
    return sum;
  }

  // Cholesky in the band: matrix = L D L^T.
  void solve() {
    double* const a = coefficients_.data() + 1;
    for (std::size_t i = 0; i < nodes_; ++i) {
      const double pivot = fit_[i][0];
      for (std::size_t k = 1; k < 4 && i + k < nodes_; ++k) {
        const double factor = fit_[i][k] / pivot;
        for (std::size_t j = k; j < 4; ++j) fit_[i + k][j - k] -= factor * fit_[i][j];
        a[i + k] -= factor * a[i];
      }
    }
    for (std::size_t i = nodes_; i-- > 0;) {
      for (std::size_t k = 1; k < 4 && i + k < nodes_; ++k) a[i] -= fit_[i][k] * a[i + k];
      a[i] /= fit_[i][0];
    }
  }

  std::size_t nodes_{kLeastNodes};
  double from_{};
  double step_{1};
  std::vector<Row> fit_;   // sums over the points
  std::vector<Row> bend_;  // curvatures
  // Of the B-splines; the first and the last lie beyond the ends.
  std::vector<double> coefficients_;
};

}  // namespace paceline
