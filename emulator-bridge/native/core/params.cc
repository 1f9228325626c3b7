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

double resolve(const ParamSpec& spec, const Params::Given::mapped_type& given) {
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

Params::Weights network_for(const ParamSpec& spec, const Params::Given::mapped_type& given) {
  const auto* weights = std::get_if<Params::Weights>(&given);
  if (!weights) refuse(spec, "must be a weights file");
  if (*weights) {
    try {
      check_network(**weights, spec);
    } catch (const std::invalid_argument& e) {
      refuse(spec, e.what());
    }
  }
  return *weights;
}

}  // namespace

void check_network(const FeedForward& network, const ParamSpec& spec) {
  const std::string algorithm{spec.algorithm};
  if (network.algorithm != algorithm)
    throw std::invalid_argument("algorithm: the file is for \"" + network.algorithm + "\", not for " + algorithm);
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    if (std::ranges::find(spec.choices, network.inputs[i]) == spec.choices.end())
      throw std::invalid_argument("inputs[" + std::to_string(i) + "]: " + algorithm + " has no \"" + network.inputs[i] +
                                  "\", only " + list(spec.choices));
  }
}

Params::Params(std::span<const ParamSpec> specs, const Given& given) : specs_{specs} {
  values_.reserve(specs.size());
  weights_.resize(specs.size());
  for (const auto& spec : specs) values_.push_back(spec.initial);
  for (const auto& [name, value] : given) {
    const auto found = std::ranges::find(specs, name, &ParamSpec::name);
    if (found == specs.end()) throw std::invalid_argument("parameter " + name + " is not known");
    const auto at = static_cast<std::size_t>(found - specs.begin());
    if (found->type == ParamType::weights) {
      weights_[at] = network_for(*found, value);
    } else {
      values_[at] = resolve(*found, value);
    }
  }
  for (const auto& spec : specs) {
    const auto& [param, chosen] = spec.needed_with;
    if (!param.empty() && choice(param) == chosen && !weights(spec.name))
      refuse(spec, "must name a weights file when " + std::string{param} + " is " + std::string{chosen});
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

const Params::Weights& Params::weights(std::string_view name) const { return weights_[index(name)]; }

}  // namespace paceline
