#pragma once
// What a recipe promises (`targets`), held against what it makes: the mean over several seeds of each statistic.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace paceline {

struct TargetResult {
  std::string statistic{};
  double made{};
  double from{};
  double to{};
  double published{};
  bool has_published{};
  [[nodiscard]] bool met() const { return made >= from && made <= to; }
};

struct RecipeResult {
  std::string name{};
  std::string source{};
  uint32_t seeds{};
  std::vector<TargetResult> targets{};
};

// The recipe's own seed and those that follow it. No targets: an empty list. Throws std::invalid_argument naming the place in the recipe.
[[nodiscard]] RecipeResult check_recipe(std::string_view text, uint32_t seeds);

[[nodiscard]] std::string target_table(const std::vector<RecipeResult>& results);
[[nodiscard]] nlohmann::json targets_json(const std::vector<RecipeResult>& results);

}  // namespace paceline
