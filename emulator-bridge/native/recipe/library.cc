#include "recipe/library.hh"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "formats/registry.hh"
#include "formats/trace_file.hh"
#include "formats/trace_report.hh"
#include "io/gzip.hh"
#include "recipe/recipe.hh"
#include "trace/stats.hh"
#include "trace/write.hh"

namespace paceline {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr uint64_t kSparkBins = 200;

std::string read_text(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in) throw std::invalid_argument{"cannot read " + path.string()};
  return text;
}

// Whole or not at all: a server may be reading.
void replace_file(const fs::path& path, const std::string& content) {
  const fs::path unfinished = path.string() + ".unfinished";
  std::ofstream out{unfinished, std::ios::binary | std::ios::trunc};
  out << content;
  out.close();
  if (!out) throw std::runtime_error{"cannot write " + unfinished.string()};
  fs::rename(unfinished, path);
}

uint64_t trace_bytes(const std::vector<uint32_t>& counts) {
  return 1500 * std::accumulate(counts.begin(), counts.end(), uint64_t{});
}

const char* kind(const LibraryTrace& trace) { return trace.recorded() ? "recording" : "recipe"; }
std::string origin_name(const LibraryTrace& trace) { return std::string{kind(trace)} + "s/" + trace.id + ".json"; }
std::string file_name(const LibraryTrace& trace) { return trace.id + ".trace.gz"; }

json record(const LibraryTrace& trace) {
  json known{{"name", trace.name},
             {"file", file_name(trace)},
             {"description", trace.description},
             {"about", trace.about},
             {kind(trace), origin_name(trace)},
             {"info", trace_info_json(trace.file, trace_stats(trace.counts()), trace.sha256)},
             {"spark", trace_preview(trace.counts(), kSparkBins, 0, trace.counts().size()).mean_mbps}};
  if (trace.recorded()) known.update(trace.owner);
  return known;
}

LibraryTrace described(const fs::path& path, const json& text) {
  return {.id = path.stem().string(),
          .name = text.at("name"),
          .description = text.at("description"),
          .about = text.value("about", json::object())};
}

LibraryTrace made(const fs::path& path) {
  const std::string text = read_text(path);
  std::vector<uint32_t> counts = trace_from_recipe(text);
  LibraryTrace trace = described(path, json::parse(text));
  trace.file = {.format = &formats::format_named("trace"),
                .packing = "gzip",
                .reading = {.form = "ms-count", .counts = std::move(counts)},
                .origin = TraceOrigin::made};
  trace.file.reading.source_bytes = trace_bytes(trace.counts());
  trace.sha256 = trace_sha256(trace.counts());
  return trace;
}

}  // namespace

std::vector<fs::path> recipe_files(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{path})
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

LibraryTrace read_recording(const fs::path& path) {
  const json text = json::parse(read_text(path));
  LibraryTrace trace = described(path, text);
  const json& read_as = text.at("read_as");
  trace.file = read_trace_file((path.parent_path() / text.at("file").get<std::string>()).string(), read_as.at("format"),
                               read_as.at("options").get<formats::Choices>());
  trace.sha256 = trace_sha256(trace.counts());
  trace.owner = {{"licence", text.at("licence")}, {"source", text.at("source")}};
  return trace;
}

std::vector<LibraryTrace> make_library(const fs::path& directory) {
  std::vector<LibraryTrace> traces;
  const auto add = [&traces](const fs::path& folder, LibraryTrace (*read)(const fs::path&)) {
    for (const fs::path& path : recipe_files(folder)) {
      try {
        traces.push_back(read(path));
      } catch (const std::exception& error) {
        throw std::invalid_argument{path.string() + ": " + error.what()};
      }
    }
  };
  add(directory / "recipes", made);
  if (fs::exists(directory / "recordings")) add(directory / "recordings", read_recording);
  return traces;
}

std::string library_catalog(const std::vector<LibraryTrace>& traces) {
  nlohmann::ordered_json catalog = nlohmann::ordered_json::array();
  for (const LibraryTrace& trace : traces)
    catalog.push_back({{"name", trace.name},
                       {kind(trace), origin_name(trace)},
                       {"sha256", trace.sha256},
                       {"duration_s", static_cast<double>(trace.counts().size() - 1) / 1000.0},
                       {"mean_mbps", trace_stats(trace.counts()).mean_mbps}});
  return catalog.dump(2) + "\n";
}

std::vector<std::string> library_differences(const std::vector<LibraryTrace>& traces, const fs::path& directory) {
  const json catalog = json::parse(read_text(directory / "catalog.json"), nullptr, false);
  if (!catalog.is_array()) throw std::invalid_argument{(directory / "catalog.json").string() + " is not a JSON list"};
  std::set<std::pair<std::string, std::string>> known;
  for (const json& entry : catalog)
    known.emplace(entry.value("recipe", entry.value("recording", "")), entry.value("sha256", ""));
  std::vector<std::string> different;
  for (const LibraryTrace& trace : traces)
    if (known.erase({origin_name(trace), trace.sha256}) == 0) different.push_back(origin_name(trace));
  for (const auto& [origin, sha256] : known)
    if (std::find(different.begin(), different.end(), origin) == different.end()) different.push_back(origin);
  return different;
}

void write_library(const std::vector<LibraryTrace>& traces, const fs::path& directory) {
  const fs::path made = directory / "made";
  fs::create_directories(made);
  std::set<std::string> wanted{"library.json"};
  json records = json::array();
  for (const LibraryTrace& trace : traces) {
    std::string text;
    write_ms_count(trace.counts(), [&text](std::string_view piece) { text += piece; });
    replace_file(made / file_name(trace), gzip(text));
    records.push_back(record(trace));
    wanted.insert(file_name(trace));
  }
  replace_file(made / "library.json", records.dump() + "\n");
  for (const auto& entry : fs::directory_iterator{made})
    if (!wanted.contains(entry.path().filename().string())) fs::remove(entry.path());
}

}  // namespace paceline
