#pragma once
// Small accumulators that samplers empty once per interval.

#include <cstdint>

#include "core/units.hh"
#include "metrics/columns.gen.hh"

namespace paceline {

using telemetry::kUnknown;

// Mean and maximum of the delays of one interval.
class DelayInterval {
 public:
  void add(Duration delay) {
    sum_ns_ += delay.ns;
    ++count_;
    if (delay > max_) max_ = delay;
  }
  // A delay of zero.
  void add_none() { ++count_; }
  void merge(const DelayInterval& other) {
    sum_ns_ += other.sum_ns_;
    count_ += other.count_;
    max_ = max_ < other.max_ ? other.max_ : max_;
  }
  [[nodiscard]] float mean_ms() const {
    return count_ == 0 ? kUnknown
                       : static_cast<float>(static_cast<double>(sum_ns_) / static_cast<double>(count_) / 1e6);
  }
  [[nodiscard]] float max_ms() const { return count_ == 0 ? kUnknown : static_cast<float>(max_.to_millis()); }

 private:
  int64_t sum_ns_{};
  int64_t count_{};
  Duration max_{};
};

// Growth of a running total since the last time it was asked.
class Growth {
 public:
  int64_t of(int64_t total) {
    const int64_t grown = total - last_;
    last_ = total;
    return grown;
  }

 private:
  int64_t last_{};
};

[[nodiscard]] inline float mbps(int64_t bytes, Duration interval) {
  return static_cast<float>(Rate::of({bytes}, interval).to_mbps());
}

}  // namespace paceline
