#include "apps/trace_library.hh"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "apps/trace_file.hh"
#include "apps/trace_recipe.hh"
#include "link/trace_stats.hh"
#include "link/trace_write.hh"

namespace paceline {

namespace fs = std::filesystem;

namespace {

std::string read_text(const fs::path& path) {
  std::ifstream in{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in) throw std::invalid_argument{"cannot read " + path.string()};
  return text;
}

std::vector<fs::path> recipes(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{directory / "recipes"})
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<LibraryFile> make_library(const fs::path& directory) {
  std::vector<LibraryFile> files;
  nlohmann::ordered_json catalog = nlohmann::ordered_json::array();
  for (const fs::path& path : recipes(directory)) {
    try {
      const std::string text = read_text(path);
      const auto counts = trace_from_recipe(text);
      const auto recipe = nlohmann::json::parse(text);
      LibraryFile trace{.name = path.stem().string() + ".trace"};
      write_ms_count(counts, [&trace](std::string_view piece) { trace.content += piece; });
      const TraceStats stats = trace_stats(counts);
      catalog.push_back({{"name", recipe.at("name")},
                         {"file", trace.name},
                         {"description", recipe.at("description")},
                         {"recipe", "recipes/" + path.filename().string()},
                         {"sha256", trace_sha256(counts)},
                         {"period_ms", stats.period_ms},
                         {"mean_mbps", stats.mean_mbps}});
      files.push_back(std::move(trace));
    } catch (const std::exception& error) {
      throw std::invalid_argument{path.string() + ": " + error.what()};
    }
  }
  files.push_back({.name = "catalog.json", .content = catalog.dump(2) + "\n"});
  return files;
}

}  // namespace paceline
