#include "trace/dynamics.hh"

#include <algorithm>
#include <cmath>
#include <map>

#include "trace/autocorrelation.hh"
#include "trace/lap.hh"
#include "trace/texture.hh"

namespace paceline {

namespace {

// Of a longer series only so many values are correlated: three hours at 10 ms, a day at 100 ms.
constexpr std::size_t kMostValues = std::size_t{1} << 20U;

Memory memory(const Lap& lap, uint64_t bin_ms, std::size_t lags) {
  std::vector<double> rates = lap.rates(bin_ms);
  rates.resize(std::min(rates.size(), kMostValues));
  const std::vector<double> r = autocorrelation(rates, lags);
  Memory out{.bin_ms = bin_ms};
  const auto seconds = [bin_ms](std::size_t lag) { return static_cast<double>(lag * bin_ms) / 1000.0; };
  constexpr double kStep = 1.03;  // finer cannot be told apart on a logarithmic axis
  double due = 1;
  for (std::size_t lag = 1; lag < r.size(); ++lag) {
    if (static_cast<double>(lag) < due && lag + 1 < r.size()) continue;
    out.acf.push_back({seconds(lag), r[lag]});
    due = std::max(static_cast<double>(lag) + 1, static_cast<double>(lag) * kStep);
  }
  if (const auto lag = decorrelation_lag(r)) out.below_1e_s = seconds(*lag);
  return out;
}

void usual_count(std::span<const uint32_t> counts, TraceDynamics& dynamics) {
  std::map<uint32_t, uint64_t> milliseconds;
  uint64_t total = 0;
  for (const uint32_t n : counts) {
    if (n > 0) ++milliseconds[n];
    total += n;
  }
  uint64_t most = 0;
  for (const auto& [count, ms] : milliseconds)
    if (count * ms > most) {
      most = count * ms;
      dynamics.usual_per_ms = count;
    }
  dynamics.usual_share = static_cast<double>(most) / static_cast<double>(total);
}

}  // namespace

TraceDynamics trace_dynamics(std::span<const uint32_t> counts) {
  constexpr double kOutageMbps = 5;
  const Lap lap{counts};
  TraceDynamics out{.fine = memory(lap, 10, 6000),
                    .coarse = memory(lap, 100, 1200),
                    .silent = silences(counts),
                    .below_5mbps = outages_below(counts, kOutageMbps),
                    .falls = trace_falls(counts),
                    .largest_fall_3s_mbps = largest_fall_3s_mbps(lap.rates(10))};
  usual_count(counts, out);
  return out;
}

}  // namespace paceline
