#include "trace/texture.hh"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <vector>

#include "core/units.hh"

namespace paceline {

namespace {

// Rates of whole bins in (0, T].
std::vector<double> rates(std::span<const uint32_t> counts, std::size_t bin_ms) {
  std::vector<double> out;
  for (std::size_t from = 1; from + bin_ms <= counts.size(); from += bin_ms) {
    uint64_t sum = 0;
    for (std::size_t i = 0; i < bin_ms; ++i) sum += counts[from + i];
    out.push_back(static_cast<double>(sum) * static_cast<double>(kMtu.v) * 8 / 1000 / static_cast<double>(bin_ms));
  }
  return out;
}

double correlation_time_s(std::vector<double> v, double bin_s) {
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  for (double& x : v) x -= mean;
  const double variance = std::inner_product(v.begin(), v.end(), v.begin(), 0.0) / static_cast<double>(v.size());
  std::size_t lag = 1;
  for (; lag < v.size() / 2; ++lag) {
    const double products = std::inner_product(v.data() + lag, v.data() + v.size(), v.data(), 0.0);
    if (products / static_cast<double>(v.size() - lag) < variance * std::exp(-1.0)) break;
  }
  return static_cast<double>(lag) * bin_s;
}

}  // namespace

double largest_fall_3s_mbps(std::span<const double> fine) {
  constexpr std::size_t kMean = 50;                  // bins of 10 ms
  constexpr std::size_t kWithin = 300;               // means
  std::deque<std::pair<std::size_t, double>> peaks;  // falling: the front is the highest of the last three seconds
  double sum = 0;
  double fall = 0;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    sum += fine[i] - (i >= kMean ? fine[i - kMean] : 0);
    if (i + 1 < kMean) continue;
    const double mean = sum / static_cast<double>(kMean);
    while (!peaks.empty() && peaks.back().second <= mean) peaks.pop_back();
    peaks.emplace_back(i, mean);
    if (peaks.front().first + kWithin < i) peaks.pop_front();
    fall = std::max(fall, peaks.front().second - mean);
  }
  return fall;
}

TraceTexture trace_texture(std::span<const uint32_t> counts) {
  const std::vector<double> fine = rates(counts, 10);
  if (fine.size() < 4) return {};
  const std::vector<double> coarse = rates(counts, 100);
  return {.min_10ms_mbps = *std::min_element(fine.begin(), fine.end()),
          .acf_1e_10ms_s = correlation_time_s(fine, 0.01),
          .acf_1e_100ms_s = coarse.size() < 4 ? 0 : correlation_time_s(coarse, 0.1),
          .drop_3s_mbps = largest_fall_3s_mbps(fine)};
}

}  // namespace paceline
