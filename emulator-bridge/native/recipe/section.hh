#pragma once
// One object of a recipe, read key by key. Errors name the place; keys that nobody asked for are refused.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace paceline {

class RecipeSection {
 public:
  // Throws std::invalid_argument when `object` is not an object.
  RecipeSection(const nlohmann::json& object, std::string where);

  // std::invalid_argument: "recipe, <place>: <why>".
  [[noreturn]] void refuse(const std::string& why) const;

  [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }
  double number(const char* key, double least, double most);
  double number_or(const char* key, double least, double most, double otherwise);
  uint32_t whole(const char* key, double least, double most);
  std::string text(const char* key);
  // The member as an object.
  RecipeSection section(const char* key);
  // Exactly `length` numbers (any number of them when 0).
  std::vector<double> numbers(const char* key, std::size_t length, double least, double most);
  // A list of such lists, each of `length` numbers.
  std::vector<std::vector<double>> rows(const char* key, std::size_t length, double least, double most);
  // The member as it is: null when it is not there.
  const nlohmann::json& any(const char* key);
  template <typename Choice>
  Choice choice(const char* key, const std::map<std::string, Choice>& choices) {
    const auto found = choices.find(text(key));
    if (found != choices.end()) return found->second;
    std::string names;
    for (const auto& [name, value] : choices) names += (names.empty() ? "" : ", ") + name;
    refuse('"' + std::string{key} + "\" must be one of: " + names);
  }

  // To be called when everything has been asked for.
  void no_more() const;

 private:
  const nlohmann::json& object_;
  std::string where_;
  std::set<std::string, std::less<>> asked_{};
};

}  // namespace paceline
