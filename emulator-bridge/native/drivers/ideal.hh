#pragma once
// The optimal (Zeus section 3.2): not a sender, but what the trace itself allows. Every opportunity is
// used, every packet sees the base RTT, flows that run at the same time share equally.

#include "drivers/plan.hh"
#include "drivers/sink.hh"

namespace paceline {

RunSummary run_ideal(const RunPlan& plan, RunSink& sink);

}  // namespace paceline
