#include "manifest/fields.hh"

#include <algorithm>
#include <cmath>

#include "core/fail.hh"
#include "core/number_text.hh"
#include "program/refusal.hh"

namespace paceline {

using nlohmann::json;

Fields::Fields(const json& value, std::string path) : value_{&value}, path_{std::move(path)} {
  if (!value.is_object()) fail(Refusal{path_.empty() ? "manifest" : path_, "must be an object"});
}

std::string Fields::path(std::string_view key) const {
  return path_.empty() ? std::string{key} : path_ + "." + std::string{key};
}

bool Fields::has(std::string_view key) const { return value_->contains(key); }

const json& Fields::any(std::string_view key) {
  const auto found = value_->find(key);
  if (found == value_->end()) fail(Refusal{path(key), "is missing"});
  asked_.emplace(key);
  return *found;
}

bool Fields::is_null(std::string_view key) { return any(key).is_null(); }

const json& Fields::array(std::string_view key, std::size_t least, std::size_t most) {
  const json& value = any(key);
  if (!value.is_array()) fail(Refusal{path(key), "must be a list"});
  if (value.size() < least || value.size() > most)
    fail(Refusal{path(key), "must have " + std::to_string(least) + " to " + std::to_string(most) + " entries"});
  return value;
}

std::string Fields::text(std::string_view key) {
  const json& value = any(key);
  if (!value.is_string()) fail(Refusal{path(key), "must be a string"});
  return value.get<std::string>();
}

std::string Fields::choice(std::string_view key, const std::vector<std::string_view>& choices) {
  std::string value = text(key);
  if (std::ranges::find(choices, value) != choices.end()) return value;
  std::string list;
  for (const auto choice : choices) list += (list.empty() ? "" : ", ") + std::string{choice};
  fail(Refusal{path(key), "\"" + value + "\" is not one of " + list});
}

double Fields::number(std::string_view key, double least, double most) {
  const json& value = any(key);
  if (!value.is_number()) fail(Refusal{path(key), "must be a number"});
  const auto v = value.get<double>();
  if (!(v >= least && v <= most))
    fail(Refusal{path(key), number_text(v) + " is outside " + number_text(least) + " to " + number_text(most)});
  return v;
}

int64_t Fields::integer(std::string_view key, int64_t least, int64_t most) {
  const double v = number(key, static_cast<double>(least), static_cast<double>(most));
  if (v != std::floor(v)) fail(Refusal{path(key), number_text(v) + " is not a whole number"});
  return any(key).is_number_float() ? static_cast<int64_t>(v) : any(key).get<int64_t>();
}

bool Fields::flag(std::string_view key) {
  const auto& v = any(key);
  if (!v.is_boolean()) fail(Refusal{path(key), "must be true or false"});
  return v.get<bool>();
}

void Fields::done() const {
  for (const auto& [key, unused] : value_->items())
    if (!asked_.contains(key)) fail(Refusal{path(key), "is not known"});
}

}  // namespace paceline
