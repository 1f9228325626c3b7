#include "manifest/weights_file.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/fail.hh"
#include "manifest/fields.hh"
#include "manifest/json_text.hh"
#include "program/refusal.hh"

namespace paceline {
namespace {

using nlohmann::json;

constexpr std::size_t kMostInputs = 4096;  // of the first layer
constexpr int64_t kMostHistory = 100;
constexpr std::size_t kMostLayers = 8;
constexpr std::size_t kMostUnits = 4096;       // of a layer
constexpr std::size_t kMostNumbers = 2 << 20;  // weights and biases together
constexpr std::size_t kMostText = 10'000;      // characters of a name or a note

std::string at(std::string_view list, std::size_t i) { return std::string{list} + "[" + std::to_string(i) + "]"; }

float number_at(const json& value, const std::string& where) {
  if (!value.is_number()) fail(Refusal{where, "must be a number"});
  const auto number = value.get<double>();
  if (!(std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max())))
    fail(Refusal{where, "does not fit a 32-bit floating-point number"});
  return static_cast<float>(number);
}

std::vector<float> numbers(Fields& fields, std::string_view key, std::size_t count) {
  const json& list = fields.array(key, count, count);
  std::vector<float> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(number_at(list[i], at(fields.path(key), i)));
  return all;
}

std::string short_text(Fields& fields, std::string_view key) {
  std::string text = fields.text(key);
  if (text.empty() || text.size() > kMostText)
    fail(Refusal{fields.path(key), "must have 1 to " + std::to_string(kMostText) + " characters"});
  return text;
}

void read_inputs(Fields& fields, FeedForward& network) {
  const json& names = fields.array("inputs", 1, kMostInputs);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].is_string()) fail(Refusal{at("inputs", i), "must be a string"});
    auto name = names[i].get<std::string>();
    if (std::ranges::find(network.inputs, name) != network.inputs.end())
      fail(Refusal{at("inputs", i), "\"" + name + "\" is there twice"});
    network.inputs.push_back(std::move(name));
  }
  if (fields.has("history")) network.history = static_cast<std::size_t>(fields.integer("history", 1, kMostHistory));
  if (network.width() > kMostInputs)
    fail(Refusal{"history", std::to_string(network.history) + " steps of " + std::to_string(network.inputs.size()) +
                                " inputs are more than " + std::to_string(kMostInputs) + " values"});
}

void read_normalisation(Fields& fields, FeedForward& network) {
  network.subtract.assign(network.inputs.size(), 0);
  network.divide.assign(network.inputs.size(), 1);
  if (!fields.has("normalise")) return;
  Fields normalise = fields.object("normalise");
  network.subtract = numbers(normalise, "subtract", network.inputs.size());
  network.divide = numbers(normalise, "divide", network.inputs.size());
  for (std::size_t i = 0; i < network.divide.size(); ++i)
    if (network.divide[i] == 0) fail(Refusal{at("normalise.divide", i), "must not be 0"});
  normalise.done();
}

void read_activation(Fields& fields, DenseLayer& layer) {
  const std::string name = fields.choice("activation", {"linear", "relu", "leaky_relu", "tanh"});
  if (name == "relu") layer.activation = Activation::relu;
  if (name == "tanh") layer.activation = Activation::tanh;
  if (name != "leaky_relu") return;
  layer.activation = Activation::leaky_relu;
  layer.slope = static_cast<float>(fields.number("slope", 0, 1));
}

DenseLayer layer_of(Fields fields, std::size_t inputs, std::size_t& numbers_left) {
  DenseLayer layer{.inputs = inputs};
  read_activation(fields, layer);
  const json& rows = fields.array("weights", 1, kMostUnits);
  layer.units = rows.size();
  const std::size_t count = layer.units * (inputs + 1);
  if (count > numbers_left)
    fail(Refusal{fields.path("weights"),
                 "the network has more than " + std::to_string(kMostNumbers) + " weights and biases"});
  numbers_left -= count;
  layer.weights.resize(layer.units * inputs);
  for (std::size_t unit = 0; unit < layer.units; ++unit) {
    const std::string where = at(fields.path("weights"), unit);
    if (!rows[unit].is_array()) fail(Refusal{where, "must be a list: the weights of one unit"});
    if (rows[unit].size() != inputs)
      fail(Refusal{where, "has " + std::to_string(rows[unit].size()) + " weights for " + std::to_string(inputs) +
                              " inputs of the layer"});
    for (std::size_t i = 0; i < inputs; ++i)
      layer.weights[i * layer.units + unit] = number_at(rows[unit][i], at(where, i));
  }
  layer.biases = numbers(fields, "bias", layer.units);
  fields.done();
  return layer;
}

void read_layers(Fields& fields, FeedForward& network) {
  const json& layers = fields.array("layers", 1, kMostLayers);
  std::size_t width = network.width();
  std::size_t numbers_left = kMostNumbers;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    network.layers.push_back(layer_of(Fields{layers[i], at("layers", i)}, width, numbers_left));
    width = network.layers.back().units;
  }
  if (width != 1)
    fail(Refusal{at("layers", layers.size() - 1) + ".weights",
                 "the last layer must have one unit, the action, not " + std::to_string(width)});
}

void read_bounds(Fields& fields, FeedForward& network) {
  if (!fields.has("bounds")) return;
  Fields bounds = fields.object("bounds");
  network.least = static_cast<float>(bounds.number("least", -1, 1));
  network.most = static_cast<float>(bounds.number("most", -1, 1));
  if (network.least > network.most) fail(Refusal{"bounds.least", "is greater than bounds.most"});
  bounds.done();
}

}  // namespace

FeedForward weights_of(std::string_view text) {
  const json document = json_of(text, "");
  if (!document.is_object()) fail(Refusal{"", "must be a JSON object"});
  Fields fields{document, ""};
  if (fields.text("format") != "paceline-weights")
    fail(Refusal{"format", "must be \"paceline-weights\": this is another kind of file"});
  if (fields.integer("version", 0, 1'000'000) != 1) fail(Refusal{"version", "this engine reads version 1"});
  FeedForward network;
  network.name = short_text(fields, "name");
  if (fields.has("note")) short_text(fields, "note");
  network.algorithm = short_text(fields, "algorithm");
  read_inputs(fields, network);
  read_normalisation(fields, network);
  read_layers(fields, network);
  read_bounds(fields, network);
  fields.done();
  return network;
}

}  // namespace paceline
