#pragma once
// The `radio` model of a recipe.

#include "channel/radio_link.hh"
#include "recipe/section.hh"

namespace paceline {

// Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] RadioLink radio_link_from(RecipeSection model);

}  // namespace paceline
