#include "channel/cellular_walk.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "channel/rate_integrator.hh"
#include "core/random.hh"

namespace paceline {

namespace {

// Math libraries differ in the last bit of exp and log. What comes out of them is put on a grid, so that such a
// difference cannot grow from step to step nor reach the trace (but for a tie, once in about 10^9 draws).
double on_grid(double value) {
  constexpr double kGrid = 1e-6;
  return std::round(value / kGrid) * kGrid;
}

// Unit Gaussian AR(1) in steps of one millisecond, started in its stationary distribution.
class Ar1 {
 public:
  Ar1(uint64_t seed, std::string_view process, double tau_ms)
      : random_{seed, 0, process},
        rho_{on_grid(std::exp(-1.0 / tau_ms))},
        noise_{std::sqrt(1.0 - rho_ * rho_)},
        value_{on_grid(random_.normal())} {}
  double next() {
    value_ = on_grid(rho_ * value_ + on_grid(noise_ * random_.normal()));
    return value_;
  }

 private:
  Random random_;
  double rho_;
  double noise_;
  double value_;
};

class WalkOutages {
 public:
  explicit WalkOutages(const CellularWalk& walk)
      : begin_{walk.seed, 0, "outage begin"},
        length_{walk.seed, 0, "outage length"},
        per_ms_{walk.outages_per_s / 1000.0},
        half_mean_ms_{walk.outage_mean_ms / 2.0} {}
  // Is this millisecond one of an outage?
  bool next() {
    const bool begins = begin_.chance(per_ms_);
    if (left_ms_ == 0 && begins)
      left_ms_ =
          1 + static_cast<int64_t>(on_grid(length_.exponential(half_mean_ms_) + length_.exponential(half_mean_ms_)));
    if (left_ms_ == 0) return false;
    --left_ms_;
    return true;
  }

 private:
  Random begin_;
  Random length_;
  double per_ms_;
  double half_mean_ms_;
  int64_t left_ms_{};
};

void check(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument{what};
}

void check(const CellularWalk& walk) {
  constexpr uint32_t kDay = 86'400'000;
  check(walk.duration_ms >= 1 && walk.duration_ms <= kDay, "duration_ms must be from 1 to 86400000");
  check(walk.min_mbps >= 0 && walk.min_mbps <= walk.median_mbps, "min_mbps must be from 0 to median_mbps");
  check(walk.max_mbps >= walk.median_mbps && walk.max_mbps <= 10'000, "max_mbps must be from median_mbps to 10000");
  check(walk.median_mbps > 0, "median_mbps must be above 0");
  check(walk.slow_sigma >= 0 && walk.slow_sigma <= 5, "slow_sigma must be from 0 to 5");
  check(walk.fast_sigma >= 0 && walk.fast_sigma <= 5, "fast_sigma must be from 0 to 5");
  check(walk.slow_tau_ms >= 1 && walk.slow_tau_ms <= kDay, "slow_tau_ms must be from 1 to 86400000");
  check(walk.fast_tau_ms >= 1 && walk.fast_tau_ms <= kDay, "fast_tau_ms must be from 1 to 86400000");
  check(walk.share >= 0.01 && walk.share <= 1, "share must be from 0.01 to 1");
  check(walk.outages_per_s >= 0 && walk.outages_per_s <= 1000, "outages_per_s must be from 0 to 1000");
  check(walk.outage_mean_ms >= 0 && walk.outage_mean_ms <= 3'600'000, "outage_mean_ms must be from 0 to 3600000");
}

}  // namespace

std::vector<uint32_t> cellular_walk_trace(const CellularWalk& walk) {
  check(walk);
  Ar1 slow{walk.seed, "slow", walk.slow_tau_ms};
  Ar1 fast{walk.seed, "fast", walk.fast_tau_ms};
  Random scheduler{walk.seed, 0, "scheduler"};
  WalkOutages outages{walk};
  RateIntegrator integrator;
  for (uint32_t ms = 0; ms < walk.duration_ms; ++ms) {
    const double exponent = walk.slow_sigma * slow.next() + walk.fast_sigma * fast.next();
    const double rate = std::clamp(walk.median_mbps * std::exp(exponent), walk.min_mbps, walk.max_mbps);
    const bool served = scheduler.chance(walk.share);
    const bool out = outages.next();
    const auto kbps = static_cast<uint64_t>(std::round(rate / walk.share * 1000.0));
    integrator.add(served && !out ? kbps * 1000 : 0, Duration::millis(1));
  }
  return integrator.finish();
}

}  // namespace paceline
