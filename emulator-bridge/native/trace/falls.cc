#include "trace/falls.hh"

#include <algorithm>
#include <deque>

#include "trace/lap.hh"

namespace paceline {

std::vector<Fall> trace_falls(std::span<const uint32_t> counts) {
  constexpr uint64_t kBin = 10;
  constexpr std::size_t kMean = 10;    // bins
  constexpr std::size_t kLevel = 300;  // means: three seconds
  const std::vector<uint64_t> fine = Lap{counts}.bins(kBin);
  if (fine.size() < kMean || Lap{counts}.period() < kBin * kMean) return {};

  uint64_t total = 0;
  for (const uint64_t n : fine) total += n;
  // Opportunities in 100 ms; as whole numbers, so that "a fifth" is exact.
  std::vector<uint64_t> means(fine.size() - kMean + 1);
  for (std::size_t i = 0; i < kMean; ++i) means[0] += fine[i];
  for (std::size_t i = 1; i < means.size(); ++i) means[i] = means[i - 1] + fine[i + kMean - 1] - fine[i - 1];
  const auto high_enough = [&](uint64_t level) { return 2 * level * fine.size() >= total * kMean && level > 0; };
  const auto end_ms = [](std::size_t i) { return kBin * (i + kMean); };

  std::vector<Fall> falls;
  std::deque<std::size_t> peaks;  // falling: the front is the highest of the last three seconds
  bool fallen = false;
  uint64_t low = 0;
  for (std::size_t i = 0; i < means.size(); ++i) {
    if (fallen) {
      low = std::min(low, means[i]);
      if (means[i] == 0 || means[i] < 2 * low) continue;
      fallen = false;
    }
    while (!peaks.empty() && means[peaks.back()] <= means[i]) peaks.pop_back();
    peaks.push_back(i);
    if (peaks.front() + kLevel < i) peaks.pop_front();
    const uint64_t level = means[peaks.front()];
    if (!high_enough(level) || 5 * means[i] > level) continue;
    std::size_t begin = i;
    while (5 * means[begin] < 4 * level) --begin;
    falls.push_back({.from_ms = end_ms(begin),
                     .to_ms = end_ms(i),
                     .from_mbps = mbps_of(means[begin], kBin * kMean),
                     .to_mbps = mbps_of(means[i], kBin * kMean)});
    fallen = true;
    low = means[i];
    peaks.clear();
  }
  return falls;
}

}  // namespace paceline
