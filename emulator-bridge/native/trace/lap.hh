#pragma once
// One lap of a trace, by phase: a trace repeats, and its last millisecond T is also millisecond 0 of the next lap; so bins are
// taken over [0, T) with the opportunities of T counted at 0.

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hh"

namespace paceline {

// Mbps of so many opportunities of 1500 bytes in so many milliseconds.
inline double mbps_of(uint64_t opportunities, uint64_t ms) {
  return static_cast<double>(opportunities) * static_cast<double>(kMtu.v) * 8.0 / 1000.0 / static_cast<double>(ms);
}

class Lap {
 public:
  // At least two entries, as in ParsedTrace.
  explicit Lap(std::span<const uint32_t> counts) : counts_{counts} {}
  [[nodiscard]] uint64_t period() const { return counts_.size() - 1; }
  [[nodiscard]] uint64_t at(uint64_t ms) const { return counts_[ms] + (ms == 0 ? uint64_t{counts_.back()} : 0); }
  [[nodiscard]] uint64_t sum(uint64_t from, uint64_t to) const {
    uint64_t total = from == 0 ? counts_.back() : 0;
    for (uint64_t ms = from; ms < to; ++ms) total += counts_[ms];
    return total;
  }
  // Opportunities of bins; one that the end cuts short is left out, unless it is the only one.
  [[nodiscard]] std::vector<uint64_t> bins(uint64_t bin_ms) const {
    if (period() < bin_ms) return {sum(0, period())};
    std::vector<uint64_t> out(period() / bin_ms);
    for (uint64_t i = 0; i < out.size(); ++i) out[i] = sum(i * bin_ms, (i + 1) * bin_ms);
    return out;
  }
  [[nodiscard]] std::vector<double> rates(uint64_t bin_ms) const {
    if (period() < bin_ms) return {mbps_of(sum(0, period()), period())};
    std::vector<double> out(period() / bin_ms);
    for (uint64_t i = 0; i < out.size(); ++i) out[i] = mbps_of(sum(i * bin_ms, (i + 1) * bin_ms), bin_ms);
    return out;
  }

 private:
  std::span<const uint32_t> counts_;
};

}  // namespace paceline
