#pragma once
// Path element: each packet is lost with the same probability, independently of all others.

#include <cstdint>

#include "core/random.hh"

namespace paceline {

class RandomLoss {
 public:
  RandomLoss(double probability, Random random) : probability_{probability}, random_{random} {}

  void set_probability(double probability) { probability_ = probability; }
  [[nodiscard]] bool takes_next() { return probability_ > 0 && random_.chance(probability_); }

 private:
  double probability_;
  Random random_;
};

}  // namespace paceline
