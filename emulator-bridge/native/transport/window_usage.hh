#pragma once
// "Is the window the limit?" (cca-reference 1.6). Linux' answer: tcp_cwnd_validate() and tcp_is_cwnd_limited().

#include <cstdint>

#include "core/units.hh"

namespace paceline {

class WindowUsage {
 public:
  // After a burst of sending: did the window stop it? Segments [una, next) are outstanding.
  void validate(bool limited, uint64_t una, uint64_t next) {
    const uint64_t outstanding = next - una;
    if (una >= usage_end_ || limited || (!limited_ && outstanding > most_outstanding_)) {
      limited_ = limited;
      most_outstanding_ = outstanding;
      usage_end_ = next;
    }
  }

  // In slow start a window of which half is used still counts, so that it can double.
  [[nodiscard]] bool limited(bool slow_start, Bytes cwnd, Bytes mss) const {
    return limited_ || (slow_start && cwnd < mss * (2 * static_cast<int64_t>(most_outstanding_)));
  }

 private:
  bool limited_{};
  uint64_t most_outstanding_{};
  uint64_t usage_end_{};
};

}  // namespace paceline
