// paceline-trace: looks at, checks, stores, converts and makes traces.

#include <charconv>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/byte_reader.hh"
#include "apps/common/version.hh"
#include "apps/rate_table.hh"
#include "apps/trace_file.hh"
#include "apps/trace_library.hh"
#include "apps/trace_recipe.hh"
#include "apps/trace_report.hh"
#include "link/trace_write.hh"

namespace {

using namespace paceline;

constexpr std::string_view kHelp =
    R"(Usage: paceline-trace COMMAND FILE [options]      (FILE may be - for standard input; gzip is recognised by content)

  info FILE [--bins N] [--from-ms A] [--to-ms B]   print statistics and a preview as JSON
      --form ms-count                              FILE is known to be of this form, however short
  validate FILE                                    check a file
  import FILE --out-dir DIR [--bins N]             check, store as DIR/<sha256>.trace, print as info does
  convert FILE --to ms-count|mahimahi [--out OUT]  write the other text form (standard output without --out)
      --from trace|seconds-mbps                    what FILE is: a trace (default) or a table of seconds and Mbps
      --rows begin|end                             table: a row's rate holds from its time on (default), or up to it
      --gaps refuse|hold|zero                      table: what to do where rows are missing (default: refuse)
  synth RECIPE.json [--out OUT]                    make a synthetic trace, the same bit for bit each time
  library DIR                                      make the traces and the catalog of DIR/recipes/*.json

A file that is not a trace is refused: JSON with line and reason on standard output, a sentence on standard error, exit 2.
)";

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What follows the command: one file, and options that each take a value.
class Arguments {
 public:
  Arguments(const std::vector<std::string>& words, const std::set<std::string_view>& known) {
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (!word.starts_with("--")) {
        if (file_) throw UsageError{"one file at a time: \"" + word + "\" is one too many"};
        file_ = word;
      } else if (!known.contains(word)) {
        throw UsageError{"unknown option " + word};
      } else if (i + 1 == words.size()) {
        throw UsageError{word + " needs a value"};
      } else {
        values_[word] = words[++i];
      }
    }
    if (!file_) throw UsageError{"which file?"};
  }

  [[nodiscard]] const std::string& file() const { return *file_; }
  [[nodiscard]] std::optional<std::string> text(const std::string& option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::nullopt : std::optional{found->second};
  }
  [[nodiscard]] uint64_t whole(const std::string& option, uint64_t otherwise, uint64_t least, uint64_t most) const {
    const auto given = text(option);
    if (!given) return otherwise;
    uint64_t value{};
    const auto [end, error] = std::from_chars(given->data(), given->data() + given->size(), value);
    if (error != std::errc{} || end != given->data() + given->size() || value < least || value > most)
      throw UsageError{option + " must be a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most)};
    return value;
  }
  template <typename Choice>
  [[nodiscard]] Choice choice(const std::string& option, const std::map<std::string, Choice>& choices,
                              const std::optional<Choice>& otherwise) const {
    const auto given = text(option);
    if (!given && otherwise) return *otherwise;
    const auto found = given ? choices.find(*given) : choices.end();
    if (found != choices.end()) return found->second;
    std::string names;
    for (const auto& [name, value] : choices) names += (names.empty() ? "" : ", ") + name;
    throw UsageError{option + " must be one of: " + names};
  }

 private:
  std::optional<std::string> file_{};
  std::map<std::string, std::string, std::less<>> values_{};
};

std::string read_all(const std::string& path, std::size_t limit) {
  ByteReader reader{path, ByteReader::Content::any};
  std::string text;
  for (auto chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    text.append(chunk.data(), chunk.size());
    if (text.size() > limit)
      throw TraceError{"too_big", path + " is larger than " + std::to_string(limit >> 20U) + " MiB"};
  }
  return text;
}

// The text of a trace into a file or onto standard output.
void write_trace(const std::vector<uint32_t>& counts, TraceFormat format, const std::optional<std::string>& path) {
  std::ofstream file;
  if (path && *path != "-") {
    file.open(*path, std::ios::binary | std::ios::trunc);
    if (!file) throw std::runtime_error{"cannot write " + *path};
  }
  std::ostream& out = file.is_open() ? file : std::cout;
  const auto sink = [&out](std::string_view text) { out << text; };
  if (format == TraceFormat::ms_count) {
    if (counts.size() - 1 < kAmbiguousTraceBelowMs) out << "# ms count\n";  // so short a file must say what it is
    write_ms_count(counts, sink);
  } else {
    write_mahimahi(counts, sink);
  }
  out.flush();
  if (!out) throw std::runtime_error{"cannot write " + path.value_or("standard output")};
}

struct PreviewOptions {
  explicit PreviewOptions(const Arguments& arguments)
      : bins{arguments.whole("--bins", 1000, 1, 100'000)},
        from_ms{arguments.whole("--from-ms", 0, 0, kMaxTracePeriodMs)},
        to_ms{arguments.whole("--to-ms", kMaxTracePeriodMs, 1, kMaxTracePeriodMs)} {}
  uint64_t bins;
  uint64_t from_ms;
  uint64_t to_ms;
};

void print_info(const TraceFile& file, const std::string& sha256, const PreviewOptions& options) {
  const std::vector<uint32_t>& counts = file.trace.counts;
  const TracePreview preview = trace_preview(counts, options.bins, options.from_ms, options.to_ms);
  std::cout << nlohmann::json{{"info", trace_info_json(file, trace_stats(counts), sha256)},
                              {"preview", trace_preview_json(preview)}}
            << '\n';
}

void info(const Arguments& arguments) {
  const PreviewOptions options{arguments};
  using Ambiguous = TraceTextParser::Ambiguous;
  const auto ambiguous = arguments.choice<Ambiguous>("--form", {{"ms-count", Ambiguous::accept}}, Ambiguous::refuse);
  const TraceFile file = read_trace_file(arguments.file(), ambiguous);
  print_info(file, trace_sha256(file.trace.counts), options);
}

void validate(const Arguments& arguments) {
  const TraceFile file = read_trace_file(arguments.file());
  const TraceStats stats = trace_stats(file.trace.counts);
  std::cout << "A trace of " << static_cast<double>(stats.period_ms) / 1000.0 << " s with " << stats.opportunities
            << " delivery opportunities, " << stats.mean_mbps << " Mbps on average.\n";
}

void import(const Arguments& arguments) {
  const PreviewOptions options{arguments};
  const auto directory = arguments.text("--out-dir");
  if (!directory) throw UsageError{"import needs --out-dir"};
  const TraceFile file = read_trace_file(arguments.file());
  print_info(file, store_trace(file.trace.counts, *directory), options);
}

void convert(const Arguments& arguments) {
  constexpr std::size_t kLargestTable = std::size_t{256} << 20U;
  const auto to = arguments.choice<TraceFormat>(
      "--to", {{"ms-count", TraceFormat::ms_count}, {"mahimahi", TraceFormat::mahimahi}}, std::nullopt);
  const bool table = arguments.choice<bool>("--from", {{"trace", false}, {"seconds-mbps", true}}, false);
  const RateTableOptions options{
      .rows = arguments.choice<RateTableOptions::Rows>(
          "--rows", {{"begin", RateTableOptions::Rows::begin}, {"end", RateTableOptions::Rows::end}},
          RateTableOptions::Rows::begin),
      .gaps = arguments.choice<RateTableOptions::Gaps>("--gaps",
                                                       {{"refuse", RateTableOptions::Gaps::refuse},
                                                        {"hold", RateTableOptions::Gaps::hold},
                                                        {"zero", RateTableOptions::Gaps::zero}},
                                                       RateTableOptions::Gaps::refuse)};
  const std::vector<uint32_t> counts = table ? trace_from_rate_table(read_all(arguments.file(), kLargestTable), options)
                                             : read_trace_file(arguments.file()).trace.counts;
  write_trace(counts, to, arguments.text("--out"));
}

void synth(const Arguments& arguments) {
  constexpr std::size_t kLargestRecipe = std::size_t{1} << 20U;
  write_trace(trace_from_recipe(read_all(arguments.file(), kLargestRecipe)), TraceFormat::ms_count,
              arguments.text("--out"));
}

void library(const Arguments& arguments) {
  for (const LibraryFile& file : make_library(arguments.file())) {
    const std::string path = arguments.file() + "/" + file.name;
    std::ofstream out{path, std::ios::binary | std::ios::trunc};
    out << file.content;
    out.close();
    if (!out) throw std::runtime_error{"cannot write " + path};
    std::cout << path << '\n';
  }
}

struct Command {
  void (*work)(const Arguments&);
  std::set<std::string_view> options;
};

const std::map<std::string, Command>& commands() {
  static const std::map<std::string, Command> all{
      {"info", {info, {"--bins", "--from-ms", "--to-ms", "--form"}}},
      {"validate", {validate, {}}},
      {"import", {import, {"--out-dir", "--bins", "--from-ms", "--to-ms"}}},
      {"convert", {convert, {"--from", "--to", "--out", "--rows", "--gaps"}}},
      {"synth", {synth, {"--out"}}},
      {"library", {library, {}}},
  };
  return all;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 2) throw UsageError{"which command?"};
  if (words[1] == "--help" || words[1] == "-h") {
    std::cout << kHelp;
    return 0;
  }
  if (words[1] == "--version") {
    std::cout << "paceline-trace " << kEngineVersion << '\n';
    return 0;
  }
  const auto found = commands().find(words[1]);
  if (found == commands().end()) throw UsageError{"unknown command \"" + words[1] + "\""};
  if (words.size() == 3 && words[2] == "--help") {
    std::cout << kHelp;
    return 0;
  }
  found->second.work(Arguments{words, found->second.options});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kFailed = 1;
  constexpr int kBadInput = 2;
  std::ios::sync_with_stdio(false);
  try {
    return run({argv, argv + argc});
  } catch (const TraceError& error) {
    std::cout << trace_problem_json(error) << std::endl;
    std::cerr << "paceline-trace: " << error.what() << '\n';
    if (!error.hint().empty()) std::cerr << error.hint() << '\n';
    return kBadInput;
  } catch (const UsageError& error) {
    std::cerr << "paceline-trace: " << error.what() << " (see --help)\n";
    return kBadInput;
  } catch (const std::invalid_argument& error) {
    std::cerr << "paceline-trace: " << error.what() << '\n';
    return kBadInput;
  } catch (const std::exception& error) {
    std::cerr << "paceline-trace: " << error.what() << '\n';
    return kFailed;
  }
}
