// Networks: the sums, the activations, the normalisation and the bounds, against numbers worked out apart from the code.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/feed_forward.hh"

using namespace paceline;

namespace {

// Two inputs, three hidden units, one action.
FeedForward small(Activation activation) {
  return {.name = "by hand",
          .algorithm = "any",
          .inputs = {"a", "b"},
          .subtract = {1, -2},
          .divide = {2, 4},
          .layers = {
              {.activation = activation,
               .slope = 0.25F,
               .inputs = 2,
               .units = 3,
               .weights = {0.5F, -1, 2, 1, 0.25F, -0.5F},  // of a to the three units, of b to them
               .biases = {0.125F, 0, -1}},
              {.activation = Activation::tanh, .inputs = 3, .units = 1, .weights = {1, -2, 0.5F}, .biases = {0.1F}}}};
}

float action_of(const FeedForward& network, std::vector<float> input) {
  Inference inference{std::make_shared<const FeedForward>(network)};
  const float action = inference.run(input);
  CHECK(inference.run(input) == action);  // nothing is left over from one to the next
  return action;
}

}  // namespace

TEST_CASE("a network's output is what the sums say, for every activation") {
  // Normalised: a = (2 - 1) / 2 = 0.5, b = (0 + 2) / 4 = 0.5. Sums: 0.25 + 0.5 + 0.125 = 0.875, -0.5 + 0.125 = -0.375,
  // 1 - 0.25 - 1 = -0.25.
  const double hidden[3]{0.875, -0.375, -0.25};
  const auto expected = [&](auto&& f) { return std::tanh(f(hidden[0]) - 2 * f(hidden[1]) + 0.5 * f(hidden[2]) + 0.1); };
  const auto close = [](double value) { return doctest::Approx(value).epsilon(1e-5); };
  CHECK(action_of(small(Activation::linear), {2, 0}) == close(expected([](double x) { return x; })));
  CHECK(action_of(small(Activation::relu), {2, 0}) == close(expected([](double x) { return x > 0 ? x : 0; })));
  CHECK(action_of(small(Activation::leaky_relu), {2, 0}) ==
        close(expected([](double x) { return x > 0 ? x : 0.25 * x; })));
  CHECK(action_of(small(Activation::tanh), {2, 0}) == close(expected([](double x) { return std::tanh(x); })));
  // the same once more as plain numbers: 0.875 + 0.75 - 0.125 + 0.1 = 1.6; 0.975; 0.875 + 0.1875 - 0.03125 + 0.1 = 1.13125
  CHECK(action_of(small(Activation::linear), {2, 0}) == close(0.92166855));
  CHECK(action_of(small(Activation::relu), {2, 0}) == close(0.75089));
  CHECK(action_of(small(Activation::leaky_relu), {2, 0}) == close(0.81145));
}

TEST_CASE("the hyperbolic tangent is exact to 1e-12 without a mathematics library") {
  for (double x = -25; x <= 25; x += 0.0137) {
    CHECK(std::abs(plain_tanh(x) - std::tanh(x)) < 1e-12);
    CHECK(plain_tanh(-x) == -plain_tanh(x));
  }
  CHECK(plain_tanh(0) == 0);
  CHECK(plain_tanh(std::numeric_limits<double>::infinity()) == 1);
  CHECK(std::isnan(plain_tanh(std::numeric_limits<double>::quiet_NaN())));
}

TEST_CASE("what is beyond the bounds is cut off, and a network that overflows does nothing") {
  FeedForward network = small(Activation::linear);
  network.layers.back().activation = Activation::linear;
  CHECK(action_of(network, {2, 0}) == 1);  // 1.6
  network.most = 0.5F;
  CHECK(action_of(network, {2, 0}) == 0.5F);
  network.layers.front().weights.assign(6, 3e38F);
  network.layers.back().weights = {1, -1, 1};
  CHECK(action_of(network, {1e3F, 1e3F}) == 0);
}
