#include "c_abi/paceline_histogram.h"

#include <exception>

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
