#pragma once
// The library of synthetic traces. What is kept in the repository are the recipes and a catalog with the hash of what each
// one makes; the traces themselves are made from them, bit for bit the same on every machine.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace paceline {

struct LibraryTrace {
  std::string id{};  // the recipe's file name without its ending
  std::string name{};
  std::string description{};
  nlohmann::json about{};  // technology, place, former names: whatever the recipe says of it besides
  std::vector<uint32_t> counts{};
  std::string sha256{};
};

// A file is itself; of a folder the *.json in it, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> recipe_files(const std::filesystem::path& path);

// From `directory`/recipes/*.json. Throws std::invalid_argument naming the recipe that is wrong.
[[nodiscard]] std::vector<LibraryTrace> make_library(const std::filesystem::path& directory);

[[nodiscard]] std::string library_catalog(const std::vector<LibraryTrace>& traces);

// The ids of traces that are not what `directory`/catalog.json says, those of neither or only one of both included.
[[nodiscard]] std::vector<std::string> library_differences(const std::vector<LibraryTrace>& traces,
                                                           const std::filesystem::path& directory);

// Writes `directory`/made: NAME.trace.gz for each trace, and library.json with what there is to say about them.
void write_library(const std::vector<LibraryTrace>& traces, const std::filesystem::path& directory);

}  // namespace paceline
