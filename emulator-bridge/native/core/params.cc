#include "core/params.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/fail.hh"
#include "core/number_text.hh"

namespace paceline {
namespace {

// One parameter, and whom to tell what is wrong with it.
struct Asked {
  [[noreturn]] void refuse(const std::string& why) const {
    told("parameter " + std::string{spec.name} + ": " + why);
    fail(std::logic_error("a refusal returned"));
  }

  const ParamSpec& spec;
  const Params::Refuse& told;
};

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const auto name : names) text += (text.empty() ? "" : ", ") + std::string{name};
  return text;
}

double resolve(const Asked& asked, const Params::Given::mapped_type& given) {
  const ParamSpec& spec = asked.spec;
  if (spec.type == ParamType::boolean) {
    const auto* flag = std::get_if<bool>(&given);
    if (!flag) asked.refuse("must be true or false");
    return *flag ? 1 : 0;
  }
  if (spec.type == ParamType::choice) {
    const auto* name = std::get_if<std::string>(&given);
    const auto found = name ? std::ranges::find(spec.choices, *name) : spec.choices.end();
    if (found == spec.choices.end()) asked.refuse("must be one of " + list(spec.choices));
    return static_cast<double>(found - spec.choices.begin());
  }
  const auto* number = std::get_if<double>(&given);
  if (!number || !std::isfinite(*number)) asked.refuse("must be a number");
  if (*number < spec.min || *number > spec.max) {
    asked.refuse(number_text(*number) + " is outside " + number_text(spec.min) + " to " + number_text(spec.max));
  }
  if (spec.type == ParamType::integer && *number != std::floor(*number)) asked.refuse("must be a whole number");
  return *number;
}

// Empty when it fits.
std::string network_fault(const FeedForward& network, const ParamSpec& spec) {
  const std::string algorithm{spec.algorithm};
  if (network.algorithm != algorithm)
    return "algorithm: the file is for \"" + network.algorithm + "\", not for " + algorithm;
  for (std::size_t i = 0; i < network.inputs.size(); ++i) {
    if (std::ranges::find(spec.choices, network.inputs[i]) == spec.choices.end())
      return "inputs[" + std::to_string(i) + "]: " + algorithm + " has no \"" + network.inputs[i] + "\", only " +
             list(spec.choices);
  }
  return {};
}

Params::Weights network_for(const Asked& asked, const Params::Given::mapped_type& given) {
  const auto* weights = std::get_if<Params::Weights>(&given);
  if (!weights) asked.refuse("must be a weights file");
  if (*weights) {
    if (const std::string fault = network_fault(**weights, asked.spec); !fault.empty()) asked.refuse(fault);
  }
  return *weights;
}

}  // namespace

void check_network(const FeedForward& network, const ParamSpec& spec) {
  if (const std::string fault = network_fault(network, spec); !fault.empty()) fail(std::invalid_argument(fault));
}

void Params::invalid_argument(const std::string& why) { fail(std::invalid_argument(why)); }

Params::Params(std::span<const ParamSpec> specs, const Given& given, const Refuse& refuse) : specs_{specs} {
  values_.reserve(specs.size());
  weights_.resize(specs.size());
  for (const auto& spec : specs) values_.push_back(spec.initial);
  for (const auto& [name, value] : given) {
    const auto found = std::ranges::find(specs, name, &ParamSpec::name);
    if (found == specs.end()) refuse("parameter " + name + " is not known");
    const auto at = static_cast<std::size_t>(found - specs.begin());
    if (found->type == ParamType::weights) {
      weights_[at] = network_for({*found, refuse}, value);
    } else {
      values_[at] = resolve({*found, refuse}, value);
    }
  }
  for (const auto& spec : specs) {
    const auto& [param, chosen] = spec.needed_with;
    if (!param.empty() && choice(param) == chosen && !weights(spec.name))
      Asked{spec, refuse}.refuse("must name a weights file when " + std::string{param} + " is " + std::string{chosen});
  }
}

std::size_t Params::index(std::string_view name) const {
  const auto found = std::ranges::find(specs_, name, &ParamSpec::name);
  if (found == specs_.end())
    fail(std::logic_error("a parameter is asked for that was never declared: " + std::string{name}));
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
