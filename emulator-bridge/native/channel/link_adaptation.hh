#pragma once
// From signal to rate: a fraction of Shannon's bound, cut at what the highest modulation carries and at what the source of
// a recording sent. Retransmissions by HARQ are a part of `duty`; what HARQ could not repair is RlcHold's.

#include <algorithm>

#include "channel/portable_math.hh"

namespace paceline {

struct LinkAdaptation {
  double bandwidth_mhz{140};
  double efficiency{0.65};  // of Shannon's bound
  double cap_bps_per_hz{5.55};
  double layers{1};
  double duty{0.62};     // share of time in this direction, without overhead and retransmissions
  double cap_mbps{1e6};  // a recorder that sends no faster, a subscription

  [[nodiscard]] double mbps(double snr_db) const {
    constexpr double kLowestDb = -7;
    if (snr_db < kLowestDb) return 0;
    const double efficient = std::min(efficiency * log2_of(1 + from_db(snr_db)), cap_bps_per_hz);
    return std::min(bandwidth_mhz * efficient * layers * duty, cap_mbps);
  }
};

}  // namespace paceline
