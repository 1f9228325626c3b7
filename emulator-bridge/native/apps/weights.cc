// paceline-weights: checks a weights file.

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "cca/registry.hh"
#include "io/sha256.hh"
#include "manifest/weights_file.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"

namespace {

using namespace paceline;

constexpr std::string_view kHelp = R"(Usage: paceline-weights --file FILE

Checks a weights file (the network of a learned algorithm, docs/weights.md) and prints what is in it, as JSON.

  --file FILE         the weights file
  --help, --version

Exit codes: 0 it can be used, 1 failed, 2 it cannot, and why.
)";

// Where the algorithm takes a network.
const ParamSpec& weights_param_of(const FeedForward& network) {
  for (const Descriptor* cca : registered_ccas()) {
    const auto found = std::ranges::find(cca->params, ParamType::weights, &ParamSpec::type);
    if (found != cca->params.end() && found->algorithm == network.algorithm) return *found;
  }
  throw Refusal{"algorithm", "there is no \"" + network.algorithm + "\" that takes a network"};
}

nlohmann::ordered_json described(const FeedForward& network) {
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
  std::size_t numbers = 0;
  for (const DenseLayer& layer : network.layers) {
    layers.push_back(layer.units);
    numbers += layer.weights.size() + layer.biases.size();
  }
  return {{"name", network.name},       {"algorithm", network.algorithm}, {"inputs", network.inputs},
          {"history", network.history}, {"units", std::move(layers)},     {"numbers", numbers}};
}

}  // namespace

int main(int argc, char** argv) {
  return run_program({"paceline-weights", kHelp}, argc, argv, [&] {
    const Arguments arguments{argc, argv, {"--file"}, {}};
    const std::string text = read_weights_file(arguments.needed("--file"));
    const FeedForward network = weights_of(text);
    try {
      check_network(network, weights_param_of(network));
    } catch (const std::invalid_argument& e) {
      throw Refusal{"", e.what()};
    }
    Sha256 hash;
    hash.update(text);
    nlohmann::ordered_json answer{{"sha256", hash.finish()}};
    answer.update(described(network));
    const std::string line = answer.dump() + "\n";
    std::fwrite(line.data(), 1, line.size(), stdout);
  });
}
