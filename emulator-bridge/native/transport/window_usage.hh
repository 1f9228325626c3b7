#pragma once
// "Is the window the limit?" TCP: Linux' tcp_cwnd_validate() and tcp_is_cwnd_limited(). QUIC: RFC 9002 section 7.8
// with quic-go's slack.

#include <cstdint>

#include "cca/controller.hh"
#include "core/units.hh"

namespace paceline {

class WindowUsage {
 public:
  explicit WindowUsage(TransportProfile profile) : profile_{profile} {}

  // After a burst of sending: did the window stop it? Segments [una, next) are outstanding.
  void validate(bool limited, uint64_t una, uint64_t next) {
    const uint64_t outstanding = next - una;
    if (una >= usage_end_ || limited || (!limited_ && outstanding > most_outstanding_)) {
      limited_ = limited;
      most_outstanding_ = outstanding;
      usage_end_ = next;
    }
  }

  // The application had nothing to send although the window had room.
  void starved(Time now) { starved_ = now; }

  // At an acknowledgement. In slow start a window of which half is used still counts, so that it can double.
  [[nodiscard]] bool limited(bool slow_start, Bytes cwnd, Bytes mss, Bytes inflight_before, Duration srtt,
                             Time now) const {
    switch (profile_) {
      case TransportProfile::tcp:
        return limited_ || (slow_start && cwnd < mss * (2 * static_cast<int64_t>(most_outstanding_)));
      case TransportProfile::quic:
        // Pacing may keep the window from being full: what counts then is that there was always something to send.
        return inflight_before + mss * kSlack >= cwnd || (slow_start && inflight_before * 2 > cwnd) ||
               starved_.is_never() || now - starved_ >= srtt;
      case TransportProfile::quic_grow_underutilised:
        return true;
    }
    return true;
  }

 private:
  static constexpr int64_t kSlack = 3;  // packets

  TransportProfile profile_;
  Time starved_{Time::never()};
  bool limited_{};
  uint64_t most_outstanding_{};
  uint64_t usage_end_{};
};

}  // namespace paceline
