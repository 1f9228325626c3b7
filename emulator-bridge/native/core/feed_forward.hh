#pragma once
// A small feed-forward network: what a weights file holds (docs/weights.md), and its evaluation.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace paceline {

enum class Activation : uint8_t { linear, relu, leaky_relu, tanh };

// Every unit adds up all that comes in, each input times a weight of its own, and a bias.
struct DenseLayer {
  Activation activation{};
  float slope{};  // leaky_relu: below zero
  std::size_t inputs{};
  std::size_t units{};
  std::vector<float> weights{};  // those of the first input to every unit, those of the second …
  std::vector<float> biases{};   // one per unit
};

struct FeedForward {
  std::string name{};
  std::string algorithm{};            // for which it was made
  std::vector<std::string> inputs{};  // of one step, by name
  std::size_t history{1};             // steps that it sees, the oldest first
  std::vector<float> subtract{};      // per input of one step: (input - subtract) / divide goes in
  std::vector<float> divide{};
  std::vector<DenseLayer> layers{};  // the last one has one unit: the action
  float least{-1};                   // what is beyond is cut off
  float most{1};

  [[nodiscard]] std::size_t width() const { return inputs.size() * history; }  // of the first layer's input
};

// Evaluates one network. Takes its memory when it is made, and gives the same bits everywhere: each unit adds up its inputs in
// their order, and nothing comes from a mathematics library.
class Inference {
 public:
  explicit Inference(std::shared_ptr<const FeedForward> network);

  [[nodiscard]] const FeedForward& network() const { return *network_; }

  // The action for `input`, which has network().width() values, not yet normalised. A network that overflows does nothing: 0.
  [[nodiscard]] float run(std::span<const float> input);

 private:
  std::shared_ptr<const FeedForward> network_;
  std::vector<float> in_;
  std::vector<float> out_;
};

// Hyperbolic tangent by +, * and / alone, to 1e-12.
[[nodiscard]] double plain_tanh(double x);

}  // namespace paceline
