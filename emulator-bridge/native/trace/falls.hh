#pragma once
// How fast capacity falls. A fall: the mean over 100 ms comes down to a fifth of the highest it was in the three seconds before, or
// lower, where that level was at least half of the trace's mean. It begins at the last moment at four fifths of the level. The next
// is looked for once the mean has doubled from its low.

#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

struct Fall {
  uint64_t from_ms{};  // ends of the 100 ms
  uint64_t to_ms{};
  double from_mbps{};
  double to_mbps{};

  [[nodiscard]] double mbps_per_s() const {
    return (from_mbps - to_mbps) * 1000.0 / static_cast<double>(to_ms - from_ms);
  }
};

// Within one lap, in order of time.
[[nodiscard]] std::vector<Fall> trace_falls(std::span<const uint32_t> counts);

}  // namespace paceline
