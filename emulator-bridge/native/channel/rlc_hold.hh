#pragma once
// What a lost block does to in-order delivery: everything behind it waits and comes out in one millisecond. Volume is kept.
// The length of a hold is unit * G * U(0.6, 1.4) with G geometric, cut at a maximum.

#include <algorithm>
#include <cstdint>

#include "channel/portable_math.hh"

namespace paceline {

struct RlcHold {
  double per_s{};
  double again{0.5};  // probability of one more unit
  double unit_ms{12};
  double max_ms{100};
};

class RlcHoldProcess {
 public:
  RlcHoldProcess(const RlcHold& model, uint64_t seed)
      : model_{model}, draws_{seed, 0, "hold"}, next_s_{model.per_s > 0 ? draws_.exponential(1 / model.per_s) : 0} {}

  // The rate that comes out where `mbps` goes in for `seconds`; `last`: nothing comes after, let go of everything.
  double advance(double mbps, double seconds, bool last) {
    if (model_.per_s <= 0) return mbps;
    if (left_s_ <= 0) {
      next_s_ -= seconds;
      if (next_s_ <= 0) begin();
    }
    if (left_s_ <= 0) return mbps;
    held_ += mbps;
    left_s_ -= seconds;
    if (left_s_ > seconds / 2 && !last) return 0;
    left_s_ = 0;
    const double out = held_;
    held_ = 0;
    return out;
  }

 private:
  void begin() {
    next_s_ += draws_.exponential(1 / model_.per_s);
    double units = 1;
    while (draws_.chance(model_.again)) ++units;
    left_s_ = std::min(model_.unit_ms * units * draws_.uniform(0.6, 1.4), model_.max_ms) / 1000;
  }

  RlcHold model_;
  Draws draws_;
  double next_s_;
  double left_s_{};
  double held_{};  // rates of the steps that wait
};

}  // namespace paceline
