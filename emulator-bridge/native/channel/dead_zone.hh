#pragma once
// Non-standalone 5G: where its signal dies the connection falls back to LTE, and comes back after it has been good for a
// while. Both changes interrupt.

#include <algorithm>
#include <cstdint>

#include "channel/spatial_noise.hh"

namespace paceline {

struct DeadZone {
  double release_db{-4};
  double release_ms{300};
  double return_db{2};
  double return_ms{1500};
  double lte_median_mbps{50};
  double lte_max_mbps{110};  // 0: there is no LTE below
};

class DeadZoneProcess {
 public:
  static constexpr double kTickMs = 25;

  DeadZoneProcess(const DeadZone& model, uint64_t seed)
      : model_{model},
        cuts_{seed, 0, "dead zone"},
        busy_{seed, 0, "LTE scheduler"},
        lte_{seed, 0, "LTE", kLteCorrelationM},
        busy_left_s_{busy_.exponential(kOnS)} {}

  [[nodiscard]] bool on_lte() const { return on_lte_; }

  // Takes the 5G signal's mean SNR of the last tick; returns how long the change that begins now interrupts, in ms.
  double tick(double snr_db, double step_m) {
    lte_.advance(step_m);
    average_db_ = begun_ ? average_db_ + (snr_db - average_db_) / 4 : snr_db;  // about 100 ms
    begun_ = true;
    const bool wants_change = on_lte_ ? average_db_ > model_.return_db : average_db_ < model_.release_db;
    waited_ms_ = wants_change ? waited_ms_ + kTickMs : 0;
    if (waited_ms_ < (on_lte_ ? model_.return_ms : model_.release_ms)) return 0;
    waited_ms_ = 0;
    on_lte_ = !on_lte_;
    return on_lte_ ? cuts_.uniform(40, 120) : cuts_.uniform(20, 40);
  }

  // LTE's rate over the coming `seconds`.
  double lte_mbps(double seconds) {
    busy_left_s_ -= seconds;
    while (busy_left_s_ <= 0) {
      served_ = !served_;
      busy_left_s_ += busy_.exponential(served_ ? kOnS : kOffS);
    }
    if (!served_) return 0;
    return std::min(model_.lte_max_mbps, model_.lte_median_mbps * exp_of(0.6 * lte_.value() - 0.18));
  }

 private:
  static constexpr double kLteCorrelationM = 40;
  static constexpr double kOnS = 0.40;
  static constexpr double kOffS = 0.08;

  DeadZone model_;
  Draws cuts_;
  Draws busy_;
  SpatialNoise lte_;
  double busy_left_s_;
  double average_db_{};
  double waited_ms_{};
  bool served_{true};
  bool on_lte_{};
  bool begun_{};
};

}  // namespace paceline
