#pragma once
// Fast fading: Rice in line of sight, Rayleigh out of it, as sums of ten sinusoids per branch (Clarke, Jakes). The power
// is averaged over branches, because a wide channel spans several coherence bandwidths.

#include <cstdint>
#include <vector>

#include "channel/portable_math.hh"

namespace paceline {

struct Fading {
  uint32_t branches{4};
  double k_los_db{9};
  double doppler_factor{0.3};    // below 1: a beam narrows the spread of angles
  double surroundings_mps{0.3};  // least speed that matters: leaves and people move round a user who stands
};

class FadingProcess {
 public:
  FadingProcess(const Fading& fading, double carrier_ghz, uint64_t seed, uint64_t cell);
  // Speed of the coming steps of `seconds` each.
  void prepare(double speed_mps, double seconds);
  // Gain in dB after one more step; `los`: 1 in line of sight, 0 out of it, in between at a corner.
  double step(double los);

 private:
  static constexpr std::size_t kWaves = 10;
  struct Wave {
    double speed{};  // part of the Doppler frequency
    double turns{};  // when phases were last computed
  };
  struct Weights {
    double direct{};
    double scattered{};
  };
  static Weights weights(double k_db);
  void rotate();

  Fading fading_;
  double doppler_per_mps_;
  Weights los_;
  Weights nlos_;
  std::vector<Wave> waves_{};  // of each branch the ten scattered ones, then the direct one
  std::vector<double> cos_{};
  std::vector<double> sin_{};
  std::vector<double> turn_cos_{};
  std::vector<double> turn_sin_{};
  double turns_per_step_{};
  uint32_t steps_{};  // since then
  bool begun_{};
};

}  // namespace paceline
