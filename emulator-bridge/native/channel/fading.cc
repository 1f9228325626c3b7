#include "channel/fading.hh"

#include <algorithm>

namespace paceline {

FadingProcess::FadingProcess(const Fading& fading, double carrier_ghz, uint64_t seed, uint64_t cell)
    : fading_{fading},
      doppler_per_mps_{fading.doppler_factor * carrier_ghz * 1e9 / 299'792'458.0},
      los_{weights(fading.k_los_db)},
      nlos_{weights(-20)} {
  Draws draws{seed, cell, "fading"};
  for (std::size_t i = 0; i < fading.branches * (kWaves + 1); ++i)
    waves_.push_back({.speed = cis_of(draws.uniform()).cos, .turns = draws.uniform()});
  for (auto* list : {&cos_, &sin_, &turn_cos_, &turn_sin_}) list->resize(waves_.size());
}

FadingProcess::Weights FadingProcess::weights(double k_db) {
  const double k = from_db(k_db);
  return {.direct = std::sqrt(k / (k + 1)), .scattered = std::sqrt(1 / ((k + 1) * static_cast<double>(kWaves)))};
}

// Phases are computed anew when the speed changes and once in a while, so that rounding does not add up.
void FadingProcess::prepare(double speed_mps, double seconds) {
  constexpr uint32_t kSteps = 1000;
  const double turns = doppler_per_mps_ * std::max(speed_mps, fading_.surroundings_mps) * seconds;
  if (begun_ && turns == turns_per_step_ && steps_ < kSteps) return;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    Wave& wave = waves_[i];
    wave.turns += wave.speed * turns_per_step_ * steps_;
    wave.turns -= std::floor(wave.turns);
    const Cis now = cis_of(wave.turns);
    cos_[i] = now.cos;
    sin_[i] = now.sin;
  }
  steps_ = 0;
  if (begun_ && turns == turns_per_step_) return;
  begun_ = true;
  turns_per_step_ = turns;
  for (std::size_t i = 0; i < waves_.size(); ++i) {
    const Cis turn = cis_of(waves_[i].speed * turns_per_step_);
    turn_cos_[i] = turn.cos;
    turn_sin_[i] = turn.sin;
  }
}

void FadingProcess::rotate() {
  ++steps_;
  double* const cos = cos_.data();
  double* const sin = sin_.data();
  const double* const turn_cos = turn_cos_.data();
  const double* const turn_sin = turn_sin_.data();
  for (std::size_t i = 0, waves = cos_.size(); i < waves; ++i) {
    const double real = cos[i] * turn_cos[i] - sin[i] * turn_sin[i];
    sin[i] = cos[i] * turn_sin[i] + sin[i] * turn_cos[i];
    cos[i] = real;
  }
}

double FadingProcess::step(double los) {
  constexpr double kFaintest = 1e-12;
  rotate();
  double power_los = 0;
  double power_nlos = 0;
  for (std::size_t first = 0; first < cos_.size(); first += kWaves + 1) {
    const double* const cos = cos_.data() + first;
    const double* const sin = sin_.data() + first;
    double real = 0;
    double imaginary = 0;
    for (std::size_t i = 0; i < kWaves; ++i) {
      real += cos[i];
      imaginary += sin[i];
    }
    const auto power = [&](const Weights& w) {
      const double re = w.direct * cos[kWaves] + w.scattered * real;
      const double im = w.direct * sin[kWaves] + w.scattered * imaginary;
      return re * re + im * im;
    };
    power_los += power(los_);
    power_nlos += power(nlos_);
  }
  const double db_los = los > 0 ? to_db(std::max(power_los / fading_.branches, kFaintest)) : 0;
  const double db_nlos = los < 1 ? to_db(std::max(power_nlos / fading_.branches, kFaintest)) : 0;
  return los * db_los + (1 - los) * db_nlos;
}

}  // namespace paceline
