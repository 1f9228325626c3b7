#pragma once
// Who decides in the loop of a learned algorithm: a network that came with the run, or somebody outside who is asked each time.

#include <span>

#include "core/units.hh"

namespace paceline {

// What the flow did since the decision before, beside what the loop shows its agent.
struct AgentPeriod {
  Time now{};
  Duration lasted{};
  Bytes acked{};
  Bytes lost{};
  int64_t samples{};  // of the RTT
  double mean_rtt_s{};
  Duration srtt{};
  Duration least_rtt{};
  Bytes cwnd{};
  Bytes inflight{};
  double reward{};  // the loop's own, of what the decision before led to
};

class Agent {
 public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent() = default;

  // The action after one more look: `seen` has the loop's values, in the order of its inputs.
  [[nodiscard]] virtual double act(std::span<const float> seen, const AgentPeriod& period) = 0;
};

}  // namespace paceline
