#pragma once
// How much Linux' BBR sends at once: about a millisecond (TSO autosizing; tcp_bbr.c, bbr_tso_segs_goal).

#include <algorithm>

#include "core/units.hh"

namespace paceline {

[[nodiscard]] inline int64_t burst_segments(Rate pace, Bytes mss) {
  constexpr Rate kSmallRate = Rate::mbps(1.2);  // below it, bursts are single packets
  constexpr int64_t kLargest = 65535 - 320;     // 64 kB less the headers
  constexpr int64_t kMost = 127;
  const auto bytes = std::min(static_cast<int64_t>(pace.bps / 8 / 1024), kLargest);
  return std::min(std::max<int64_t>(bytes / mss.v, pace < kSmallRate ? 1 : 2), kMost);
}

}  // namespace paceline
