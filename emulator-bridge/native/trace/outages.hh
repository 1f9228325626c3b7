#pragma once
// Times in which a trace delivers nothing, or next to nothing.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

// Shorter ones are the texture of a scheduler; senders of Internet paths notice from about here.
inline constexpr uint64_t kShortestOutageMs = 100;

struct Outage {
  uint64_t from_ms{};
  uint64_t length_ms{};  // may reach over the end into the next lap
};

struct Outages {
  double below_mbps{};        // 0: no opportunity at all
  std::vector<Outage> all{};  // in order of time
  double share{};             // of the lap
  uint64_t longest_ms{};
  uint64_t median_ms{};
  // How many last less than 200, 500, 1000, 2000, 5000, 10 000 ms, and longer.
  std::array<uint64_t, 7> lengths{};
};

inline constexpr std::array<uint64_t, 6> kOutageLengthsMs{200, 500, 1000, 2000, 5000, 10'000};

// From one opportunity to the next, where that is at least kShortestOutageMs.
[[nodiscard]] Outages silences(std::span<const uint32_t> counts);
// At least kShortestOutageMs of 10 ms bins each of which is below the rate; the last bin may be shorter.
[[nodiscard]] Outages outages_below(std::span<const uint32_t> counts, double mbps);

}  // namespace paceline
