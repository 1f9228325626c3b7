#pragma once
// The library of traces. What is kept in the repository are recipes, recordings by others that may be passed on, and a catalog
// with the hash of what comes of each; the traces are made from them, bit for bit the same on every machine.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/trace_file.hh"

namespace paceline {

struct LibraryTrace {
  std::string id{};  // the recipe's or recording's file name without its ending
  std::string name{};
  std::string description{};
  nlohmann::json about{};  // technology, place, former names: whatever the recipe says of it besides
  TraceFile file{};        // how it was read; of a recipe's: that it was made
  std::string sha256{};
  nlohmann::json owner{};  // of a recording: its `licence` and `source`; of a recipe null

  [[nodiscard]] bool recorded() const { return !owner.is_null(); }
  [[nodiscard]] const std::vector<uint32_t>& counts() const { return file.counts(); }
};

// A file is itself; of a folder the *.json in it, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> recipe_files(const std::filesystem::path& path);

// From `directory`/recipes/*.json, then `directory`/recordings/*.json if there are any. Throws std::invalid_argument naming the one that is wrong.
[[nodiscard]] std::vector<LibraryTrace> make_library(const std::filesystem::path& directory);

// One of `directory`/recordings/*.json, and the file that it names.
[[nodiscard]] LibraryTrace read_recording(const std::filesystem::path& path);

[[nodiscard]] std::string library_catalog(const std::vector<LibraryTrace>& traces);

// The ids of traces that are not what `directory`/catalog.json says, those of neither or only one of both included.
[[nodiscard]] std::vector<std::string> library_differences(const std::vector<LibraryTrace>& traces,
                                                           const std::filesystem::path& directory);

// Writes `directory`/made: NAME.trace.gz for each trace, and library.json with what there is to say about them.
void write_library(const std::vector<LibraryTrace>& traces, const std::filesystem::path& directory);

}  // namespace paceline
