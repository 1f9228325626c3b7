#pragma once
// A trace in memory and its delivery schedule, with Mahimahi's semantics (docs: an opportunity carries 1500 bytes; the
// period is the last stamp; stamps of 0 fire once at the start and then together with the end of each lap).

#include <cstdint>
#include <vector>

#include "core/units.hh"

namespace paceline {

class Trace {
 public:
  // counts[k] = opportunities stamped k milliseconds; the last index is the period. Throws std::invalid_argument when the
  // period is zero or nothing is ever delivered.
  explicit Trace(std::vector<uint32_t> counts);

  [[nodiscard]] int64_t period_ms() const { return static_cast<int64_t>(counts_.size()) - 1; }
  [[nodiscard]] uint64_t opportunities_per_lap() const { return per_lap_; }
  [[nodiscard]] Rate mean_rate() const;

  // Opportunities at a millisecond counted from the first lap's start. Negative: the laps before, as if there were some.
  [[nodiscard]] uint32_t at(int64_t position_ms) const {
    if (position_ms == 0) return counts_.front();
    int64_t in_lap = position_ms % period_ms();
    if (in_lap < 0) in_lap += period_ms();
    return in_lap == 0 ? wrap_ : counts_[static_cast<std::size_t>(in_lap)];
  }

 private:
  std::vector<uint32_t> counts_;
  uint64_t per_lap_{};
  uint32_t wrap_{};  // stamps of the period and of 0, which coincide from the second lap on
};

// Walks the milliseconds that have opportunities, in run time: run millisecond k is trace position offset + k.
class DeliverySchedule {
 public:
  DeliverySchedule(const Trace& trace, int64_t offset_ms);
  // The trace's clock began at `origin`; what was due up to and including `now` is over.
  DeliverySchedule(const Trace& trace, int64_t offset_ms, Time origin, Time now);

  // Nothing happens until another schedule takes its place.
  void hold() { next_ = Time::never(); }

  [[nodiscard]] Time next() const { return next_; }
  [[nodiscard]] uint32_t count() const { return count_; }
  void advance() {
    do {
      next_ += Duration::millis(1);
      count_ = trace_->at(++position_);
    } while (count_ == 0);
  }

 private:
  const Trace* trace_;
  int64_t position_;
  Time next_{};
  uint32_t count_{};
};

// Mean capacity over the milliseconds in (measured - window, measured] of run time.
[[nodiscard]] Rate capacity_before(const Trace& trace, int64_t offset_ms, Time measured, Duration window);

}  // namespace paceline
