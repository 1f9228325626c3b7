#pragma once
// Something in the way, from time to time: a body, a vehicle, or a beam that points where the user was. Poisson begin,
// exponential dwell, a fixed depth that is reached and left along a ramp.

#include <algorithm>
#include <string_view>

#include "channel/portable_math.hh"

namespace paceline {

struct Blockage {
  double per_s{};
  double dwell_s{};
  double depth_db{};
  double ramp_ms{1};
};

class BlockageProcess {
 public:
  BlockageProcess(const Blockage& blockage, uint64_t seed, uint64_t entity, std::string_view process)
      : blockage_{blockage},
        draws_{seed, entity, process},
        left_s_{blockage.per_s > 0 ? draws_.exponential(1 / blockage.per_s) : 0} {}

  // The loss in dB, `seconds` later.
  double advance(double seconds) {
    if (blockage_.per_s <= 0) return 0;
    left_s_ -= seconds;
    while (left_s_ <= 0) {
      blocked_ = !blocked_;
      left_s_ += draws_.exponential(blocked_ ? blockage_.dwell_s : 1 / blockage_.per_s);
    }
    const double target = blocked_ ? blockage_.depth_db : 0;
    const double most = blockage_.depth_db * seconds * 1000 / blockage_.ramp_ms;
    loss_db_ += std::clamp(target - loss_db_, -most, most);
    return loss_db_;
  }
  [[nodiscard]] bool blocked() const { return blocked_; }

 private:
  Blockage blockage_;
  Draws draws_;
  double left_s_;
  double loss_db_{};
  bool blocked_{};
};

}  // namespace paceline
