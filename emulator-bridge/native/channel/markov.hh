#pragma once
// Capacity that jumps between a few rates: a Markov chain in continuous time, with exponential stays.

#include <cstdint>
#include <vector>

namespace paceline {

struct MarkovState {
  double mbps{};
  double mean_ms{1000};        // of a stay
  std::vector<double> next{};  // weight of each state as the next one; a state's own is 0
};

struct Markov {
  uint64_t seed{1};
  uint32_t duration_ms{60'000};
  std::vector<MarkovState> states{};  // the first one is where it begins
};

[[nodiscard]] std::vector<uint32_t> markov_trace(const Markov& chain);

}  // namespace paceline
