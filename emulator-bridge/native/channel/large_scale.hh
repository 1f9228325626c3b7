#pragma once
// What distance, buildings and shadowing take from the signal of one station: changes over metres, not milliseconds.

#include <array>
#include <cstdint>
#include <vector>

#include "channel/geometry.hh"
#include "channel/path_loss.hh"
#include "channel/spatial_noise.hh"

namespace paceline {

struct LargeScale {
  // Who decides on line of sight: the environment's probability at this distance, an exponential one of its own, nobody,
  // or the buildings of the plan.
  enum class Sight { environment, decay, always, buildings };

  Environment environment{Environment::umi};
  double carrier_ghz{28};
  double station_m{10};
  Sight sight{Sight::environment};
  double sight_near_m{};         // decay: certain up to here
  double sight_decay_m{100};     // decay: then to 1/e over so many metres
  double sight_correlation_m{};  // of the line-of-sight state; 0: the environment's
  double nlos_extra_db{};
  double shadow_scale{1};
};

class LargeScaleProcess {
 public:
  struct State {
    double loss_db{};
    double los{};  // 1 in line of sight, 0 out of it, in between at a corner
  };

  LargeScaleProcess(const LargeScale& model, Point station, const std::vector<Building>& buildings, uint64_t seed,
                    uint64_t cell);
  // The state one tick later, at `user`, `step_m` along the way.
  State advance(Point user, double step_m);

 private:
  [[nodiscard]] bool in_sight(Point user, double d2) const;

  LargeScale model_;
  Point station_;
  std::vector<Building> buildings_;
  SpatialNoise sight_;
  SpatialNoise shadow_los_;
  SpatialNoise shadow_nlos_;
  std::array<bool, 12> recent_{};  // 300 ms: nobody's signal turns a corner at once
  std::size_t next_{};
  bool begun_{};
};

}  // namespace paceline
