#pragma once
// The driver with a simulated clock: packets are in memory, a run is a pure function of its plan.

#include "drivers/packet_observer.hh"
#include "drivers/plan.hh"
#include "drivers/sink.hh"

namespace paceline {

// Runs to the end and returns the exact figures, the same whether or not somebody watches the packets. Throws std::invalid_argument
// when the plan cannot be run; the optimal has no packets to watch.
RunSummary simulate(const RunPlan& plan, RunSink& sink, PacketObserver* observer = nullptr);

}  // namespace paceline
