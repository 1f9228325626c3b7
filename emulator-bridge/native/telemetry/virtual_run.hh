#pragma once
// What a run in virtual time says beside its samples and events: the same from a program and from a page.

#include <nlohmann/json.hpp>

#include "drivers/plan.hh"
#include "metrics/summary.hh"
#include "telemetry/telemetry.hh"

namespace paceline {

// Says `hello`. Where nobody looks at samples, the run will stop for none; but how far it is, it will say once a second.
void greet(RunPlan& plan, bool with_samples, TelemetryWriter& writer);
[[nodiscard]] nlohmann::json summary_message(const RunSummary& summary);
[[nodiscard]] nlohmann::json end_message(const RunPlan& plan);

}  // namespace paceline
