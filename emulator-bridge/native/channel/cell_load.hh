#pragma once
// Other users of the cell: each is on and off for exponential times; with n of them on, the scheduler serves this user one
// time in 1 + n. Draws per transmission interval, because that is how the capacity of LTE and 3G looks at 10 ms.

#include <cstdint>
#include <vector>

#include "channel/portable_math.hh"

namespace paceline {

struct CellLoad {
  uint32_t users{};
  double on_s{4};
  double off_s{6};
  double interval_ms{1};  // 0: an even share instead of draws
};

class CellLoadProcess {
 public:
  CellLoadProcess(const CellLoad& load, uint64_t seed)
      : load_{load}, sources_{seed, 0, "load"}, scheduler_{seed, 0, "scheduler"} {
    for (uint32_t i = 0; i < load.users; ++i) {
      const bool on = sources_.chance(load.on_s / (load.on_s + load.off_s));
      others_.push_back({.on = on, .left_s = sources_.exponential(on ? load.on_s : load.off_s)});
    }
  }

  // The share of the coming `seconds` that is this user's.
  double advance(double seconds) {
    if (others_.empty()) return 1;
    double on = 0;
    for (Source& other : others_) {
      other.left_s -= seconds;
      while (other.left_s <= 0) {
        other.on = !other.on;
        other.left_s += sources_.exponential(other.on ? load_.on_s : load_.off_s);
      }
      on += other.on ? 1 : 0;
    }
    const double share = 1 / (1 + on);
    const double interval_s = load_.interval_ms / 1000;
    if (interval_s < seconds) return share;
    interval_left_s_ -= seconds;
    if (interval_left_s_ < -seconds / 2) {  // half a step of tolerance: intervals are whole numbers of steps
      served_ = scheduler_.chance(share);
      interval_left_s_ = interval_s - seconds;
    }
    return served_ ? 1 : 0;
  }

 private:
  struct Source {
    bool on{};
    double left_s{};
  };
  CellLoad load_;
  Draws sources_;
  Draws scheduler_;
  std::vector<Source> others_{};
  double interval_left_s_{};
  bool served_{};
};

}  // namespace paceline
