#pragma once
// The driver with a simulated clock: packets are in memory, a run is a pure function of its plan.

#include "drivers/plan.hh"
#include "drivers/sink.hh"

namespace paceline {

// Runs to the end and returns the exact figures. Throws std::invalid_argument when the plan cannot be run.
RunSummary simulate(const RunPlan& plan, RunSink& sink);

}  // namespace paceline
