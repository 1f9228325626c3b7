#include "tests/hostile/subjects.hh"

#include <cmath>
#include <sstream>

namespace paceline::testing {
namespace {

// How many values a parameter has, if it is one of a few.
std::size_t choices_of(const ParamSpec& spec) {
  return spec.type == ParamType::choice ? spec.choices.size() : spec.type == ParamType::boolean ? 2 : 0;
}

Params::Given::mapped_type choice_value(const ParamSpec& spec, std::size_t chosen) {
  if (spec.type == ParamType::boolean) return chosen != 0;
  return std::string{spec.choices[chosen]};
}

double random_number(const ParamSpec& spec, Random& random) {
  const double kind = random.uniform();
  double value = kind < 0.15   ? spec.min
                 : kind < 0.3  ? spec.max
                 : kind < 0.65 ? random.uniform(spec.min, spec.max)
                               // near the usual value, whatever its order of magnitude
                               : spec.initial * std::exp(random.uniform(-2, 2));
  if (spec.type == ParamType::integer) value = std::round(value);
  return std::clamp(value, spec.min, spec.max);
}

// One to three layers with weights of any size; now and then so large that the network overflows.
Params::Weights random_network(const ParamSpec& spec, Random& random) {
  auto network = std::make_shared<FeedForward>();
  network->name = "random";
  network->algorithm = spec.algorithm;
  for (const std::string_view input : spec.choices)
    if (network->inputs.empty() || random.chance(0.5)) network->inputs.emplace_back(input);
  network->history = 1 + random.below(10);
  const float size = random.chance(0.1) ? 1e30f : static_cast<float>(random.uniform(0.01, 3));
  const auto draw = [&] { return size * static_cast<float>(random.normal()); };
  for (std::size_t i = 0; i < network->inputs.size(); ++i) {
    network->subtract.push_back(draw());
    network->divide.push_back(static_cast<float>(random.uniform(0.01, 10)));
  }
  std::size_t width = network->width();
  const std::size_t layers = 1 + random.below(3);
  for (std::size_t l = 1; l <= layers; ++l) {
    DenseLayer layer{.activation = static_cast<Activation>(random.below(4)),
                     .slope = 0.1f,
                     .inputs = width,
                     .units = l == layers ? 1 : 1 + random.below(16)};
    for (std::size_t i = 0; i < layer.inputs * layer.units; ++i) layer.weights.push_back(draw());
    for (std::size_t i = 0; i < layer.units; ++i) layer.biases.push_back(draw());
    width = layer.units;
    network->layers.push_back(std::move(layer));
  }
  return network;
}

Params::Given::mapped_type random_value(const ParamSpec& spec, Random& random) {
  if (const std::size_t count = choices_of(spec); count > 0) return choice_value(spec, random.below(count));
  return random_number(spec, random);
}

void add_networks(std::span<const ParamSpec> specs, Params::Given& given, Random& random) {
  for (const ParamSpec& spec : specs) {
    if (spec.type != ParamType::weights) continue;
    const auto policy = given.find(std::string{spec.needed_with.param});
    if (policy == given.end()) continue;
    if (const auto* chosen = std::get_if<std::string>(&policy->second); chosen && *chosen == spec.needed_with.value)
      given[std::string{spec.name}] = random_network(spec, random);
  }
}

}  // namespace

std::string Subject::name() const {
  std::string text{cca->id};
  if (variant) text.append(1, ' ').append(text_of({{std::string{variant->name}, choice_value(*variant, chosen)}}));
  return text;
}

std::vector<Subject> hostile_subjects() {
  std::vector<Subject> all;
  for (const Descriptor* cca : registered_ccas()) {
    if (cca->kind == Kind::ideal) continue;  // no sender
    all.push_back({.cca = cca});
    for (const ParamSpec& spec : cca->params)
      for (std::size_t chosen = 0; chosen < choices_of(spec); ++chosen)
        if (chosen != static_cast<std::size_t>(spec.initial))
          all.push_back({.cca = cca, .variant = &spec, .chosen = chosen});
  }
  return all;
}

Params::Given random_params(std::span<const ParamSpec> specs, Random& random, double moved) {
  Params::Given given;
  for (const ParamSpec& spec : specs)
    if (spec.type != ParamType::weights && random.chance(moved))
      given[std::string{spec.name}] = random_value(spec, random);
  add_networks(specs, given, random);
  return given;
}

Params::Given random_params(const Subject& subject, Random& random, double moved) {
  Params::Given given = random_params(subject.cca->params, random, moved);
  if (!subject.variant) return given;
  given[std::string{subject.variant->name}] = choice_value(*subject.variant, subject.chosen);
  for (const ParamSpec& spec : subject.cca->params)
    if (spec.type == ParamType::weights) given.erase(std::string{spec.name});
  add_networks(subject.cca->params, given, random);
  return given;
}

std::string text_of(const Params::Given& given) {
  std::ostringstream text;
  text.precision(17);
  for (const auto& [name, value] : given) {
    text << (text.tellp() > 0 ? ", " : "") << name << "=";
    if (const auto* flag = std::get_if<bool>(&value)) text << (*flag ? "true" : "false");
    if (const auto* number = std::get_if<double>(&value)) text << *number;
    if (const auto* word = std::get_if<std::string>(&value)) text << *word;
    if (std::get_if<Params::Weights>(&value)) text << "(a random network)";
  }
  return text.str();
}

}  // namespace paceline::testing
