#include "trace/outages.hh"

#include <algorithm>

#include "trace/lap.hh"

namespace paceline {

namespace {

Outages summed_up(std::vector<Outage> all, double below_mbps, uint64_t period_ms) {
  Outages out{.below_mbps = below_mbps};
  std::vector<uint64_t> lengths;
  uint64_t total = 0;
  for (const Outage& outage : all) {
    lengths.push_back(outage.length_ms);
    total += outage.length_ms;
    const auto shorter = std::ranges::upper_bound(kOutageLengthsMs, outage.length_ms);
    ++out.lengths[static_cast<std::size_t>(shorter - kOutageLengthsMs.begin())];
  }
  out.share = static_cast<double>(total) / static_cast<double>(period_ms);
  if (!lengths.empty()) {
    std::sort(lengths.begin(), lengths.end());
    out.longest_ms = lengths.back();
    out.median_ms = lengths[(lengths.size() - 1) / 2];
  }
  out.all = std::move(all);
  return out;
}

}  // namespace

Outages silences(std::span<const uint32_t> counts) {
  const Lap lap{counts};
  const uint64_t period = lap.period();
  std::vector<Outage> all;
  uint64_t first = 0;
  while (first < period && lap.at(first) == 0) ++first;
  uint64_t last = first;
  for (uint64_t ms = first + 1; ms < period; ++ms) {
    if (lap.at(ms) == 0) continue;
    if (ms - last >= kShortestOutageMs) all.push_back({last, ms - last});
    last = ms;
  }
  const uint64_t over_the_end = period - last + first;
  if (over_the_end >= kShortestOutageMs) all.push_back({last, over_the_end});
  return summed_up(std::move(all), 0, period);
}

Outages outages_below(std::span<const uint32_t> counts, double mbps) {
  constexpr uint64_t kBin = 10;
  const Lap lap{counts};
  const uint64_t period = lap.period();
  std::vector<Outage> runs;
  for (uint64_t from = 0; from < period; from += kBin) {
    const uint64_t to = std::min(from + kBin, period);
    if (mbps_of(lap.sum(from, to), to - from) >= mbps) continue;
    if (!runs.empty() && runs.back().from_ms + runs.back().length_ms == from)
      runs.back().length_ms += to - from;
    else
      runs.push_back({from, to - from});
  }
  // What lasts to the end goes on at the start.
  if (runs.size() > 1 && runs.front().from_ms == 0 && runs.back().from_ms + runs.back().length_ms == period) {
    runs.back().length_ms += runs.front().length_ms;
    runs.erase(runs.begin());
  }
  std::erase_if(runs, [](const Outage& run) { return run.length_ms < kShortestOutageMs; });
  return summed_up(std::move(runs), mbps, period);
}

}  // namespace paceline
