#pragma once
// The exact figures of a run (protocol/summary.ts), and how a distribution becomes one of them.

#include "core/histogram.hh"
#include "metrics/summary.gen.hh"

namespace paceline {

[[nodiscard]] inline DelayStats stats_of(const DelayHistogram& h) {
  if (h.count() == 0) return {};
  return {.count = h.count(),
          .mean_ms = h.mean_ms(),
          .p50_ms = h.percentile_ms(0.50),
          .p95_ms = h.percentile_ms(0.95),
          .p99_ms = h.percentile_ms(0.99),
          .max_ms = h.max().to_millis()};
}

}  // namespace paceline
