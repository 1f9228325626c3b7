#pragma once
// Traces of the shipped library, made from their recipes.

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "recipe/recipe.hh"
#include "tests/repository.hh"

namespace paceline::testing {

inline std::string library_recipe(const std::string& id) {
  std::ifstream in{repository_root() / "traces" / "recipes" / (id + ".json"), std::ios::binary};
  return {std::istreambuf_iterator<char>{in}, {}};
}
inline std::vector<uint32_t> library_trace(const std::string& id) { return trace_from_recipe(library_recipe(id)); }

}  // namespace paceline::testing
