#pragma once
// Times without any capacity that have nothing to do with the signal: handovers of a network whose cells are not modelled,
// and gaps of scheduler and beam.

#include <algorithm>
#include <string_view>

#include "channel/portable_math.hh"

namespace paceline {

struct Interruptions {
  double per_s{};
  double shortest_ms{};
  double longest_ms{};
  double mean_ms{};  // 0: uniform between shortest and longest; else Gamma(2) of this mean
};

class InterruptionProcess {
 public:
  InterruptionProcess(const Interruptions& model, uint64_t seed, std::string_view process)
      : model_{model}, draws_{seed, 0, process}, next_s_{model.per_s > 0 ? draws_.exponential(1 / model.per_s) : 0} {}

  // The share of the coming `seconds` that is left.
  double advance(double seconds) {
    begun_s_ = 0;
    if (model_.per_s <= 0) return 1;
    next_s_ -= seconds;
    if (next_s_ <= 0) {
      next_s_ += draws_.exponential(1 / model_.per_s);
      const double half = model_.mean_ms / 2;
      const double ms = model_.mean_ms > 0 ? draws_.exponential(half) + draws_.exponential(half)
                                           : draws_.uniform(model_.shortest_ms, model_.longest_ms);
      left_s_ = std::max(left_s_, ms / 1000);
      begun_s_ = left_s_;
    }
    const double out = std::min(left_s_, seconds);
    left_s_ -= out;
    return 1 - out / seconds;
  }

  // How long the one lasts that the latest step began; 0: it began none.
  [[nodiscard]] double begun_s() const { return begun_s_; }

 private:
  Interruptions model_;
  Draws draws_;
  double next_s_;
  double begun_s_{};
  double left_s_{};
};

}  // namespace paceline
