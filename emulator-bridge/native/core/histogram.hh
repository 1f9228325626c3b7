#pragma once
// Distribution of delays: exact count, mean and maximum; percentiles from buckets that are at most 1/128 wide, so that
// their middle is at most 0.4 % off. Adding costs one increment.

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/units.hh"

namespace paceline {

class DelayHistogram {
 public:
  DelayHistogram() : buckets_(kBuckets) {}

  void add(Duration delay, uint64_t weight = 1) {
    const auto v = static_cast<uint64_t>(delay.ns > 0 ? delay.ns : 0);
    buckets_[bucket_of(v)] += weight;
    count_ += weight;
    sum_ += static_cast<Wide>(v) * weight;
    if (delay > max_) max_ = delay;
  }
  // A delay of zero.
  void add_none() {
    ++buckets_[0];
    ++count_;
  }

  void merge(const DelayHistogram& other);

  [[nodiscard]] uint64_t count() const { return count_; }
  [[nodiscard]] Duration max() const { return max_; }
  [[nodiscard]] double mean_ms() const { return static_cast<double>(sum_) / static_cast<double>(count_) / 1e6; }
  // Nearest rank; share in (0, 1]. Needs count() > 0.
  [[nodiscard]] double percentile_ms(double share) const;
  // The middle of each bucket that holds any, in milliseconds, and how many.
  [[nodiscard]] std::vector<double> spread() const;
  // The same in eighths of an octave from a quarter of a millisecond on, each by the delay that none of it exceeds: so few that a summary can
  // keep them, and the share of what took longer is exact at each.
  [[nodiscard]] std::vector<double> eighths() const;

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr unsigned kSubBits = 7;  // buckets per octave: 2^7
  static constexpr std::size_t kBuckets = (64 - kSubBits) << kSubBits;

  // Values below 2^7 have a bucket each; above, the seven bits after the leading one choose.
  static constexpr std::size_t bucket_of(uint64_t v) {
    if (v < (1u << kSubBits)) return static_cast<std::size_t>(v);
    const auto shift = static_cast<unsigned>(std::bit_width(v)) - 1 - kSubBits;
    return static_cast<std::size_t>((static_cast<uint64_t>(shift) << kSubBits) + (v >> shift));
  }
  // The first value beyond it.
  static constexpr double end_of(std::size_t bucket) {
    if (bucket < (1u << (kSubBits + 1))) return static_cast<double>(bucket + 1);
    const auto shift = static_cast<unsigned>(bucket >> kSubBits) - 1;
    return static_cast<double>((((bucket & ((1u << kSubBits) - 1)) | (1u << kSubBits)) + 1) << shift);
  }
  static constexpr double middle_of(std::size_t bucket) {
    if (bucket < (1u << (kSubBits + 1))) return static_cast<double>(bucket);
    const auto shift = static_cast<unsigned>(bucket >> kSubBits) - 1;
    const uint64_t low = ((bucket & ((1u << kSubBits) - 1)) | (1u << kSubBits)) << shift;
    return static_cast<double>(low) + static_cast<double>(uint64_t{1} << shift) * 0.5;
  }

  std::vector<uint64_t> buckets_;
  uint64_t count_{};
  Wide sum_{};
  Duration max_{};
};

}  // namespace paceline
