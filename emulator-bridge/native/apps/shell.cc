// paceline-shell: any program behind the modelled link.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/limits.gen.hh"
#include "drivers/realtime_tun/mahimahi_log.hh"
#include "drivers/realtime_tun/tun_shell.hh"
#include "formats/delay_lines.hh"
#include "formats/file_source.hh"
#include "formats/trace_file.hh"
#include "live/shell_summary.hh"
#include "manifest/link.hh"
#include "manifest/manifest.hh"
#include "manifest/trace_store.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"

namespace {

using namespace paceline;

constexpr std::string_view kHelp = R"(Usage: paceline-shell [options] -- COMMAND [ARGUMENT...]

Runs a command behind the modelled link, like Mahimahi's mm-link and mm-delay: what it sends goes up the link, what it gets comes down. Shells
can be started within shells; packets then go through all their links.

  --uplink-trace FILE, --downlink-trace FILE    delivery opportunities (any form that paceline-trace reads)
  --uplink-rate-mbps R, --downlink-rate-mbps R  or a constant rate
  --rate-mbps R                                 both; a direction without trace and rate is unlimited
  --delay-ms D                                  one-way delay, each direction (default 0)
  --loss P, --uplink-loss P, --downlink-loss P  probability that a packet is lost before the queue (default 0)
  --uplink-queue Q, --downlink-queue Q          infinite (default), droptail, drophead, codel, pie or another discipline of paceline-list
  --uplink-queue-args A, --downlink-queue-args A  "packets=N", "bytes=N" and the discipline's own parameters, separated by commas; mm-link's
                                                names for them as well: target and interval (codel), qdelay_ref and max_burst (pie)
  --uplink-path LIST, --downlink-path LIST      the elements of the direction in order, as in a manifest (docs/paths.md): JSON, or a file that
                                                holds it. {"element":"loss"}, {"element":"bottleneck"} and {"element":"delay"} are those of
                                                the options above; a further bottleneck's trace is {"kind":"trace","file":FILE}
  --uplink-jitter FILE, --downlink-jitter FILE  delays that were measured, over and over, behind the queue: lines of time_ms,delay_ms, or a delay a
                                                line; packets keep their order. In another place, or without order: --uplink-path
  --jitter-interval-ms N                        between delays without times (default 1000, as ping measures)
  --server COMMANDLINE                          the link's other end is a network of its own in which this runs (with sh -c); the command finds
                                                it at $PACELINE_BASE. Needs no root where users may have namespaces.
                                                Without it the other end is the network that the shell was started in: $PACELINE_BASE
                                                is this machine then. Needs root, or another paceline-shell around it.
  --uplink-log FILE, --downlink-log FILE        what happens at each queue, in the format of mm-link's logs
  --coalesce N                                  as in paceline-tun
  --quiet                                       no summary at the end
  --end-with-parent                             end when the program that started this one does, however that ends
  --help, --version

It ends with the command, with its exit code, and tells on standard error what passed the link (--quiet: it does not). Packets lost anywhere but in queue and loss are told on standard error.
)";

double number(const Arguments& arguments, const std::string& option, double otherwise, Bounds bounds) {
  const auto [least, most] = bounds;
  const auto text = arguments.value(option);
  if (!text) return otherwise;
  double value{};
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size() || !(value >= least && value <= most))
    throw Refusal{option, "must be a number from " + std::to_string(least) + " to " + std::to_string(most)};
  return value;
}

std::shared_ptr<const Trace> trace_from(const std::string& file) {
  try {
    return std::make_shared<const Trace>(read_trace_file(file).counts());
  } catch (const TraceError& e) {
    throw Refusal{file, e.message()};
  }
}

Bottleneck::Capacity capacity_of(const Arguments& arguments, const std::string& way) {
  Bottleneck::Capacity capacity{};
  const auto trace = arguments.value("--" + way + "-trace");
  const double both = number(arguments, "--rate-mbps", 0, limits::rate_mbps);
  const double rate = number(arguments, "--" + way + "-rate-mbps", both, limits::rate_mbps);
  if (trace && rate > 0) throw Refusal{"--" + way + "-trace", "excludes a constant rate of that direction"};
  if (trace) {
    capacity.kind = Bottleneck::Capacity::Kind::trace;
    capacity.trace = trace_from(*trace);
  } else if (rate > 0) {
    capacity.kind = Bottleneck::Capacity::Kind::constant;
    capacity.rate = Rate::mbps(rate);
  }
  return capacity;
}

// Mahimahi's names beside ours: target=5 means target_ms=5.
std::string parameter_named(const std::string& name, const QueueDescriptor& discipline) {
  if (discipline.id == "pie" && name == "qdelay_ref") return "target_ms";
  const bool with_unit =
      std::ranges::find(discipline.params, name + "_ms", &ParamSpec::name) != discipline.params.end();
  return with_unit ? name + "_ms" : name;
}

Params::Given::mapped_type value_of(const std::string& text) {
  double number{};
  const char* last = text.data() + text.size();
  if (const auto [end, error] = std::from_chars(text.data(), last, number); error == std::errc{} && end == last)
    return number;
  if (text == "true" || text == "false") return text == "true";
  return text;
}

// "packets=100,target=5": limits, and values for the discipline's own parameters.
QueuePlan queue_of(const Arguments& arguments, const std::string& way) {
  const std::string option = "--" + way + "-queue-args";
  QueuePlan queue{};
  const std::string id = arguments.value("--" + way + "-queue").value_or("infinite");
  queue.discipline = find_queue(id);
  if (!queue.discipline)
    throw Refusal{"--" + way + "-queue", "there is no \"" + id + "\" (paceline-list shows all)", kExitUnknown};
  Params::Given given;
  const std::string text = arguments.value(option).value_or("");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals + 1 == part.size())
      throw Refusal{option, "\"" + part + "\" is not a name and a value, like packets=100"};
    const std::string name = part.substr(0, equals);
    const auto value = value_of(part.substr(equals + 1));
    if (name != "packets" && name != "bytes") {
      given[parameter_named(name, *queue.discipline)] = value;
      continue;
    }
    if (!queue.discipline->limited) throw Refusal{option, id + " has no limit"};
    const double* limit = std::get_if<double>(&value);
    constexpr double kLargestLimit = 1e15;
    if (!limit || *limit < 1 || *limit > kLargestLimit) throw Refusal{option, name + " must be a number, at least 1"};
    if (name == "packets") {
      queue.limit_packets = std::llround(*limit);
    } else {
      queue.limit_bytes = Bytes{std::llround(*limit)};
    }
  }
  try {
    queue.params = Params{queue.discipline->params, given};
  } catch (const std::invalid_argument& e) {
    throw Refusal{option, e.what()};
  }
  if (queue.discipline->limited && queue.limit_packets == INT64_MAX && queue.limit_bytes == Bytes::infinite())
    throw Refusal{option, "a " + id + " queue needs a limit: packets=N or bytes=N"};
  return queue;
}

Bottleneck::Capacity further_capacity(Fields fields) {
  Bottleneck::Capacity capacity{};
  const std::string kind = fields.choice("kind", {"trace", "constant", "unlimited"});
  if (kind == "constant") {
    capacity.kind = Bottleneck::Capacity::Kind::constant;
    capacity.rate = Rate::mbps(fields.number("rate_mbps", limits::rate_mbps));
  } else if (kind == "trace") {
    capacity.kind = Bottleneck::Capacity::Kind::trace;
    capacity.trace = trace_from(fields.text("file"));
  }
  fields.done();
  return capacity;
}

std::vector<ElementPlan> path_of(const Arguments& arguments, const std::string& way) {
  const std::string option = "--" + way + "-path";
  const auto given = arguments.value(option);
  if (!given) return {};
  const bool inline_list = given->starts_with("[");
  nlohmann::json document;
  try {
    document["path"] = inline_list ? nlohmann::json::parse(*given) : read_json(*given);
  } catch (const nlohmann::json::parse_error& e) {
    throw Refusal{option, std::string{"is not JSON: "} + e.what()};
  }
  Fields fields{document, option};
  TraceStore beside{"."};  // weights, where an element names some
  return read_path(fields.array("path", limits::path_elements), option, further_capacity, beside);
}

// Said even where no file is: a slip must not pass unseen.
double jitter_interval_ms(const Arguments& arguments) {
  constexpr double kUsualIntervalMs = 1000;
  return number(arguments, "--jitter-interval-ms", kUsualIntervalMs, limits::recorded_ms);
}

// The usual list with what was measured between queue and delay.
std::vector<ElementPlan> path_with_jitter(const Arguments& arguments, const std::string& way, const std::string& file) {
  const std::string option = "--" + way + "-jitter";
  if (arguments.value("--" + way + "-path"))
    throw Refusal{option, "excludes --" + way + "-path, in which jitter has a place of its own"};
  const double interval_ms = jitter_interval_ms(arguments);
  try {
    formats::FileSource source{file};
    const formats::DelayLines lines = formats::read_delay_lines(source, interval_ms);
    const nlohmann::json jitter{{"element", "jitter"},
                                {"params", {{"distribution", "recorded"}}},
                                {"recorded", {{"times_ms", lines.times_ms}, {"delays_ms", lines.delays_ms}}}};
    TraceStore beside{"."};
    return read_path({{{"element", "bottleneck"}}, jitter, {{"element", "delay"}}}, option, further_capacity, beside);
  } catch (const TraceError& e) {
    throw Refusal{option, file + ": " + e.what()};
  }
}

std::vector<ElementPlan> path_or_jitter(const Arguments& arguments, const std::string& way) {
  const auto jitter = arguments.value("--" + way + "-jitter");
  return jitter ? path_with_jitter(arguments, way, *jitter) : path_of(arguments, way);
}

LinkPlan link_of(const Arguments& arguments, const std::string& way) {
  const double loss = number(arguments, "--loss", 0, limits::loss);
  const double delay_ms = number(arguments, "--delay-ms", 0, limits::delay_ms);
  return {.loss = number(arguments, "--" + way + "-loss", loss, limits::loss),
          .queue = queue_of(arguments, way),
          .capacity = capacity_of(arguments, way),
          .delay = Duration{std::llround(delay_ms * 1e6)},
          .path = path_or_jitter(arguments, way)};
}

RunPlan plan_of(const Arguments& arguments) {
  (void)jitter_interval_ms(arguments);
  RunPlan plan{};
  plan.duration = Duration::seconds(1e9);  // until the command ends
  plan.sample_period = Duration::seconds(1);
  plan.forward = link_of(arguments, "uplink");
  plan.reverse = link_of(arguments, "downlink");
  plan.flows.resize(1);  // so that the figures count from the start
  return plan;
}

std::unique_ptr<MahimahiLog> log_of(const Arguments& arguments, const std::string& way, const LinkPlan& link, int argc,
                                    char** argv) {
  const std::string option = "--" + way + "-log";
  const auto file = arguments.value(option);
  if (!file) return nullptr;
  std::string command;
  for (int i = 0; i < argc; ++i) {
    if (i > 0) command += ' ';
    command += argv[i];
  }
  try {
    return std::make_unique<MahimahiLog>(*file, way, command, link);
  } catch (const std::exception& e) {
    throw Refusal{option, e.what()};
  }
}

std::set<std::string_view> options() {
  return {"--uplink-trace",
          "--downlink-trace",
          "--uplink-rate-mbps",
          "--downlink-rate-mbps",
          "--rate-mbps",
          "--delay-ms",
          "--loss",
          "--uplink-loss",
          "--downlink-loss",
          "--uplink-queue",
          "--downlink-queue",
          "--uplink-queue-args",
          "--downlink-queue-args",
          "--uplink-path",
          "--downlink-path",
          "--uplink-jitter",
          "--downlink-jitter",
          "--jitter-interval-ms",
          "--uplink-log",
          "--downlink-log",
          "--server",
          "--coalesce"};
}

}  // namespace

int main(int argc, char** argv) {
  int options_end = 1;
  while (options_end < argc && std::string_view{argv[options_end]} != "--") ++options_end;
  int exit_code = 0;
  const int own = run_program({"paceline-shell", kHelp}, options_end, argv, [&] {
    const Arguments arguments{options_end, argv, options(), {"--end-with-parent", "--quiet"}};
    if (arguments.has("--end-with-parent")) end_with_parent();
    if (options_end + 1 >= argc) throw Refusal{"--", "and a command are needed (see --help)"};
    ShellSetup setup{};
    setup.command.assign(argv + options_end + 1, argv + argc);
    if (const auto server = arguments.value("--server")) setup.server = {"sh", "-c", *server};
    constexpr int64_t kMostCoalesced = 64;
    if (arguments.value("--coalesce"))
      setup.coalesce = static_cast<int>(arguments.whole("--coalesce", 1, kMostCoalesced));
    const RunPlan plan = plan_of(arguments);
    const auto uplink_log = log_of(arguments, "uplink", plan.forward, argc, argv);
    const auto downlink_log = log_of(arguments, "downlink", plan.reverse, argc, argv);
    setup.uplink_log = uplink_log.get();
    setup.downlink_log = downlink_log.get();
    const ShellResult result = run_shell(plan, setup);
    if (!arguments.has("--quiet")) std::fputs(shell_summary(result.summary).c_str(), stderr);
    if (result.unlogged > 0)
      std::fprintf(stderr, "paceline-shell: %llu lines are missing in the logs: the disk was too slow\n",
                   static_cast<unsigned long long>(result.unlogged));
    if (!result.overrun.empty()) std::fprintf(stderr, "paceline-shell: overrun: %s\n", result.overrun.c_str());
    exit_code = result.exit_code;
  });
  return own != 0 ? own : exit_code;
}
