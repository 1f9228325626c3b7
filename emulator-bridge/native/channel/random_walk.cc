#include "channel/random_walk.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "channel/portable_math.hh"
#include "channel/rate_integrator.hh"

namespace paceline {

std::vector<uint32_t> random_walk_trace(const RandomWalk& walk) {
  if (walk.every_ms < 1) throw std::invalid_argument{"every_ms must be at least 1"};
  if (walk.min_mbps > walk.start_mbps || walk.start_mbps > walk.max_mbps)
    throw std::invalid_argument{"start_mbps must be from min_mbps to max_mbps"};
  Draws draws{walk.seed, 0, "random walk"};
  RateIntegrator integrator;
  double mbps = walk.start_mbps;
  for (uint32_t at = 0; at < walk.duration_ms; at += walk.every_ms) {
    const uint32_t length = std::min(walk.every_ms, walk.duration_ms - at);
    integrator.add(static_cast<uint64_t>(std::llround(mbps * 1000)) * 1000, Duration::millis(length));
    mbps += walk.step_mbps * draws.normal();
    if (mbps < walk.min_mbps) mbps = 2 * walk.min_mbps - mbps;
    if (mbps > walk.max_mbps) mbps = 2 * walk.max_mbps - mbps;
    mbps = std::clamp(mbps, walk.min_mbps, walk.max_mbps);
  }
  return integrator.finish();
}

}  // namespace paceline
