#pragma once
// How a trace moves: what it remembers, when it fails, how it falls.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace/falls.hh"
#include "trace/outages.hh"

namespace paceline {

struct LagCorrelation {
  double lag_s{};
  double r{};
};

struct Memory {
  uint64_t bin_ms{};
  std::vector<LagCorrelation> acf{};   // lags 3 % apart where they lie closer; empty when the rate is constant
  std::optional<double> below_1e_s{};  // first lag of all at which r < 1/e
};

struct TraceDynamics {
  Memory fine{};    // bins of 10 ms, lags up to a minute: its 1/e is the coherence time
  Memory coarse{};  // bins of 100 ms, lags up to two minutes
  Outages silent{};
  Outages below_5mbps{};
  std::vector<Fall> falls{};
  double largest_fall_3s_mbps{};  // of the mean over 0.5 s
  // The count per millisecond in which most of the volume is delivered: with a large share, the cap of a link or of a recorder.
  uint32_t usual_per_ms{};
  double usual_share{};  // of the volume
};

[[nodiscard]] TraceDynamics trace_dynamics(std::span<const uint32_t> counts);

}  // namespace paceline
