// paceline-simulate: runs in virtual time, one or one after the other.

#include <algorithm>
#include <iostream>
#include <optional>

#include "drivers/virtual.hh"
#include "manifest/manifest.hh"
#include "manifest/trace_store.hh"
#include "plugin/load.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"
#include "telemetry/cost.hh"
#include "telemetry/telemetry.hh"
#include "telemetry/virtual_run.hh"

namespace {

using namespace paceline;
using nlohmann::json;

constexpr std::string_view kHelp =
    R"(Usage: paceline-simulate --manifest FILE --traces DIR [options]
       paceline-simulate --serve --traces DIR [options]

Runs one manifest in virtual time and writes its telemetry to standard output. The same manifest gives the same bytes.

  --manifest FILE     the run (RunManifest, JSON); - for standard input
  --serve             one run after the other: a manifest a line on standard input, until that ends; each gives the bytes that it
                      gives alone, and the first that fails ends the program
  --traces DIR        where <sha256>.trace files are
  --format FORMAT     frames (default) for programs, ndjson for people and jq
  --without-samples   say all but the samples, and how far it is once a second of the run
  --packets-from-us N, --packets-to-us N
                      also say what became of every packet and acknowledgement that was under way between these two (message
                      `packets`, before `end`)
  --most-packets N    at most so many of each, 100000 unless given: `complete_until_ns` says until when it was enough
  --queue-by-flow-ms N
                      also say how many bytes every flow had in the queue, as means over so many milliseconds (message `queue_by_flow`)
  --cca-plugin FILE   a shared library with algorithms, as often as there are some; also those of $PACELINE_CCA_PLUGINS, with
                      colons between them
  --cost              also say what the run cost (time, packets): not the same from one execution to the next
  --help, --version

Exit codes: 0 done, 1 failed, 2 bad input, 127 unknown CCA or queue discipline.
)";

constexpr int64_t kMostPackets = 100'000;
constexpr int64_t kAtMostPackets = 1'000'000;

struct Wanted {
  bool samples{};
  bool cost{};
  std::optional<PacketLog> packets{};
  std::optional<Duration> queue_period{};
};

Wanted wanted_by(const Arguments& arguments) {
  Wanted wanted{.samples = !arguments.has("--without-samples"), .cost = arguments.has("--cost")};
  if (arguments.value("--queue-by-flow-ms"))
    wanted.queue_period = Duration::millis(arguments.whole("--queue-by-flow-ms", 1, 3'600'000));
  if (!arguments.value("--packets-from-us") && !arguments.value("--packets-to-us")) return wanted;
  if (wanted.queue_period) throw Refusal{"--queue-by-flow-ms", "cannot be had together with packets"};
  constexpr int64_t kLatest = 86'400'000'000;
  const auto from = arguments.whole("--packets-from-us", 0, kLatest);
  const auto to = arguments.whole("--packets-to-us", from, kLatest);
  const auto most =
      arguments.value("--most-packets") ? arguments.whole("--most-packets", 1, kAtMostPackets) : kMostPackets;
  wanted.packets.emplace(Time::zero() + Duration::micros(from), Time::zero() + Duration::micros(to),
                         static_cast<std::size_t>(most));
  return wanted;
}

json sum_up(const json& manifest, TraceStore& traces, Wanted& wanted, TelemetryWriter& writer) {
  RunPlan plan = plan_of(manifest, traces, Engine::virtual_time);
  const CostMeter cost;
  greet(plan, wanted.samples, writer);
  std::optional<QueueByFlow> queue;
  if (wanted.queue_period) queue.emplace(plan.flows.size(), *wanted.queue_period);
  PacketObserver* const observer = queue            ? static_cast<PacketObserver*>(&*queue)
                                   : wanted.packets ? &*wanted.packets
                                                    : nullptr;
  const RunSummary summary = simulate(plan, writer, observer);
  writer.control(summary_message(summary));
  if (wanted.packets) {
    json packets = to_json(*wanted.packets);
    packets["type"] = "packets";
    writer.control(packets);
  }
  if (queue) {
    queue->finish(Time::zero() + plan.duration);
    json shares = to_json(*queue);
    shares["type"] = "queue_by_flow";
    writer.control(shares);
  }
  if (wanted.cost) {
    uint64_t packets = 0;
    for (const SenderSummary& sender : summary.senders) packets += sender.sent_packets;
    writer.control(cost.message(packets));
  }
  return end_message(plan);
}

void run(const json& manifest, TraceStore& traces, const Arguments& arguments) {
  TelemetryWriter writer{format_of(arguments), stdout};
  try {
    // Said when nothing of the run is left: whoever reads it may take this process for ready.
    Wanted wanted = wanted_by(arguments);
    writer.control(sum_up(manifest, traces, wanted, writer));
  } catch (const std::exception& e) {
    if (writer.started()) writer.control({{"type", "error"}, {"message", e.what()}});
    throw;
  }
}

void serve(const Arguments& arguments) {
  if (arguments.value("--manifest")) throw Refusal{"--manifest", "is read from standard input with --serve"};
  TraceStore traces{arguments.needed("--traces")};
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) run(json_of(line, "standard input"), traces, arguments);
}

}  // namespace

int main(int argc, char** argv) {
  end_with_parent();
  return run_program({"paceline-simulate", kHelp}, argc, argv, [&] {
    const Arguments arguments{argc,
                              argv,
                              {"--manifest", "--traces", "--format", "--packets-from-us", "--packets-to-us",
                               "--most-packets", "--queue-by-flow-ms", kPluginOption},
                              {"--serve", "--cost", "--without-samples"}};
    load_plugins(arguments);
    if (arguments.has("--serve")) return serve(arguments);
    const json manifest = read_json(arguments.needed("--manifest"));
    TraceStore traces{arguments.needed("--traces")};
    run(manifest, traces, arguments);
  });
}
