#include "embed/loops.hh"

#include <algorithm>
#include <mutex>
#include <vector>

#include "cca/policy.hh"

namespace paceline {

std::span<const std::string_view> loop_inputs(const Descriptor& cca) {
  // A network that acts there says for each of its inputs which of these it is.
  const auto weights = std::ranges::find(cca.params, ParamType::weights, &ParamSpec::type);
  return weights == cca.params.end() ? std::span<const std::string_view>{} : std::span{weights->choices};
}

std::span<const Descriptor* const> agent_loops() {
  static const std::vector<const Descriptor*> all = [] {
    std::vector<const Descriptor*> found;
    for (const Descriptor* cca : registered_ccas())
      if (!loop_inputs(*cca).empty()) found.push_back(cca);
    return found;
  }();
  return all;
}

std::shared_ptr<Agent> agent_here(const Setup& setup, const Params& params, std::span<const std::string_view> inputs) {
  if (setup.agent) return {std::shared_ptr<Agent>{}, setup.agent};
  if (!params.weights("weights")) return nullptr;
  return std::make_shared<NetworkAgent>(params.weights("weights"), inputs);
}

ParamSpec agent_weights(std::string_view algorithm, std::span<const std::string_view> inputs) {
  return {.name = "weights",
          .label = "Weights",
          .type = ParamType::weights,
          .unit = "",
          .choices = {inputs.begin(), inputs.end()},
          .algorithm = algorithm,
          .help = "The trained network that acts where nobody outside does; without one nothing changes."};
}

void add_agent_loops() {
  static std::once_flag once;
  std::call_once(once, [] { add_cca(agent_loop()); });
}

}  // namespace paceline
