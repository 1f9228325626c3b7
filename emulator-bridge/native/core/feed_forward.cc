#include "core/feed_forward.hh"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

constexpr double kSaturated = 20;  // beyond, tanh is 1 to the last bit of a double

float activated(const DenseLayer& layer, float sum) {
  switch (layer.activation) {
    case Activation::linear:
      return sum;
    case Activation::relu:
      return sum > 0 ? sum : 0;
    case Activation::leaky_relu:
      return sum > 0 ? sum : layer.slope * sum;
    case Activation::tanh:
      return static_cast<float>(plain_tanh(static_cast<double>(sum)));
  }
  return sum;
}

std::size_t widest(const FeedForward& network) {
  std::size_t most = network.width();
  for (const DenseLayer& layer : network.layers) most = std::max(most, layer.units);
  return most;
}

}  // namespace

// Lambert's continued fraction x / (1 + x² / (3 + x² / (5 + …))) of an eighth, doubled three times.
double plain_tanh(double x) {
  if (std::isnan(x)) return x;
  if (std::abs(x) >= kSaturated) return x > 0 ? 1 : -1;
  const double eighth = x / 8;
  const double square = eighth * eighth;
  double below = 27;
  for (double odd = 25; odd >= 1; odd -= 2) below = odd + square / below;
  double t = eighth / below;
  for (int i = 0; i < 3; ++i) t = 2 * t / (1 + t * t);
  return t;
}

Inference::Inference(std::shared_ptr<const FeedForward> network)
    : network_{std::move(network)}, in_(widest(*network_)), out_(widest(*network_)) {}

float Inference::run(std::span<const float> input) {
  const FeedForward& n = *network_;
  const std::size_t step = n.inputs.size();
  for (std::size_t i = 0; i < n.width(); ++i) in_[i] = (input[i] - n.subtract[i % step]) / n.divide[i % step];
  for (const DenseLayer& layer : n.layers) {
    std::copy(layer.biases.begin(), layer.biases.end(), out_.begin());
    // Inputs outside, units inside: the compiler may take several units at once without changing any sum.
    const float* weight = layer.weights.data();
    float* const sum = out_.data();
    for (std::size_t i = 0; i < layer.inputs; ++i, weight += layer.units) {
      const float x = in_[i];
      for (std::size_t unit = 0; unit < layer.units; ++unit) sum[unit] += weight[unit] * x;
    }
    for (std::size_t unit = 0; unit < layer.units; ++unit) sum[unit] = activated(layer, sum[unit]);
    std::swap(in_, out_);
  }
  const float action = std::isfinite(in_[0]) ? in_[0] : 0;
  return std::clamp(action, n.least, n.most);
}

}  // namespace paceline
