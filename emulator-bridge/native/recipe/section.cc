#include "recipe/section.hh"

#include <cmath>
#include <stdexcept>

namespace paceline {

using nlohmann::json;

namespace {

std::string quoted(const char* key) { return '"' + std::string{key} + '"'; }

std::string range(double least, double most) { return " from " + json(least).dump() + " to " + json(most).dump(); }

bool within(const json& value, double least, double most) {
  return value.is_number() && value.get<double>() >= least && value.get<double>() <= most;
}

}  // namespace

RecipeSection::RecipeSection(const json& object, std::string where) : object_{object}, where_{std::move(where)} {
  if (!object.is_object()) refuse("must be an object");
}

void RecipeSection::refuse(const std::string& why) const {
  throw std::invalid_argument{"recipe, " + where_ + ": " + why};
}

const json& RecipeSection::any(const char* key) {
  static const json kNothing{};
  asked_.insert(key);
  const auto found = object_.find(key);
  return found == object_.end() ? kNothing : *found;
}

double RecipeSection::number(const char* key, double least, double most) {
  const json& value = any(key);
  if (!value.is_number()) refuse(quoted(key) + " must be a number");
  if (!within(value, least, most)) refuse(quoted(key) + " must be" + range(least, most));
  return value.get<double>();
}

double RecipeSection::number_or(const char* key, double least, double most, double otherwise) {
  return has(key) ? number(key, least, most) : otherwise;
}

uint32_t RecipeSection::whole(const char* key, double least, double most) {
  const double value = number(key, least, most);
  if (value != std::floor(value)) refuse(quoted(key) + " must be a whole number");
  return static_cast<uint32_t>(value);
}

std::string RecipeSection::text(const char* key) {
  const json& value = any(key);
  if (!value.is_string()) refuse(quoted(key) + " must be text");
  return value.get<std::string>();
}

RecipeSection RecipeSection::section(const char* key) {
  const json& value = any(key);
  if (value.is_null()) refuse(quoted(key) + " is missing");
  return RecipeSection{value, where_ == "top level" ? key : where_ + "." + key};
}

std::vector<double> RecipeSection::numbers(const char* key, std::size_t length, double least, double most) {
  const json& list = any(key);
  const std::string what = length == 0 ? "numbers" : std::to_string(length) + " numbers";
  if (!list.is_array() || list.empty() || (length > 0 && list.size() != length))
    refuse(quoted(key) + " must be a list of " + what);
  std::vector<double> out;
  for (const json& value : list) {
    if (!within(value, least, most)) refuse(quoted(key) + " must be a list of " + what + range(least, most));
    out.push_back(value.get<double>());
  }
  return out;
}

std::vector<std::vector<double>> RecipeSection::rows(const char* key, std::size_t length, double least, double most) {
  const json& list = any(key);
  if (!list.is_array() || list.empty()) refuse(quoted(key) + " must be a list of at least one entry");
  std::vector<std::vector<double>> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = std::string{key} + "[" + std::to_string(i) + "]";
    const json row{{place, list[i]}};
    out.push_back(RecipeSection{row, where_}.numbers(place.c_str(), length, least, most));
  }
  return out;
}

void RecipeSection::no_more() const {
  for (const auto& [key, value] : object_.items())
    if (!asked_.contains(key)) refuse("unknown key \"" + key + "\"");
}

}  // namespace paceline
