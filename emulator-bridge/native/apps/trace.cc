// paceline-trace: looks at, checks, stores, converts and makes traces.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/iperf3_report.hh"
#include "formats/packet_times.hh"
#include "formats/registry.hh"
#include "formats/trace_file.hh"
#include "formats/trace_report.hh"
#include "formats/writer.hh"
#include "io/byte_reader.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"
#include "recipe/edit_file.hh"
#include "recipe/library.hh"
#include "recipe/recipe.hh"
#include "recipe/recipe_sketch.hh"
#include "recipe/targets.hh"
#include "recipe/trace_marks.hh"
#include "trace/rates.hh"

namespace {

using namespace paceline;

constexpr std::string_view kHelp =
    R"(Usage: paceline-trace COMMAND FILE [options]      (FILE may be - for standard input; gzip and zstd are recognised by content)

  info FILE [--bins N] [--from-ms A] [--to-ms B]   print statistics and a preview as JSON
      --dynamics yes                               with autocorrelation, outages and falls
  validate FILE                                    check a file
  import FILE --out-dir DIR [--bins N]             check, store as DIR/<sha256>.trace, print as info does
  convert FILE --to FORM [--out OUT]               write another form (standard output without --out)
      --step-ms N                                  of forms that have steps
      --name TEXT                                  of the trace, for the script's head (FILE's)
  packets FILE                                     what an application wrote when, from a capture or a table of time_s,bytes, as JSON
  iperf3 FILE                                      what a report of iperf3 tells of either end, interval by interval, as JSON
  formats -                                        the forms that are read, as JSON
  make RECIPE.json [--out OUT]                     make a synthetic trace, the same bit for bit each time
      --seed N --duration SECONDS --step-us N      other than the recipe says; the step divides 25000, and is a radio model's
  sketch RECIPE.json [--bins N]                    what it would make, as JSON: statistics, a preview, the plan
  marks RECIPE.json                                what its model knows of the trace beside the capacity, as JSON: handovers, SNR
  sketches -                                       the same for many: a line {"bins": N, "recipe": {…}} each, answered line by line
  edit EDIT.json --traces DIR [--out OUT]          make the trace that an edit makes of DIR/<sha256>.trace
  edit-sketch EDIT.json --traces DIR [--bins N]    what it would make, as JSON: statistics, a preview, the length at each step
  targets RECIPE.json|DIR [--seeds N]              hold what recipes make against the targets they name: a table over N
                                                   seeds (5); exit 3 when one is missed
      --as table|json
  library DIR [--catalog check|write]              make the traces of DIR/recipes and DIR/recordings into DIR/made; refused (exit 1)
                                                   when one is not what DIR/catalog.json says, or write that anew

FILE is read as the first of the forms below that it looks like. Where it does not say enough of itself (docs/traces.md):
      --format FORM
      --origin recorded|made                           made by a model: not searched for faults of recordings
      --set OPTION=VALUE                           info prints the format's options; may be given several times
Of files that are not one's own (info, import, packets, iperf3):
      --max-unpacked BYTES --max-ratio N           what a packed file may become (8 GiB; any ratio)
      --max-stored BYTES                           what import, edit and edit-sketch may make

A file that is not a trace is refused: JSON with line and reason on standard output, a sentence on standard error, exit 2.

Forms that are read:
)";

std::string help() {
  std::ostringstream text;
  text << kHelp << std::left;
  for (const formats::Format* format : formats::registered_formats()) {
    std::string extensions;
    for (const std::string_view extension : format->extensions) extensions += " " + std::string{extension};
    text << "  " << std::setw(14) << format->id << std::setw(32) << format->label << extensions << '\n';
  }
  text << "Forms that are written:\n";
  for (const formats::Writer* writer : formats::registered_writers()) {
    text << "  " << std::setw(14) << writer->id << writer->summary;
    if (writer->step_ms > 0) text << " (" << writer->step_ms << " ms)";
    text << '\n';
  }
  return text.str();
}

// With what was understood before it was refused: a person may only have to choose.
struct RefusedSource : TraceError {
  RefusedSource(const TraceError& error, nlohmann::json understood)
      : TraceError{error}, source(std::move(understood)) {}
  nlohmann::json source;
};

constexpr uint64_t kAnyNumber = std::numeric_limits<uint64_t>::max();

// What follows the command: one file, and options.
class TraceArguments : public Arguments {
 public:
  using Arguments::Arguments;

  [[nodiscard]] const std::string& file() const { return word(); }
  // What the file does not say of itself: `--format`, `--set option=value`.
  [[nodiscard]] TraceFile trace_file() const {
    const formats::Choices choices = chosen();
    TraceFile read{};
    try {
      read_trace_file(file(), value("--format").value_or(""), choices, read, unpack_limits());
    } catch (const TraceError& error) {
      if (read.format == nullptr) throw;
      throw RefusedSource{error, trace_source_json(read)};
    }
    read.origin = choice<TraceOrigin>("--origin", {{"recorded", TraceOrigin::recorded}, {"made", TraceOrigin::made}},
                                      TraceOrigin::recorded);
    return read;
  }
  // Of files that somebody else has sent.
  [[nodiscard]] UnpackLimits unpack_limits() const {
    const UnpackLimits any{};
    return {.bytes = number("--max-unpacked", any.bytes, 1, any.bytes),
            .ratio = number("--max-ratio", 0, 1, kAnyNumber)};
  }
  // What a trace would take as it is stored; null when that may be.
  [[nodiscard]] std::optional<std::string> too_long(const std::vector<uint32_t>& counts) const {
    const auto mb = [](uint64_t bytes) { return std::to_string(bytes / 1'000'000) + " MB"; };
    const uint64_t most = number("--max-stored", kAnyNumber, 1, kAnyNumber);
    const uint64_t bytes = most == kAnyNumber ? 0 : stored_bytes(counts);
    if (bytes <= most) return std::nullopt;
    return "the trace would take " + mb(bytes) + " of storage; at most " + mb(most) + " are allowed here";
  }
  [[nodiscard]] uint64_t number(const std::string& option, uint64_t otherwise, uint64_t least, uint64_t most) const {
    return value(option) ? whole<uint64_t>(option, least, most) : otherwise;
  }
  template <typename Choice>
  [[nodiscard]] Choice choice(const std::string& option, const std::map<std::string, Choice>& choices,
                              const std::optional<Choice>& otherwise) const {
    const auto given = value(option);
    if (!given && otherwise) return *otherwise;
    const auto found = given ? choices.find(*given) : choices.end();
    if (found != choices.end()) return found->second;
    std::string names;
    for (const auto& [name, of] : choices) names += (names.empty() ? "" : ", ") + name;
    throw Refusal{option, "must be one of: " + names};
  }

 private:
  [[nodiscard]] formats::Choices chosen() const {
    formats::Choices choices;
    for (const std::string& word : values("--set")) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) throw Refusal{"--set", "needs option=value, not " + word};
      choices[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return choices;
  }
};

std::string read_all(const std::string& path, std::size_t limit) {
  ByteReader reader{path};
  std::string text;
  for (auto chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    text.append(chunk.data(), chunk.size());
    if (text.size() > limit)
      throw TraceError{"too_big", "the input is larger than " + std::to_string(limit >> 20U) + " MiB"};
  }
  return text;
}

// A trace into a file or onto standard output, if there is no path.
void write_trace(const std::vector<uint32_t>& counts, const std::optional<std::string>& path,
                 std::string_view form = "ms-count", const formats::Writing& writing = {}) {
  std::ofstream file;
  if (path && *path != "-") {
    file.open(*path, std::ios::binary | std::ios::trunc);
    if (!file) throw std::runtime_error{"cannot write " + *path};
  }
  std::ostream& out = file.is_open() ? file : std::cout;
  formats::find_writer(form)->write(counts, writing, [&out](std::string_view text) { out << text; });
  out.flush();
  if (!out) throw std::runtime_error{"cannot write " + path.value_or("standard output")};
}

struct PreviewOptions {
  explicit PreviewOptions(const TraceArguments& arguments)
      : bins{arguments.number("--bins", 1000, 1, 100'000)},
        from_ms{arguments.number("--from-ms", 0, 0, kMaxTracePeriodMs)},
        to_ms{arguments.number("--to-ms", kMaxTracePeriodMs, 1, kMaxTracePeriodMs)},
        dynamics{arguments.choice<bool>("--dynamics", {{"yes", true}, {"no", false}}, false)} {}
  uint64_t bins;
  uint64_t from_ms;
  uint64_t to_ms;
  bool dynamics;
};

void print_info(const TraceFile& file, const std::string& sha256, const PreviewOptions& options) {
  const std::vector<uint32_t>& counts = file.counts();
  const TracePreview preview = trace_preview(counts, options.bins, options.from_ms, options.to_ms);
  nlohmann::json report{{"info", trace_info_json(file, trace_stats(counts), sha256)},
                        {"preview", trace_preview_json(preview)}};
  if (options.dynamics) report["dynamics"] = trace_dynamics_json(trace_dynamics(counts));
  std::cout << json_text(report) << '\n';
}

int info(const TraceArguments& arguments) {
  const PreviewOptions options{arguments};
  const TraceFile file = arguments.trace_file();
  print_info(file, trace_sha256(file.counts()), options);
  return 0;
}

int validate(const TraceArguments& arguments) {
  const TraceFile file = arguments.trace_file();
  const TraceStats stats = trace_stats(file.counts());
  std::cout << "A trace of " << static_cast<double>(stats.period_ms) / 1000.0 << " s with " << stats.opportunities
            << " delivery opportunities, " << stats.mean_mbps << " Mbps on average.\n";
  return 0;
}

int import(const TraceArguments& arguments) {
  const PreviewOptions options{arguments};
  const auto directory = arguments.value("--out-dir");
  if (!directory) throw Refusal{"--out-dir", "is needed (see --help)"};
  const TraceFile file = arguments.trace_file();
  if (const auto reason = arguments.too_long(file.counts()))
    throw TraceError{"too_long", *reason, "Cut it to what is needed, or sample it more coarsely."};
  print_info(file, store_trace(file.counts(), *directory), options);
  return 0;
}

int convert(const TraceArguments& arguments) {
  std::map<std::string, const formats::Writer*> forms;
  for (const formats::Writer* writer : formats::registered_writers()) forms.emplace(writer->id, writer);
  const formats::Writer& form = *arguments.choice("--to", forms, {});
  if (arguments.value("--step-ms") && form.step_ms == 0)
    throw Refusal{"--step-ms", "is not for " + std::string{form.id} + ", which has no steps"};
  const formats::Writing writing{
      .name = arguments.value("--name").value_or(std::filesystem::path{arguments.file()}.filename().string()),
      .step_ms = arguments.number("--step-ms", form.step_ms, 1, kLongestRateStepMs)};
  const TraceFile file = arguments.trace_file();
  for (const std::string& note : file.reading.notes) std::cerr << note << '\n';
  write_trace(file.counts(), arguments.value("--out"), form.id, writing);
  return 0;
}

int packets(const TraceArguments& arguments) {
  constexpr std::size_t kMost = 100'000;
  formats::FileSource source{arguments.file(), arguments.unpack_limits()};
  const formats::PacketTimes read = formats::read_packet_times(source, kMost);
  std::cout << nlohmann::json{{"times_ms", read.times_ms}, {"bytes", read.bytes}} << '\n';
  return 0;
}

int iperf3(const TraceArguments& arguments) {
  formats::FileSource source{arguments.file(), arguments.unpack_limits()};
  std::cout << formats::iperf3_report_json(source) << '\n';
  return 0;
}

int list_formats(const TraceArguments&) {
  nlohmann::json all = nlohmann::json::array();
  for (const formats::Format* format : formats::registered_formats())
    all.push_back({{"id", format->id}, {"label", format->label}});
  std::cout << all << '\n';
  return 0;
}

constexpr std::size_t kLargestRecipe = std::size_t{1} << 20U;

int make(const TraceArguments& arguments) {
  RecipeChanges changes;
  if (arguments.value("--seed")) changes.seed = static_cast<uint32_t>(arguments.number("--seed", 0, 0, 4'294'967'295));
  if (arguments.value("--duration"))
    changes.duration_ms = static_cast<uint32_t>(arguments.number("--duration", 0, 1, kMaxTracePeriodMs / 1000) * 1000);
  if (arguments.value("--step-us"))
    changes.step_us = static_cast<uint32_t>(arguments.number("--step-us", 0, 25, 25'000));
  write_trace(trace_from_recipe(read_all(arguments.file(), kLargestRecipe), changes), arguments.value("--out"));
  return 0;
}

int sketch(const TraceArguments& arguments) {
  const uint64_t bins = arguments.number("--bins", 1000, 1, 100'000);
  std::cout << recipe_sketch(read_all(arguments.file(), kLargestRecipe), bins) << '\n';
  return 0;
}

int marks(const TraceArguments& arguments) {
  std::cout << trace_marks(read_all(arguments.file(), kLargestRecipe)) << '\n';
  return 0;
}

int sketches(const TraceArguments& arguments) {
  if (arguments.file() != "-") throw Refusal{arguments.file(), "sketches reads standard input: -"};
  answer_sketches(std::cin, std::cout);
  return 0;
}

constexpr std::size_t kLargestEdit = std::size_t{1} << 20U;

std::string traces_folder(const TraceArguments& arguments) {
  const auto folder = arguments.value("--traces");
  if (!folder) throw Refusal{"", "an edit needs --traces, the folder of the traces that it names (see --help)"};
  return *folder;
}

EditedTrace edited(const TraceArguments& arguments) {
  EditedTrace trace = edited_trace(read_all(arguments.file(), kLargestEdit), traces_folder(arguments));
  if (const auto reason = arguments.too_long(trace.counts)) throw EditRefused{"steps", *reason};
  return trace;
}

int edit(const TraceArguments& arguments) {
  write_trace(edited(arguments).counts, arguments.value("--out"));
  return 0;
}

int sketch_edit(const TraceArguments& arguments) {
  const uint64_t bins = arguments.number("--bins", 1000, 1, 100'000);
  std::cout << edit_sketch(edited(arguments), bins) << '\n';
  return 0;
}

int targets(const TraceArguments& arguments) {
  constexpr int kMissed = 3;
  const auto seeds = static_cast<uint32_t>(arguments.number("--seeds", 5, 1, 1000));
  const bool json = arguments.choice<bool>("--as", {{"table", false}, {"json", true}}, false);
  std::vector<RecipeResult> results;
  for (const auto& path : recipe_files(arguments.file())) {
    try {
      results.push_back(check_recipe(read_all(path.string(), kLargestRecipe), seeds));
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument{path.string() + ": " + error.what()};
    }
  }
  bool met = true;
  for (const RecipeResult& result : results)
    for (const TargetResult& target : result.targets) met = met && target.met();
  if (json)
    std::cout << targets_json(results) << '\n';
  else
    std::cout << target_table(results);
  return met ? 0 : kMissed;
}

int library(const TraceArguments& arguments) {
  constexpr int kFailed = 1;
  const std::string& directory = arguments.file();
  const bool check = arguments.choice<bool>("--catalog", {{"check", true}, {"write", false}}, true);
  const std::vector<LibraryTrace> traces = make_library(directory);
  if (check) {
    for (const std::string& recipe : library_differences(traces, directory))
      std::cerr << "paceline-trace: " << directory << "/catalog.json is not what comes of " << recipe << "\n";
    if (!library_differences(traces, directory).empty()) {
      std::cerr << "After a change that was meant: paceline-trace library " << directory << " --catalog write\n";
      return kFailed;
    }
  } else {
    std::ofstream out{directory + "/catalog.json", std::ios::binary | std::ios::trunc};
    out << library_catalog(traces);
    out.close();
    if (!out) throw std::runtime_error{"cannot write " + directory + "/catalog.json"};
  }
  write_library(traces, directory);
  std::cout << traces.size() << " traces in " << directory << "/made\n";
  return 0;
}

struct Command {
  int (*work)(const TraceArguments&);
  std::set<std::string_view> options;
};

const std::map<std::string, Command>& commands() {
  static const std::map<std::string, Command> all{
      {"info",
       {info,
        {"--bins", "--from-ms", "--to-ms", "--dynamics", "--format", "--set", "--origin", "--max-unpacked",
         "--max-ratio"}}},
      {"validate", {validate, {"--format", "--set"}}},
      {"import",
       {import,
        {"--out-dir", "--bins", "--from-ms", "--to-ms", "--format", "--set", "--origin", "--max-unpacked",
         "--max-ratio", "--max-stored"}}},
      {"convert", {convert, {"--to", "--out", "--step-ms", "--name", "--format", "--set"}}},
      {"packets", {packets, {"--max-unpacked", "--max-ratio"}}},
      {"iperf3", {iperf3, {"--max-unpacked", "--max-ratio"}}},
      {"formats", {list_formats, {}}},
      {"make", {make, {"--out", "--seed", "--duration", "--step-us"}}},
      {"sketch", {sketch, {"--bins"}}},
      {"sketches", {sketches, {}}},
      {"marks", {marks, {}}},
      {"edit", {edit, {"--traces", "--out", "--max-stored"}}},
      {"edit-sketch", {sketch_edit, {"--traces", "--bins", "--max-stored"}}},
      {"targets", {targets, {"--seeds", "--as"}}},
      {"library", {library, {"--catalog"}}},
  };
  return all;
}

// A sentence about a file names it: there may be many. Standard input has no name.
std::string named(const std::string& file, const std::string& sentence) {
  const bool names = sentence.starts_with(file + ':') || sentence.starts_with("cannot read " + file);
  return file == "-" || names ? sentence : file + ": " + sentence;
}

int refused(const std::string& file, const TraceError& error) {
  nlohmann::json problem = trace_problem_json(error);
  if (const auto* source = dynamic_cast<const RefusedSource*>(&error)) problem["source"] = source->source;
  std::cout << json_text(problem) << std::endl;
  std::cerr << "paceline-trace: " << named(file, error.what()) << '\n';
  if (!error.hint().empty()) std::cerr << error.hint() << '\n';
  return kExitBadInput;
}

int run(int argc, char** argv) {
  if (argc < 2) throw Refusal{"", "which command? (see --help)"};
  const std::string command{argv[1]};
  const auto found = commands().find(command);
  if (found == commands().end()) throw Refusal{command, "is not a command (see --help)"};
  const TraceArguments arguments{argc - 1, argv + 1, found->second.options, {}, "FILE"};
  try {
    return found->second.work(arguments);
  } catch (const TraceError& error) {
    return refused(arguments.file(), error);
  } catch (const EditRefused& error) {
    std::cout << error.json() << std::endl;
    throw Refusal{"", error.what()};
  } catch (const std::invalid_argument& error) {
    throw Refusal{"", named(arguments.file(), error.what())};
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::string text = help();
  int exit_code = 0;
  const int own = run_program({"paceline-trace", text}, argc, argv, [&] { exit_code = run(argc, argv); });
  return own != 0 ? own : exit_code;
}
