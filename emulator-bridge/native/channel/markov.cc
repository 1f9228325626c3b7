#include "channel/markov.hh"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "channel/portable_math.hh"
#include "channel/rate_integrator.hh"

namespace paceline {

namespace {

std::size_t next_state(const std::vector<double>& weights, Draws& draws) {
  double left = draws.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t last = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) return i;
  }
  return last;  // rounding has left a remainder
}

void check(const Markov& chain) {
  for (std::size_t i = 0; i < chain.states.size(); ++i) {
    const std::vector<double>& next = chain.states[i].next;
    const std::string where = "states[" + std::to_string(i) + "].next ";
    if (next.size() != chain.states.size()) throw std::invalid_argument{where + "must have one weight for each state"};
    if (next[i] != 0) throw std::invalid_argument{where + "must be 0 for the state itself"};
    if (std::accumulate(next.begin(), next.end(), 0.0) <= 0) throw std::invalid_argument{where + "must not be all 0"};
  }
}

}  // namespace

std::vector<uint32_t> markov_trace(const Markov& chain) {
  check(chain);
  Draws draws{chain.seed, 0, "markov"};
  RateIntegrator integrator;
  std::size_t state = 0;
  for (uint32_t at = 0; at < chain.duration_ms;) {
    const MarkovState& now = chain.states[state];
    const double stay_ms = std::max(1.0, std::floor(draws.exponential(now.mean_ms) + 0.5));
    const auto length = static_cast<uint32_t>(std::min(stay_ms, static_cast<double>(chain.duration_ms - at)));
    integrator.add(static_cast<uint64_t>(std::llround(now.mbps * 1000)) * 1000, Duration::millis(length));
    at += length;
    state = next_state(now.next, draws);
  }
  return integrator.finish();
}

}  // namespace paceline
