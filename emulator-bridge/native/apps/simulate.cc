// paceline-simulate: one run in virtual time.

#include <sys/resource.h>

#include <chrono>

#include "apps/common/arguments.hh"
#include "apps/common/manifest.hh"
#include "apps/common/program.hh"
#include "apps/common/refusal.hh"
#include "apps/common/telemetry.hh"
#include "drivers/virtual.hh"

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

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::unique_ptr<TelemetryFormat> format_of(const std::string& name) {
  if (name == "frames") return frame_format();
  if (name == "ndjson") return ndjson_format();
  throw Refusal{"--format", "must be frames or ndjson"};
}

void run(const Arguments& arguments, TelemetryWriter& writer) {
  const RunPlan plan =
      plan_of(read_json(arguments.needed("--manifest")), arguments.needed("--traces"), Engine::virtual_time);
  const auto began = std::chrono::steady_clock::now();
  const double cpu_before = cpu_seconds();
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
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;
    writer.control(
        {{"type", "cost"}, {"wall_s", wall.count()}, {"cpu_s", cpu_seconds() - cpu_before}, {"packets", packets}});
  }
  writer.control({{"type", "end"}, {"time_s", plan.duration.to_seconds()}});
}

}  // namespace

int main(int argc, char** argv) {
  end_with_parent();
  return run_program({"paceline-simulate", kHelp}, argc, argv, [&] {
    const Arguments arguments{argc, argv, {"--manifest", "--traces", "--format"}, {"--cost"}};
    TelemetryWriter writer{format_of(arguments.value("--format").value_or("frames")), stdout};
    try {
      run(arguments, writer);
    } catch (const std::exception& e) {
      if (writer.started()) writer.control({{"type", "error"}, {"message", e.what()}});
      throw;
    }
  });
}
