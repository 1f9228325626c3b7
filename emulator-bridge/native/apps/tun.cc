// paceline-tun: one run of the kernel's own TCP, or of other programs, over the modelled link.

#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "drivers/realtime/priority.hh"
#include "drivers/realtime_tun/bpf_cca.hh"
#include "drivers/realtime_tun/tun_run.hh"
#include "drivers/realtime_udp/session.hh"
#include "live/bpf_option.hh"
#include "live/control.hh"
#include "live/endpoints.hh"
#include "live/options.hh"
#include "manifest/manifest.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "telemetry/background_sink.hh"
#include "telemetry/cost.hh"
#include "telemetry/joined_sink.hh"
#include "telemetry/telemetry.hh"

namespace {

using namespace paceline;
using nlohmann::json;

constexpr std::string_view kHelp = R"(Usage: paceline-tun --manifest FILE --traces DIR [options]

One run in real time of the kernel's own TCP, or of other programs: both ends of every flow, each end in a network namespace of its
own, and the modelled link between them as an emulator on two TUN devices.

  --manifest FILE     the run (RunManifest, JSON)
  --traces DIR        where <sha256>.trace files are
  --endpoints FILE    other programs at the ends of flows (JSON, docs/external-programs.md)
  --format FORMAT     frames (default) for programs, ndjson for people and jq
  --spin-us N         watch the clock for the last N (at most 60) microseconds before each deadline instead of sleeping
  --coalesce N        write at most N segments that leave together at once, 1 to 64: fewer cost more, more make the receiver acknowledge
                      less often (default: 2 up to 1000 Mbps, above that one for each 500 Mbps)
  --memory-mb N       memory for packets under way (default 512)
  --bpf NAME=FILE     a compiled congestion control (BPF struct_ops): flows whose CCA is kernel-bpf-NAME have it, and it is gone when the
                      run is over; may be given more than once
  --cost              also say what the run cost (time, packets)
  --check             only try whether such runs are possible here, and say what is missing if not
  --check-bpf         only say what is in the way of --bpf here, if anything is
  --help, --version

While it runs, a line of JSON on standard input changes the link, for example
  {"type":"set","direction":"forward","rate_mbps":20,"delay_ms":15,"loss":0.01,"limit_bytes":60000,"limit_packets":null}
and {"type":"set","direction":"forward","capacity":"trace"} goes back to the trace. It stops at once when standard input ends.

It needs /dev/net/tun, and root or user namespaces.
Exit codes: 0 done, 1 failed or stopped, 2 bad input, 127 unknown CCA or queue discipline.
)";

TunOptions options_of(const Arguments& arguments) {
  constexpr int64_t kMostCoalesced = 64;
  constexpr int64_t kMostMemory = 1 << 16;
  TunOptions options{};
  options.spin = spin_of(arguments);
  if (arguments.value("--coalesce"))
    options.coalesce = static_cast<int>(arguments.whole("--coalesce", 1, kMostCoalesced));
  if (arguments.value("--memory-mb"))
    options.memory_bytes = static_cast<std::size_t>(arguments.whole("--memory-mb", 1, kMostMemory)) << 20;
  return options;
}

// Whoever sent them.
uint64_t packets_of(const RunSummary& summary) {
  for (const LinkSummary& link : summary.links)
    if (link.direction == Direction::forward) return link.arrived_packets;
  return 0;
}

// When the run begins; empty: at once. Programs that write their own telemetry agree on it, as over UDP.
std::optional<int64_t> agree_on_start(TunRun& run, const EndpointsFile& endpoints, TelemetryWriter& writer) {
  constexpr const char* kEnded = "stopped before the start: standard input ended";
  if (!run.prepare(STDIN_FILENO)) throw std::runtime_error(kEnded);
  if (!endpoints.any_telling()) return std::nullopt;
  writer.control({{"type", "ready"}, {"role", "emulator"}, {"port", 0}});
  raise_priority(Role::receiver);  // the word must not find it waiting for a processor
  run.await(STDIN_FILENO);
  const auto line = read_line(STDIN_FILENO);
  if (!line) throw std::runtime_error(kEnded);
  return parse_start(*line);
}

void run(const Arguments& arguments, TelemetryWriter& writer) {
  const auto file = arguments.value("--endpoints");
  EndpointsFile endpoints = file ? read_endpoints(*file) : EndpointsFile{};
  const RunPlan plan = plan_of(read_json(arguments.needed("--manifest")), arguments.needed("--traces"),
                               Engine::realtime_tun, endpoints.kinds);
  TunOptions options = options_of(arguments);
  options.foreign = std::move(endpoints.flows);
  const CostMeter cost;
  TunRun run{plan, options};  // while there is a single thread
  const auto start_ns = agree_on_start(run, endpoints, writer);
  auto streams = describe_all(plan);
  const json greeting = hello(plan, "monotonic", streams);
  writer.start(greeting, std::move(streams), rows_per_block(plan));

  JoinedSink joined{writer, 3};
  BackgroundSink links{joined.lane(0)};
  BackgroundSink senders{joined.lane(1)};
  BackgroundSink programs{joined.lane(2)};
  programs.samples_complete(Time::never());  // it has events only
  StopSignal stop;
  std::optional<RunSummary> summary;
  {
    const Control control{plan, stop};
    summary = run.run(stop, control.change_fd(), start_ns, {.links = links, .senders = senders, .programs = programs});
  }
  if (!summary) throw std::runtime_error("stopped: standard input ended");
  links.finish();
  senders.finish();
  programs.finish();
  json message = to_json(*summary);
  message["type"] = "summary";
  writer.control(message);
  if (arguments.has("--cost")) writer.control(cost.message(packets_of(*summary)));
  writer.control({{"type", "end"}, {"time_s", plan.duration.to_seconds()}});
}

}  // namespace

int main(int argc, char** argv) {
  end_with_parent();
  return run_program({"paceline-tun", kHelp}, argc, argv, [&] {
    const Arguments arguments{
        argc,
        argv,
        {"--manifest", "--traces", "--endpoints", "--format", "--spin-us", "--coalesce", "--memory-mb", kBpfOption},
        {"--cost", "--check", "--check-bpf"}};
    if (arguments.has("--check")) return try_out_tun();
    if (arguments.has("--check-bpf")) {
      if (const std::string obstacle = bpf_obstacle(); !obstacle.empty()) throw std::runtime_error{obstacle};
      return;
    }
    add_bpf_objects(bpf_option(arguments));
    TelemetryWriter writer{format_of(arguments), stdout};
    try {
      run(arguments, writer);
    } catch (const std::exception& e) {
      if (writer.started()) writer.control({{"type", "error"}, {"message", e.what()}});
      throw;
    }
  });
}
