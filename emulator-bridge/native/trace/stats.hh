#pragma once
// What there is to say about a trace before running it. Rates count 1500 bytes per delivery opportunity.
//
// A trace repeats, and its last millisecond T is also millisecond 0 of the next lap; so bins are taken over the lap [0,
// T) with the opportunities of T counted at 0. A bin that the end cuts short is left out, unless it is the only one.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace paceline {

struct TraceStats {
  uint64_t period_ms{};
  uint64_t opportunities{};
  uint64_t first_ms{};
  uint64_t last_ms{};  // of the last opportunity
  double mean_mbps{};
  double peak_10ms_mbps{};
  double peak_1s_mbps{};
  double std_10ms_mbps{};
  double std_1s_mbps{};
  double p5_1s_mbps{};  // nearest rank
  double p95_1s_mbps{};
  uint64_t longest_gap_ms{};  // between two opportunities that follow each other, the wrap included
  uint64_t wrap_gap_ms{};
  uint64_t empty_seconds{};
  double share_below_5mbps_10ms{};
  double share_below_5mbps_1s{};
  uint32_t max_per_ms{};
  std::optional<double> acf_1e_s{};  // first lag of 100 ms bins with autocorrelation below 1/e; none if not found
  uint64_t resolution_ms{1};         // coarsest of 1, 10, 100, 1000 within which the trace is constant
};

// `counts` as in ParsedTrace: at least two entries and one opportunity.
[[nodiscard]] TraceStats trace_stats(std::span<const uint32_t> counts);

// Capacity over time with the extremes kept. Bins are 1, 2, 5 ms or multiples of 10 ms; `min` and `max` are of whole 10 ms pieces in
// the bin, of shorter bins its own rate.
struct TracePreview {
  uint64_t bin_ms{};
  std::vector<double> mean_mbps{};
  std::vector<double> min_mbps{};
  std::vector<double> max_mbps{};
};

// At most `bins` bins over [from_ms, to_ms), both cut to the trace.
[[nodiscard]] TracePreview trace_preview(std::span<const uint32_t> counts, uint64_t bins, uint64_t from_ms,
                                         uint64_t to_ms);

}  // namespace paceline
