#pragma once
// Maximum over a sliding window in constant space (Kathleen Nichols' three-sample estimator, as in Linux
// lib/win_minmax.c): keeps the best, second and third best values of the window, so that a fresh estimate is at hand
// when the best one expires. BBR's published constants assume this estimator.

#include <cstdint>

namespace paceline {

// `Tick` is any monotone integer: round trips, nanoseconds.
template <class Value, class Tick = uint64_t>
class WindowedMax {
 public:
  explicit WindowedMax(Tick window) : window_{window} {}

  [[nodiscard]] Value get() const { return best_[0].value; }

  void reset(Tick now, Value value) { best_[0] = best_[1] = best_[2] = {now, value}; }

  void update(Tick now, Value value) {
    const Sample sample{now, value};
    if (value >= best_[0].value || now - best_[2].at > window_) {  // a new maximum, or nothing left in the window
      best_[0] = best_[1] = best_[2] = sample;
      return;
    }
    if (value >= best_[1].value) {
      best_[1] = best_[2] = sample;
    } else if (value >= best_[2].value) {
      best_[2] = sample;
    }
    age(sample);
  }

 private:
  struct Sample {
    Tick at{};
    Value value{};
  };

  void age(const Sample& sample) {
    const Tick elapsed = sample.at - best_[0].at;
    if (elapsed > window_) {  // the best expired: promote the others
      best_[0] = best_[1];
      best_[1] = best_[2];
      best_[2] = sample;
      if (sample.at - best_[0].at > window_) {
        best_[0] = best_[1];
        best_[1] = best_[2];
      }
    } else if (best_[1].at == best_[0].at && elapsed > window_ / 4) {
      // a quarter of the window has passed without a second choice: take one from the second quarter
      best_[1] = best_[2] = sample;
    } else if (best_[2].at == best_[1].at && elapsed > window_ / 2) {
      best_[2] = sample;  // and a third one from the last half
    }
  }

  Tick window_{};
  Sample best_[3]{};
};

}  // namespace paceline
