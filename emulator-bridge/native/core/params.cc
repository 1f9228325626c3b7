#include "core/params.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace paceline {
namespace {

[[noreturn]] void refuse(const ParamSpec& spec, const std::string& why) {
  throw std::invalid_argument("parameter " + std::string{spec.name} + ": " + why);
}

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const auto name : names) text += (text.empty() ? "" : ", ") + std::string{name};
  return text;
}

std::string plain(double v) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  return {text, end};
}

double resolve(const ParamSpec& spec, const std::variant<double, bool, std::string>& given) {
  if (spec.type == ParamType::boolean) {
    const auto* flag = std::get_if<bool>(&given);
    if (!flag) refuse(spec, "must be true or false");
    return *flag ? 1 : 0;
  }
  if (spec.type == ParamType::choice) {
    const auto* name = std::get_if<std::string>(&given);
    const auto found = name ? std::ranges::find(spec.choices, *name) : spec.choices.end();
    if (found == spec.choices.end()) refuse(spec, "must be one of " + list(spec.choices));
    return static_cast<double>(found - spec.choices.begin());
  }
  const auto* number = std::get_if<double>(&given);
  if (!number || !std::isfinite(*number)) refuse(spec, "must be a number");
  if (*number < spec.min || *number > spec.max) {
    refuse(spec, plain(*number) + " is outside " + plain(spec.min) + " to " + plain(spec.max));
  }
  if (spec.type == ParamType::integer && *number != std::floor(*number)) refuse(spec, "must be a whole number");
  return *number;
}

}  // namespace

Params::Params(std::span<const ParamSpec> specs, const Given& given) : specs_{specs} {
  values_.reserve(specs.size());
  for (const auto& spec : specs) values_.push_back(spec.initial);
  for (const auto& [name, value] : given) {
    const auto found = std::ranges::find(specs, name, &ParamSpec::name);
    if (found == specs.end()) throw std::invalid_argument("parameter " + name + " is not known");
    values_[static_cast<std::size_t>(found - specs.begin())] = resolve(*found, value);
  }
}

std::size_t Params::index(std::string_view name) const {
  const auto found = std::ranges::find(specs_, name, &ParamSpec::name);
  if (found == specs_.end())
    throw std::logic_error("a parameter is asked for that was never declared: " + std::string{name});
  return static_cast<std::size_t>(found - specs_.begin());
}

double Params::number(std::string_view name) const { return values_[index(name)]; }
int64_t Params::integer(std::string_view name) const { return std::llround(values_[index(name)]); }
bool Params::flag(std::string_view name) const { return values_[index(name)] != 0; }

std::string_view Params::choice(std::string_view name) const {
  const auto i = index(name);
  return specs_[i].choices[static_cast<std::size_t>(values_[i])];
}

}  // namespace paceline
