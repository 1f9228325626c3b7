#pragma once
// Deterministic randomness: the same seed gives the same numbers on every compiler and standard library.

#include <cmath>
#include <cstdint>
#include <string_view>

#include "core/math.hh"

namespace paceline {

// splitmix64 finaliser (Steele, Lea, Flood 2014): decorrelates related seeds.
constexpr uint64_t mix64(uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// FNV-1a of a name: gives each random process of a run a stream of its own.
constexpr uint64_t fnv1a(std::string_view s) {
  uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : s) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

// xoshiro256** 1.0 (Blackman, Vigna 2018).
class Random {
 public:
  // A stream for one process of one run: switching a process off does not change the others' draws.
  Random(uint64_t run_seed, uint64_t entity, std::string_view process) {
    uint64_t z = mix64(run_seed ^ mix64(entity ^ mix64(fnv1a(process))));
    for (auto& word : s_) word = z = mix64(z);
  }

  uint64_t next() {
    const uint64_t result = rotl(s_[1] * 5, 7) * 9;
    const uint64_t t = s_[1] << 17;
    s_[2] ^= s_[0];
    s_[3] ^= s_[1];
    s_[1] ^= s_[2];
    s_[0] ^= s_[3];
    s_[2] ^= t;
    s_[3] = rotl(s_[3], 45);
    return result;
  }

  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
  double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
  // Uniform integer in [0, n), unbiased enough for n << 2^53; n must be > 0.
  uint64_t below(uint64_t n) { return static_cast<uint64_t>(uniform() * static_cast<double>(n)); }
  bool chance(double p) { return uniform() < p; }
  double exponential(double mean) { return -mean * exact::log1p(-uniform()); }

  // Standard normal draw by Marsaglia's polar method; the spare value is kept.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u{}, v{}, s{};
    do {
      u = uniform(-1, 1);
      v = uniform(-1, 1);
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double k = std::sqrt(-2 * exact::log(s) / s);
    spare_ = v * k;
    has_spare_ = true;
    return u * k;
  }

 private:
  static constexpr uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  uint64_t s_[4]{};
  double spare_{};
  bool has_spare_{};
};

}  // namespace paceline
