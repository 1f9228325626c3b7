#pragma once
// What LEDBAT remembers of the path's delay (RFC 6817 section 2.4.2): a least per minute for the base delay, and the last few
// samples, of which the least is taken for the current one. Only differences mean anything: the two clocks may disagree.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/units.hh"

namespace paceline {

class LedbatDelays {
 public:
  static constexpr std::size_t kMostMinutes = 60;
  static constexpr std::size_t kMostSamples = 100;

  LedbatDelays(int64_t minutes, int64_t samples)
      : minutes_{static_cast<std::size_t>(minutes)}, samples_{static_cast<std::size_t>(samples)} {}

  [[nodiscard]] bool known() const { return seen_minutes_ > 0; }
  [[nodiscard]] Duration base() const { return base_; }
  [[nodiscard]] Duration queueing() const { return current_ - base_; }

  void add(Time now, Duration delay) {
    if (seen_minutes_ == 0 || now - minute_start_ >= Duration::seconds(60)) {
      minute_ = (minute_ + 1) % minutes_;
      seen_minutes_ = std::min(seen_minutes_ + 1, minutes_);
      least_[minute_] = delay;
      minute_start_ = now;
      base_ = *std::min_element(least_.begin(), least_.begin() + static_cast<std::ptrdiff_t>(seen_minutes_));
    } else if (delay < least_[minute_]) {
      least_[minute_] = delay;
      base_ = std::min(base_, delay);
    }
    recent_[next_] = delay;
    next_ = next_ + 1 == samples_ ? 0 : next_ + 1;
    seen_samples_ = std::min(seen_samples_ + 1, samples_);
    current_ = *std::min_element(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(seen_samples_));
  }

 private:
  std::size_t minutes_{};
  std::size_t samples_{};
  std::array<Duration, kMostMinutes> least_{};
  std::size_t minute_{minutes_ - 1};  // the first one goes into slot 0
  std::size_t seen_minutes_{};
  Time minute_start_{};
  std::array<Duration, kMostSamples> recent_{};
  std::size_t next_{};
  std::size_t seen_samples_{};
  Duration base_{};
  Duration current_{};
};

}  // namespace paceline
