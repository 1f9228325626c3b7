#pragma once
// How far Vivace moves (NSDI 2018 sections 5.2 and 5.3, with the authors' constants; docs/reference.md 5.3).

#include <algorithm>
#include <cmath>

namespace paceline {

// How large the next step is: the gradient, amplified while the direction lasts, bounded by a share of the rate.
class VivaceStep {
 public:
  VivaceStep(double theta, double bound, double bound_increment)
      : theta_{theta}, bound_{bound}, bound_increment_{bound_increment} {}

  // Signed, in Mbps, at this base rate and utility gradient.
  double next(double base, double gradient) {
    double change = theta_ * gradient;
    const bool turned = change * last_ < 0;
    const bool goes_on = change * last_ > 0;
    if (turned) {
      confidence_ = 0;
      bound_steps_ = 0;
      swings_ = std::min(swings_ + 1, kMostSwings);
    }
    change *= multiplier();
    if (turned) trend_ = 0;
    if (goes_on) {
      ++trend_;
      if (swings_ == 0) {
        confidence_ += confidence_ > 3 ? 0.5 : 1;
      } else {
        --swings_;
      }
    }
    const double bound = base * (bound_ + bound_increment_ * bound_steps_);
    if (std::abs(change) > bound) {
      change = std::copysign(bound, change);
      if (!turned) ++bound_steps_;
    } else if (bound_steps_ > 0) {
      --bound_steps_;
    }
    if (change != 0 && std::abs(change) < kLeast) change = std::copysign(kLeast, change);
    last_ = change;
    return change;
  }

  // The direction is not known any more; what comes next needs only one pair of probes.
  void forget_direction() {
    last_ = 0;
    trend_ = kSuspect;
  }
  void distrust() { trend_ = kSuspect; }
  [[nodiscard]] bool in_trend() const { return trend_ >= 1; }
  [[nodiscard]] double amplifier() const { return multiplier(); }

 private:
  static constexpr double kLeast = 0.5;  // Mbps
  static constexpr int kMostSwings = 2;
  static constexpr int kSuspect = 2;  // as good as two steps in one direction

  [[nodiscard]] double multiplier() const {
    const double a = confidence_;
    return a < 3 ? a + 1 : a < 6 ? 2 * a - 2 : a < 9 ? 4 * a - 14 : 8 * a - 50;
  }

  double theta_{};
  double bound_{};
  double bound_increment_{};
  double confidence_{};
  int bound_steps_{};
  int swings_{};
  int trend_{};
  double last_{};
};

}  // namespace paceline
