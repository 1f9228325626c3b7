#include "c_abi/paceline_histogram.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "metrics/summary.hh"

struct paceline_histogram {
  paceline::DelayHistogram delays{};
};

paceline_histogram* paceline_histogram_create() {
  try {
    return new paceline_histogram;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void paceline_histogram_destroy(paceline_histogram* histogram) { delete histogram; }

void paceline_histogram_add(paceline_histogram* histogram, int64_t delay_ns, uint32_t weight) {
  if (histogram != nullptr && weight > 0) histogram->delays.add({delay_ns}, weight);
}

void paceline_histogram_read(const paceline_histogram* histogram, paceline_delays* out) {
  const paceline::DelayStats stats =
      histogram == nullptr ? paceline::DelayStats{} : paceline::stats_of(histogram->delays);
  *out = {.count = stats.count,
          .mean_ms = stats.mean_ms,
          .p50_ms = stats.p50_ms,
          .p95_ms = stats.p95_ms,
          .p99_ms = stats.p99_ms,
          .max_ms = stats.max_ms};
}

size_t paceline_histogram_spread(const paceline_histogram* histogram, double* out, size_t room) {
  if (histogram == nullptr) return 0;
  try {
    const std::vector<double> all = histogram->delays.spread();
    std::copy_n(all.begin(), std::min(room, all.size()), out);
    return all.size();
  } catch (const std::exception&) {
    return 0;
  }
}
