#pragma once
// Rows of samples at fixed times of the run.

#include <algorithm>

#include "core/units.hh"
#include "drivers/plan.hh"

namespace paceline {

// When samples are due: every period, and at the end.
class SampleTimes {
 public:
  explicit SampleTimes(const RunPlan& plan)
      : period_{plan.sample_period},
        end_{Time::zero() + plan.duration},
        next_{std::min(Time::zero() + period_, end_)} {}

  [[nodiscard]] Time next() const { return next_; }
  // The time since the sample before.
  [[nodiscard]] Duration interval() const { return next_ - last_; }
  void advance() {
    last_ = next_;
    next_ = next_ == end_ ? Time::never() : std::min(next_ + period_, end_);
  }

 private:
  Duration period_;
  Time end_;
  Time next_;
  Time last_{};
};

}  // namespace paceline
