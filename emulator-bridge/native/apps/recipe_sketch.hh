#pragma once
// What a page shows while a recipe is being changed: RecipeSketch of protocol/recipe.ts.

#include <cstdint>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace paceline {

// Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] nlohmann::json recipe_sketch(std::string_view text, uint64_t bins);

}  // namespace paceline
