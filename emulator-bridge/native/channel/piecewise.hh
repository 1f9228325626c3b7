#pragma once
// Capacity as a list of straight pieces: constants, steps, ramps, saw-teeth.

#include <cstdint>
#include <span>
#include <vector>

namespace paceline {

// From one rate to another, in a straight line.
struct RatePiece {
  uint64_t from_kbps{};
  uint64_t to_kbps{};
  uint32_t ms{};
};

// The pieces one after the other, the whole list `repeat` times. Throws std::invalid_argument (see RateIntegrator).
[[nodiscard]] std::vector<uint32_t> piecewise_trace(std::span<const RatePiece> pieces, uint32_t repeat);

}  // namespace paceline
