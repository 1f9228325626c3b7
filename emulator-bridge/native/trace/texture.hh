#pragma once
// How a trace moves, in the terms in which channel models are held against recordings.

#include <cstdint>
#include <span>

namespace paceline {

struct TraceTexture {
  double min_10ms_mbps{};
  // First lag at which the autocorrelation of bins of 10 and 100 ms falls below 1/e; half the trace when it never does.
  double acf_1e_10ms_s{};
  double acf_1e_100ms_s{};
  double drop_3s_mbps{};  // largest_fall_3s_mbps
};

// The largest fall of the moving mean over 0.5 s within 3 s; of rates of 10 ms.
[[nodiscard]] double largest_fall_3s_mbps(std::span<const double> fine);

[[nodiscard]] TraceTexture trace_texture(std::span<const uint32_t> counts);

}  // namespace paceline
