#pragma once
// Common faults of traces, and what to mind: what it is, where, and what to do about it.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace/stats.hh"

namespace paceline {

struct FlagPlace {
  uint64_t from_ms{};
  uint64_t to_ms{};
};

struct TraceFlag {
  std::string id;
  std::string says;
  std::string advice;
  uint64_t places{};            // how often
  std::vector<FlagPlace> at{};  // the first of them; none: all of the trace, or of the file
};

inline constexpr std::size_t kMostFlagPlaces = 50;

enum class TraceOrigin : uint8_t {
  recorded,  // what faults of recorders and sources are looked for in
  made,      // by a model, which has its plateaus, steps and bursts on purpose
};

[[nodiscard]] std::vector<TraceFlag> trace_flags(std::span<const uint32_t> counts, const TraceStats& stats,
                                                 TraceOrigin origin);

// For how long the rate stays the same, for all but a quarter of the volume: the source's own step, also where its steps lie on no grid (intervals
// of 100.06 ms).
[[nodiscard]] uint64_t usual_run_ms(std::span<const uint32_t> counts);

// Bursts that bring at once what a silence just before them withheld: the peak is not the channel's. In bins of the trace's own
// resolution, 10 ms at least, more than half above what 98 % of them stay below.
[[nodiscard]] std::vector<FlagPlace> catch_up_bursts(std::span<const uint32_t> counts, uint64_t resolution_ms);

}  // namespace paceline
