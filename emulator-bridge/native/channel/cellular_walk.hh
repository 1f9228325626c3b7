#pragma once
// A cellular-like capacity without a place or a radio: the texture of recorded LTE traces from five random processes.
//
//   rate(t)   = clamp(median * exp(slow_sigma * S(t) + fast_sigma * F(t)), min, max)
//               S, F: unit Gaussian AR(1), correlation times slow_tau (shadowing, load) and fast_tau (fading)
//   scheduler:  each 1 ms transmission interval serves this user with probability `share`, then at rate/share
//   outages:    begin as a Poisson process, last Gamma(2): handovers and gaps, capacity 0
//
// Same parameters and seed: same trace, bit for bit. Each process draws from a stream of its own, so that switching one
// off leaves the others as they were.

#include <cstdint>
#include <vector>

namespace paceline {

struct CellularWalk {
  uint64_t seed{};
  uint32_t duration_ms{60'000};
  double median_mbps{20};
  double min_mbps{1};
  double max_mbps{75};
  double slow_sigma{0.6};
  double slow_tau_ms{4000};
  double fast_sigma{0.25};
  double fast_tau_ms{20};
  double share{0.6};  // (0, 1]; 1: served in every millisecond
  double outages_per_s{0.1};
  double outage_mean_ms{60};
};

// Throws std::invalid_argument naming the parameter that is out of range.
[[nodiscard]] std::vector<uint32_t> cellular_walk_trace(const CellularWalk& walk);

}  // namespace paceline
