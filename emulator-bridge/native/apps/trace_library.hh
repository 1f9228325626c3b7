#pragma once
// The library of synthetic traces: everything but the recipes is made from the recipes.

#include <filesystem>
#include <string>
#include <vector>

namespace paceline {

struct LibraryFile {
  std::string name{};
  std::string content{};
};

// From `directory`/recipes/*.json: one canonical trace NAME.trace per recipe NAME.json, and catalog.json. Sorted by
// name. Throws std::invalid_argument naming the recipe that is wrong.
[[nodiscard]] std::vector<LibraryFile> make_library(const std::filesystem::path& directory);

}  // namespace paceline
