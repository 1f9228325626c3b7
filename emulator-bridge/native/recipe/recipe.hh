#pragma once
// A recipe is a JSON data file from which a synthetic trace is made, the same bit for bit each time. See
// docs/traces.md.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "channel/radio_link.hh"

namespace paceline {

// What is to be other than the recipe says.
struct RecipeChanges {
  std::optional<uint32_t> seed{};
  std::optional<uint32_t> duration_ms{};
  std::optional<uint32_t> step_us{};  // of a `radio` model
};

// counts[0..T] of the recipe's trace. Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] std::vector<uint32_t> trace_from_recipe(std::string_view text, const RecipeChanges& changes = {});

// Throws std::invalid_argument when the recipe's model has no seed.
[[nodiscard]] uint32_t recipe_seed(std::string_view text);

// The same trace as it is made unchanged, with what its model knows of it beside the opportunities; other models than `radio` know nothing.
struct ToldTrace {
  std::vector<uint32_t> counts{};
  std::optional<RadioStory> story{};
};
[[nodiscard]] ToldTrace told_trace_from_recipe(std::string_view text);

// Of a recipe with a `radio` model: where the stations, the buildings and the user are.
[[nodiscard]] RadioPlan plan_from_recipe(std::string_view text, double every_s);

}  // namespace paceline
