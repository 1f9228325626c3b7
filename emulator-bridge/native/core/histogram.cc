#include "core/histogram.hh"

#include <algorithm>
#include <cmath>

namespace paceline {

double DelayHistogram::percentile_ms(double share) const {
  const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(share * static_cast<double>(count_))));
  uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) return std::min(middle_of(bucket), static_cast<double>(max_.ns)) / 1e6;
  }
  return static_cast<double>(max_.ns) / 1e6;
}

void DelayHistogram::merge(const DelayHistogram& other) {
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) buckets_[bucket] += other.buckets_[bucket];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

std::vector<double> DelayHistogram::spread() const {
  std::vector<double> all;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket)
    if (buckets_[bucket] > 0) {
      all.push_back(middle_of(bucket) / 1e6);
      all.push_back(static_cast<double>(buckets_[bucket]));
    }
  return all;
}

std::vector<double> DelayHistogram::eighths() const {
  constexpr std::size_t kTogether = (std::size_t{1} << kSubBits) / 8;
  constexpr std::size_t kFirst = bucket_of(uint64_t{1} << 18);  // all below 2^18 ns are one
  std::vector<double> all;
  std::size_t from = 0;
  for (std::size_t to = kFirst; from < buckets_.size(); from = to, to += kTogether) {
    const std::size_t end = std::min(to, buckets_.size());
    uint64_t packets = 0;
    for (std::size_t bucket = from; bucket < end; ++bucket) packets += buckets_[bucket];
    if (packets == 0) continue;
    all.push_back(end_of(end - 1) / 1e6);
    all.push_back(static_cast<double>(packets));
  }
  return all;
}

}  // namespace paceline
