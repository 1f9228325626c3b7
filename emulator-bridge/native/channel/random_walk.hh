#pragma once
// Capacity that moves a random amount up or down every so often, between two walls.

#include <cstdint>
#include <vector>

namespace paceline {

struct RandomWalk {
  uint64_t seed{1};
  uint32_t duration_ms{60'000};
  uint32_t every_ms{200};
  double start_mbps{20};
  double min_mbps{1};
  double max_mbps{50};
  double step_mbps{4};  // standard deviation of one move
};

[[nodiscard]] std::vector<uint32_t> random_walk_trace(const RandomWalk& walk);

}  // namespace paceline
