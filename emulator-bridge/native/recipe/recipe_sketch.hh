#pragma once
// What a page shows while a recipe is being changed: RecipeSketch of protocol/recipe.ts.

#include <cstdint>
#include <iosfwd>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace paceline {

// Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] nlohmann::json recipe_sketch(std::string_view text, uint64_t bins);

// One line {"bins": N, "recipe": {…}} after the other, each answered by one line, {"sketch": {…}} or {"refused": "…"}, until
// there are no more: a program that stays sketches sooner than one that has to be started.
void answer_sketches(std::istream& in, std::ostream& out);

}  // namespace paceline
