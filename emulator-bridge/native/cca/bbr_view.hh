#pragma once
// What BBRv2 and BBRv3 show of their model of the path, whichever release is at work.

#include <cmath>

#include "cca/bbr_probing.hh"
#include "cca/internals.hh"
#include "core/units.hh"

namespace paceline {

struct BbrView {
  BbrState state{};
  Rate bw{};
  Rate max_bw{};
  Rate bw_short{HUGE_VAL};  // infinite, here and below: no such bound now
  Rate bw_hi{HUGE_VAL};
  Bytes inflight_short{Bytes::infinite()};
  Bytes inflight_long{Bytes::infinite()};
  float min_rtt_ms{NAN};
  double pacing_gain{};
  Bytes extra_acked{};
  bool pipe_full{};
  float round_loss{};
  float ecn_alpha{NAN};  // NaN: marks are not answered
};

[[nodiscard]] inline float mbps_if_bounded(Rate rate) { return if_known(!std::isinf(rate.bps), rate.to_mbps()); }
[[nodiscard]] inline float bytes_if_bounded(Bytes bytes) { return if_known(bytes != Bytes::infinite(), bytes.v); }

}  // namespace paceline
