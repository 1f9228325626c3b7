#pragma once
// What the model of a recipe knows of its trace beside the opportunities, as `paceline-trace marks` tells it.

#include <cstddef>
#include <string_view>

#include <nlohmann/json.hpp>

namespace paceline {

// Of more than that the first ones are told, and how many there are.
inline constexpr std::size_t kMostTraceMarks = 2000;

// Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] nlohmann::json trace_marks(std::string_view recipe);

}  // namespace paceline
