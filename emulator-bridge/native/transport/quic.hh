#pragma once
// What QUIC does differently from TCP (RFC 9002; docs/reference.md 1.9), as constants. The differences themselves are where TCP's rules
// are: quic_recovery.hh, quic_episodes.hh, window_usage.hh.

#include <cstdint>

#include "core/units.hh"

namespace paceline::quic {

inline constexpr uint64_t kPacketThreshold = 3;                     // section 6.1.1
inline constexpr Duration kGranularity = Duration::millis(1);       // section 6.1.2
inline constexpr Duration kMaxAckDelay = Duration::millis(25);      // RFC 9000 section 18.2
inline constexpr Duration kInitialTimeout = Duration::millis(999);  // section 6.2.2: 333 ms, and four times half of it
inline constexpr int64_t kPersistentCongestion = 3;                 // section 7.6.1
inline constexpr double kPacing = 1.25;                             // section 7.7
inline constexpr int kMaxTimeoutDoublings = 16;

// A packet is lost when a later one has arrived and it has been under way for so long (section 6.1.2).
[[nodiscard]] inline Duration time_threshold(Duration latest_rtt, Duration srtt) {
  return std::max(std::max(latest_rtt, srtt) * 9 / 8, kGranularity);
}

// How long to wait for an acknowledgement before a probe (section 6.2.1), without doublings.
[[nodiscard]] inline Duration probe_timeout(Duration srtt, Duration rttvar) {
  return srtt + std::max(rttvar * 4, kGranularity) + kMaxAckDelay;
}

}  // namespace paceline::quic
