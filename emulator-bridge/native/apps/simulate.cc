// paceline-simulate: one run in virtual time.

#include "apps/common/cost.hh"
#include "apps/common/manifest.hh"
#include "apps/common/telemetry.hh"
#include "drivers/virtual.hh"
#include "program/arguments.hh"
#include "program/program.hh"

namespace {

using namespace paceline;
using nlohmann::json;

constexpr std::string_view kHelp =
    R"(Usage: paceline-simulate --manifest FILE --traces DIR [options]

Runs one manifest in virtual time and writes its telemetry to standard output. The same manifest gives the same bytes.

  --manifest FILE     the run (RunManifest, JSON); - for standard input
  --traces DIR        where <sha256>.trace files are
  --format FORMAT     frames (default) for programs, ndjson for people and jq
  --cost              also say what the run cost (time, packets): not the same from one execution to the next
  --help, --version

Exit codes: 0 done, 1 failed, 2 bad input, 127 unknown CCA or queue discipline.
)";

void run(const Arguments& arguments, TelemetryWriter& writer) {
  const RunPlan plan =
      plan_of(read_json(arguments.needed("--manifest")), arguments.needed("--traces"), Engine::virtual_time);
  const CostMeter cost;
  auto streams = describe_all(plan);
  const json greeting = hello(plan, "virtual", streams);
  writer.start(greeting, std::move(streams));
  const RunSummary summary = simulate(plan, writer);
  json message = to_json(summary);
  message["type"] = "summary";
  writer.control(message);
  if (arguments.has("--cost")) {
    uint64_t packets = 0;
    for (const SenderSummary& sender : summary.senders) packets += sender.sent_packets;
    writer.control(cost.message(packets));
  }
  writer.control({{"type", "end"}, {"time_s", plan.duration.to_seconds()}});
}

}  // namespace

int main(int argc, char** argv) {
  end_with_parent();
  return run_program({"paceline-simulate", kHelp}, argc, argv, [&] {
    const Arguments arguments{argc, argv, {"--manifest", "--traces", "--format"}, {"--cost"}};
    TelemetryWriter writer{format_of(arguments), stdout};
    try {
      run(arguments, writer);
    } catch (const std::exception& e) {
      if (writer.started()) writer.control({{"type", "error"}, {"message", e.what()}});
      throw;
    }
  });
}
