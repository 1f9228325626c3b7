#pragma once
// Networks written by hand, for tests.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/feed_forward.hh"

namespace paceline::testing {

// One linear unit over `history` steps of the inputs, the oldest first: its output is their weighted sum and the bias.
inline std::shared_ptr<FeedForward> weighted_sum(std::string algorithm, std::vector<std::string> inputs,
                                                 std::vector<float> weights, float bias) {
  auto network = std::make_shared<FeedForward>();
  network->name = "a weighted sum";
  network->algorithm = std::move(algorithm);
  network->history = weights.size() / inputs.size();
  network->subtract.assign(inputs.size(), 0);
  network->divide.assign(inputs.size(), 1);
  network->inputs = std::move(inputs);
  network->layers = {
      {.inputs = weights.size(), .units = 1, .weights = std::move(weights), .biases = std::vector<float>{bias}}};
  return network;
}

// The same action whatever is measured.
inline std::shared_ptr<FeedForward> always(const std::string& algorithm, const std::string& input, float action) {
  return weighted_sum(algorithm, {input}, {0}, action);
}

}  // namespace paceline::testing
