#include "telemetry/virtual_run.hh"

#include <algorithm>

namespace paceline {

using nlohmann::json;

void greet(RunPlan& plan, bool with_samples, TelemetryWriter& writer) {
  constexpr Duration kProgress = Duration::seconds(1);
  auto streams = describe_all(plan);
  const json greeting = hello(plan, "virtual", streams);
  if (with_samples) return writer.start(greeting, std::move(streams));
  plan.sample_period = std::max(plan.sample_period, kProgress);
  writer.leave_out_samples();
  writer.start(greeting, std::move(streams), 1);
}

json summary_message(const RunSummary& summary) {
  json message = to_json(summary);
  message["type"] = "summary";
  return message;
}

json end_message(const RunPlan& plan) { return {{"type", "end"}, {"time_s", plan.duration.to_seconds()}}; }

}  // namespace paceline
