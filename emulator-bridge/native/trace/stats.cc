#include "trace/stats.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "trace/lap.hh"

namespace paceline {

namespace {

double mean(const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

double deviation(const std::vector<double>& v) {
  const double m = mean(v);
  const double squares =
      std::accumulate(v.begin(), v.end(), 0.0, [m](double s, double x) { return s + (x - m) * (x - m); });
  return std::sqrt(squares / static_cast<double>(v.size()));
}

double share_below(const std::vector<double>& v, double limit) {
  return static_cast<double>(std::count_if(v.begin(), v.end(), [limit](double x) { return x < limit; })) /
         static_cast<double>(v.size());
}

double nearest_rank(const std::vector<double>& sorted, double q) {
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

// First lag (s) at which the autocorrelation of 100 ms bins is below 1/e. The search is bounded: a trace of a day that
// correlates with itself over hours says nothing about congestion control.
std::optional<double> correlation_time(std::vector<double> v) {
  constexpr double kMaxWork = 5e8;
  const double m = mean(v);
  for (double& x : v) x -= m;
  const double variance = std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
  if (variance <= 0) return std::nullopt;
  const auto lags = static_cast<std::ptrdiff_t>(
      std::min(static_cast<double>(v.size()) / 2, kMaxWork / static_cast<double>(v.size())));
  const auto n = static_cast<double>(v.size());
  for (std::ptrdiff_t lag = 1; lag <= lags; ++lag) {
    const double products = std::inner_product(v.data() + lag, v.data() + v.size(), v.data(), 0.0);
    if (products / (n - static_cast<double>(lag)) < variance / n * std::exp(-1.0))
      return static_cast<double>(lag) / 10.0;
  }
  return std::nullopt;
}

// Is the trace a constant rate within blocks of `block` ms that begin after `phase`? Rounding to whole packets moves
// the running sum of a constant rate by less than one packet. Blocks with few packets fit any rate, so the trace must
// have enough of them.
bool constant_within(std::span<const uint32_t> counts, uint64_t block, uint64_t phase) {
  constexpr uint64_t kEnoughPackets = 8;
  constexpr double kShare = 0.95;  // sources have a few irregular rows
  uint64_t telling = 0;
  uint64_t constant = 0;
  uint64_t blocks = 0;
  for (uint64_t start = phase; start + block < counts.size(); start += block, ++blocks) {
    uint64_t total = 0;
    for (uint64_t i = 1; i <= block; ++i) total += counts[start + i];
    if (total < kEnoughPackets) continue;
    ++telling;
    uint64_t running = 0;
    bool fits = true;
    for (uint64_t i = 1; i <= block && fits; ++i) {
      running += counts[start + i];
      const double even = static_cast<double>(total) * static_cast<double>(i) / static_cast<double>(block);
      fits = std::abs(static_cast<double>(running) - even) < 1.0;
    }
    constant += fits ? 1 : 0;
  }
  return telling * 2 > blocks && static_cast<double>(constant) >= kShare * static_cast<double>(telling);
}

uint64_t resolution(std::span<const uint32_t> counts) {
  for (const uint64_t block : {1000U, 100U, 10U})
    if (constant_within(counts, block, 0)) return block;
  return 1;
}

void gaps(std::span<const uint32_t> counts, TraceStats& stats) {
  const auto filled = [](uint32_t n) { return n > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), filled);
  stats.first_ms = static_cast<uint64_t>(first - counts.begin());
  uint64_t last = stats.first_ms;
  for (uint64_t ms = last; ms < counts.size(); ++ms) {
    if (counts[ms] == 0) continue;
    stats.longest_gap_ms = std::max(stats.longest_gap_ms, ms - last);
    last = ms;
  }
  stats.last_ms = last;
  stats.wrap_gap_ms = stats.period_ms - last + stats.first_ms;
  stats.longest_gap_ms = std::max(stats.longest_gap_ms, stats.wrap_gap_ms);
}

}  // namespace

TraceStats trace_stats(std::span<const uint32_t> counts) {
  const Lap lap{counts};
  TraceStats stats{.period_ms = lap.period(), .opportunities = lap.sum(0, lap.period())};
  stats.mean_mbps = mbps_of(stats.opportunities, stats.period_ms);
  stats.max_per_ms = *std::max_element(counts.begin(), counts.end());
  gaps(counts, stats);

  constexpr double kOutage = 5.0;
  const std::vector<double> fine = lap.rates(10);
  stats.peak_10ms_mbps = *std::max_element(fine.begin(), fine.end());
  stats.std_10ms_mbps = deviation(fine);
  stats.share_below_5mbps_10ms = share_below(fine, kOutage);

  std::vector<double> seconds = lap.rates(1000);
  stats.std_1s_mbps = deviation(seconds);
  stats.share_below_5mbps_1s = share_below(seconds, kOutage);
  stats.empty_seconds = static_cast<uint64_t>(std::count(seconds.begin(), seconds.end(), 0.0));
  std::sort(seconds.begin(), seconds.end());
  stats.peak_1s_mbps = seconds.back();
  stats.p5_1s_mbps = nearest_rank(seconds, 0.05);
  stats.p95_1s_mbps = nearest_rank(seconds, 0.95);

  stats.acf_1e_s = correlation_time(lap.rates(100));
  stats.resolution_ms = resolution(counts);
  return stats;
}

TracePreview trace_preview(std::span<const uint32_t> counts, uint64_t bins, uint64_t from_ms, uint64_t to_ms) {
  constexpr uint64_t kPiece = 10;
  const Lap lap{counts};
  const uint64_t to = std::min(to_ms, lap.period());
  const uint64_t from = std::min(from_ms, to);
  const uint64_t wanted = (to - from + std::max<uint64_t>(bins, 1) - 1) / std::max<uint64_t>(bins, 1);
  // Below a piece: what divides it, so that bins of all zooms lie on one grid.
  const uint64_t bin = wanted <= 1 ? 1 : wanted <= 2 ? 2 : wanted <= 5 ? 5 : (wanted + kPiece - 1) / kPiece * kPiece;
  TracePreview preview{.bin_ms = bin};
  for (uint64_t start = from; start < to; start += preview.bin_ms) {
    const uint64_t end = std::min(start + preview.bin_ms, to);
    const double average = mbps_of(lap.sum(start, end), end - start);
    double least = average;
    double most_mbps = average;
    for (uint64_t piece = start; piece + kPiece <= end; piece += kPiece) {
      const double rate = mbps_of(lap.sum(piece, piece + kPiece), kPiece);
      least = std::min(least, rate);
      most_mbps = std::max(most_mbps, rate);
    }
    preview.mean_mbps.push_back(average);
    preview.min_mbps.push_back(least);
    preview.max_mbps.push_back(most_mbps);
  }
  return preview;
}

}  // namespace paceline
