#pragma once
// Random weather that no paper plans for, and a calm after it: reproducible from a seed and a number.

#include <string>
#include <vector>

#include "drivers/plan.hh"
#include "tests/hostile/subjects.hh"

namespace paceline::testing {

// What the path does to packets for a while.
struct Weather {
  Time until{};
  Duration delay{};     // one way
  Duration spread{};    // each packet takes up to this much longer, so that later ones overtake it
  double loss{};        // of packets …
  double ack_loss{};    // … and of acknowledgements
  Duration ack_spread;  // as `spread`, for acknowledgements
};

struct Scenario {
  RunPlan plan{};                 // the first flow is the subject
  std::vector<Weather> pieces{};  // the last one is the calm
  Time calm{};                    // from here on the other flows are over, and the capacity is
  Rate calm_rate{};
  Bytes receive_window{};
  std::string text{};  // what it is, for a report
};

[[nodiscard]] Scenario hostile_scenario(const Subject& subject, uint64_t seed, uint64_t number);

}  // namespace paceline::testing
