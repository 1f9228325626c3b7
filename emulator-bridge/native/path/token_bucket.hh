#pragma once
// A bucket that tokens drip into at a rate, up to a burst, and from which every packet takes as many as it has bytes (RFC 2697, with
// one bucket). It is full at first.

#include <algorithm>
#include <cmath>

#include "core/units.hh"

namespace paceline {

class TokenBucket {
 public:
  TokenBucket(Rate rate, Bytes burst)
      : ns_per_byte_{8e9 / rate.bps}, burst_{static_cast<double>(burst.v)}, tokens_{burst_} {}

  // Times must not fall.
  [[nodiscard]] bool holds(Bytes bytes, Time now) {
    fill(now);
    return tokens_ >= static_cast<double>(bytes.v);
  }
  // When it will hold so many, no more than the burst, if none are taken before.
  [[nodiscard]] Time holds_from(Bytes bytes, Time now) {
    if (holds(bytes, now)) return now;
    return now + Duration{static_cast<int64_t>(std::ceil((static_cast<double>(bytes.v) - tokens_) * ns_per_byte_))};
  }
  void take(Bytes bytes, Time now) {
    fill(now);
    // What rounding to whole nanoseconds lacks is no debt.
    tokens_ = std::max(tokens_ - static_cast<double>(bytes.v), 0.0);
  }
  [[nodiscard]] double tokens(Time now) const {
    return std::min(burst_, tokens_ + static_cast<double>((now - filled_).ns) / ns_per_byte_);
  }
  [[nodiscard]] bool ever_holds(Bytes bytes) const { return static_cast<double>(bytes.v) <= burst_; }

 private:
  void fill(Time now) {
    tokens_ = tokens(now);
    filled_ = now;
  }

  double ns_per_byte_;
  double burst_;
  double tokens_;
  Time filled_{};
};

// What policer and shaper have in common.
inline constexpr double kLeastBurstBytes = 1500;
inline constexpr double kMostBurstBytes = 1e9;

}  // namespace paceline
