#pragma once
// Senders and receivers over a path that loses, delays and reorders packets and acknowledgements; everything that must hold is
// looked at after every step.

#include <cstdint>
#include <string>

#include "tests/hostile/scenario.hh"

namespace paceline::testing {

struct HostileRun {
  std::string fault{};  // empty: nothing was wrong
  uint64_t sent_packets{};
  bool flooded{};  // ended early, because so many packets say no more
  // Of the subject in the calm.
  double longest_silence_s{};  // without a first arrival
  double calm_share{};         // of the capacity in its last 20 s
  uint64_t digest{};           // of all samples: the same for the same scenario
};

[[nodiscard]] HostileRun run_hostile(const Scenario& scenario);

}  // namespace paceline::testing
