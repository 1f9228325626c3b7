#pragma once
// Rows of samples at fixed times of the run.

#include <algorithm>

#include "core/units.hh"
#include "drivers/plan.hh"
#include "drivers/sink.hh"

namespace paceline {

// When samples are due: every period, and at the end.
class SampleTimes {
 public:
  explicit SampleTimes(const RunPlan& plan)
      : period_{plan.sample_period},
        end_{Time::zero() + plan.duration},
        next_{std::min(Time::zero() + period_, end_)} {}

  [[nodiscard]] Time next() const { return next_; }

  // What is due by `now`: `rows(at, interval)` gives `sink` the rows of one moment, for the time since the one before.
  template <typename Rows>
  void take(Time now, RunSink& sink, Rows rows) {
    for (; next_ <= now; advance()) {
      rows(next_, next_ - last_);
      sink.samples_complete(next_);
    }
  }

 private:
  void advance() {
    last_ = next_;
    next_ = next_ == end_ ? Time::never() : std::min(next_ + period_, end_);
  }

  Duration period_;
  Time end_;
  Time next_;
  Time last_{};
};

}  // namespace paceline
