#pragma once
// Least squares of a line through points, one at a time, in constant space.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace paceline {

// Sums are kept relative to the first point, so that large offsets cost no precision.
class LineFit {
 public:
  void add(double x, double y) {
    if (count_ == 0) {
      x0_ = x;
      y0_ = y;
    }
    ++count_;
    x -= x0_;
    y -= y0_;
    x_ += x;
    y_ += y;
    xx_ += x * x;
    xy_ += x * y;
    yy_ += y * y;
  }

  [[nodiscard]] uint32_t count() const { return count_; }
  [[nodiscard]] double mean() const { return count_ == 0 ? 0 : y0_ + y_ / n(); }  // of y
  // dy/dx; zero while the points do not span any x.
  [[nodiscard]] double slope() const {
    const double spread = xx_ - x_ * x_ / n();
    return count_ < 2 || spread <= 0 ? 0 : (xy_ - x_ * y_ / n()) / spread;
  }
  // Standard deviation of y (of the whole population).
  [[nodiscard]] double deviation() const {
    return count_ == 0 ? 0 : std::sqrt(std::max(0.0, yy_ / n() - y_ * y_ / (n() * n())));
  }
  // Root mean square distance of y from the line.
  [[nodiscard]] double residual() const {
    if (count_ == 0) return 0;
    const double total = yy_ - y_ * y_ / n();
    const double explained = slope() * (xy_ - x_ * y_ / n());
    return std::sqrt(std::max(0.0, (total - explained) / n()));
  }

 private:
  [[nodiscard]] double n() const { return static_cast<double>(count_); }

  uint32_t count_{};
  double x0_{};
  double y0_{};
  double x_{};
  double y_{};
  double xx_{};
  double xy_{};
  double yy_{};
};

}  // namespace paceline
