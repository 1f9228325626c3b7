#include "live/program.hh"

#include <poll.h>
#include <unistd.h>

#include <set>
#include <stdexcept>
#include <string>

#include "drivers/realtime/priority.hh"
#include "drivers/realtime_udp/session.hh"
#include "live/control.hh"
#include "live/options.hh"
#include "manifest/manifest.hh"
#include "plugin/load.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "telemetry/background_sink.hh"
#include "telemetry/telemetry.hh"

namespace paceline {

namespace {

using nlohmann::json;

constexpr std::string_view kUsage = R"(
  --manifest FILE     the run (RunManifest, JSON)
  --traces DIR        where <sha256>.trace files are
)";
constexpr std::string_view kFlow = R"(  --flow N            which flow of the manifest, from 0
)";
constexpr std::string_view kRest = R"(  --format FORMAT     frames (default) for programs, ndjson for people and jq
  --spin-us N         watch the clock for the last N (at most 60) microseconds before each deadline instead of sleeping
  --help, --version

It says `ready` with its UDP port, waits on standard input for one line of JSON {"type":"go","start_ns":N,"ports":{...}} (N of
CLOCK_MONOTONIC) and runs to the manifest's end. It stops at once when standard input ends.
)";
constexpr std::string_view kChanges = R"(
While it runs, a line of JSON on standard input changes the link, for example
  {"type":"set","direction":"forward","rate_mbps":20,"delay_ms":15,"loss":0.01,"limit_bytes":60000,"limit_packets":null}
and {"type":"set","direction":"forward","capacity":"trace"} goes back to the trace.
)";
constexpr std::string_view kExits = R"(
Exit codes: 0 done, 1 failed or stopped, 2 bad input, 127 unknown CCA or queue discipline.
)";

std::string_view name_of(Role role) {
  switch (role) {
    case Role::emulator:
      return "emulator";
    case Role::sender:
      return "sender";
    case Role::receiver:
      return "receiver";
  }
  return {};
}

std::vector<StreamDescription> streams_of(Role role, const RunPlan& plan, std::size_t flow) {
  if (role == Role::sender) return {describe_sender(plan, flow)};
  if (role == Role::receiver) return {describe_receiver(plan, flow)};
  return describe_path(plan);
}

std::optional<RunSummary> run_role(Role role, const Session& session, std::size_t flow) {
  switch (role) {
    case Role::emulator:
      return run_emulator(session);
    case Role::sender:
      return run_sender(session, flow);
    case Role::receiver:
      return run_receiver(session, flow);
  }
  return std::nullopt;
}

// The others may still be sending: a port that is closed under them would look like a loss.
void linger() {
  constexpr int kMilliseconds = 100;
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  ::poll(&input, 1, kMilliseconds);
}

void run(Role role, const Arguments& arguments, TelemetryWriter& writer) {
  const RunPlan plan =
      plan_of(read_json(arguments.needed("--manifest")), arguments.needed("--traces"), Engine::realtime_udp);
  std::size_t flow = 0;
  if (role != Role::emulator)
    flow = static_cast<std::size_t>(arguments.whole("--flow", 0, static_cast<int64_t>(plan.flows.size()) - 1));
  const Duration spin = spin_of(arguments);

  UdpSocket socket;
  writer.control({{"type", "ready"}, {"role", name_of(role)}, {"port", socket.port()}});
  raise_priority(role);  // the word must not find it waiting for a processor
  const std::optional<Go> go = read_go(STDIN_FILENO, plan.flows.size());
  if (!go) throw std::runtime_error("stopped before the start: standard input ended");
  auto streams = streams_of(role, plan, flow);
  const json greeting = hello(plan, "monotonic", streams);
  writer.start(greeting, std::move(streams), rows_per_block(plan));

  BackgroundSink sink{writer};
  std::optional<RunSummary> summary;
  if (role == Role::emulator) {
    StopSignal stop;
    const Control control{plan, stop};
    summary = run_role(role, {plan, socket, *go, stop.fd(), control.change_fd(), spin, sink}, flow);
  } else {
    summary = run_role(role, {plan, socket, *go, STDIN_FILENO, -1, spin, sink}, flow);
  }
  if (!summary) throw std::runtime_error("stopped: standard input ended");
  sink.finish();
  json message = to_json(*summary);
  message["type"] = "summary";
  writer.control(message);
  writer.control({{"type", "end"}, {"time_s", plan.duration.to_seconds()}});
  linger();
}

}  // namespace

int realtime_program(Role role, std::string_view what, int argc, char** argv) {
  end_with_parent();
  const std::string name = "paceline-" + std::string{name_of(role)};
  const bool of_flow = role != Role::emulator;
  std::string help =
      "Usage: " + name + " --manifest FILE --traces DIR" + (of_flow ? " --flow N" : "") + " [options]\n\n";
  help += what;
  help += "\n";
  help += kUsage;
  if (of_flow) help += kFlow;
  help += kRest;
  if (!of_flow) help += kChanges;
  help += kExits;
  return run_program({name, help}, argc, argv, [&] {
    std::set<std::string_view> options{"--manifest", "--traces", "--format", "--spin-us", kPluginOption};
    if (of_flow) options.insert("--flow");
    const Arguments arguments{argc, argv, options, {}};
    load_plugins(arguments);
    TelemetryWriter writer{format_of(arguments), stdout};
    try {
      run(role, arguments, writer);
    } catch (const std::exception& e) {
      if (writer.started()) writer.control({{"type", "error"}, {"message", e.what()}});
      throw;
    }
  });
}

}  // namespace paceline
