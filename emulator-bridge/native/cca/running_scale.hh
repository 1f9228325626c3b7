#pragma once
// A value on the scale of what it has been so far: less its mean, by its deviation (Welford's recurrence), and less the least
// that this has been, so that it is never negative.

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace paceline {

class RunningScale {
 public:
  [[nodiscard]] double scaled(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(count_);
    squares_ += before * (value - mean_);
    const double deviation = std::sqrt(squares_ / static_cast<double>(count_));
    const double score = (value - mean_) / std::max(deviation, kLeastDeviation);
    least_ = std::min(least_, score);
    return score - least_;
  }

 private:
  static constexpr double kLeastDeviation = 1e-6;

  int64_t count_{};
  double mean_{};
  double squares_{};
  double least_{};
};

}  // namespace paceline
