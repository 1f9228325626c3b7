#pragma once
// The driver with a simulated clock: packets are in memory, a run is a pure function of its plan.

#include <cstdint>
#include <memory>

#include "drivers/packet_observer.hh"
#include "drivers/plan.hh"
#include "drivers/sink.hh"

namespace paceline {

// A run under way, for hosts that do something else in between or give it up.
class Simulation {
 public:
  virtual ~Simulation() = default;
  // Goes on for so many events at most; false when the run is over. The optimal, which has none, is over at once.
  virtual bool advance(uint64_t events) = 0;
  // When it is over.
  [[nodiscard]] virtual RunSummary summary() const = 0;
};

// `plan` and `sink` outlive it. Throws std::invalid_argument when the plan cannot be run.
[[nodiscard]] std::unique_ptr<Simulation> start_simulation(const RunPlan& plan, RunSink& sink,
                                                           PacketObserver* observer = nullptr);

// Runs to the end and returns the exact figures, the same whether or not somebody watches the packets. Throws std::invalid_argument
// when the plan cannot be run; the optimal has no packets to watch.
RunSummary simulate(const RunPlan& plan, RunSink& sink, PacketObserver* observer = nullptr);

}  // namespace paceline
