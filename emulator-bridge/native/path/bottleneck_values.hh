#pragma once
// What a bottleneck tells as an element: the link's own and further ones alike.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "metrics/columns.gen.hh"
#include "metrics/summary.hh"
#include "path/registry.hh"

namespace paceline {

inline std::vector<ElementValue> bottleneck_columns() {
  return {
      {.name = "queue_bytes", .label = "queue", .unit = "B", .help = "Waiting at the end of the interval."},
      {.name = "queue_max_bytes",
       .label = "queue peak",
       .unit = "B",
       .help = "Most that waited at any moment of the interval."},
      {.name = "sojourn_mean_ms",
       .label = "queueing delay",
       .unit = "ms",
       .help = "Mean time in the queue of packets that left."},
      {.name = "sojourn_max_ms",
       .label = "queueing delay peak",
       .unit = "ms",
       .help = "Longest time in the queue of packets that left."},
      {.name = "capacity_mbps", .label = "capacity", .unit = "Mbps", .help = "Delivery opportunities as a rate."},
      {.name = "delivered_mbps", .label = "delivered", .unit = "Mbps", .help = "What left through them, as a rate."},
      {.name = "marked_packets",
       .label = "marked",
       .unit = "packets",
       .help = "Given a congestion-experienced mark by the queue."},
  };
}
// Without a limit there is no capacity to speak of.
inline void fill_columns(telemetry::LinkRow row, bool limited, std::span<float> values) {
  if (!limited) row.capacity_mbps = telemetry::kUnknown;
  std::ranges::copy(std::array{row.queue_bytes, row.queue_max_bytes, row.sojourn_mean_ms, row.sojourn_max_ms,
                               row.capacity_mbps, row.delivered_mbps, row.marked_packets},
                    values.begin());
}

inline std::vector<ElementValue> bottleneck_figures() {
  return {
      {.name = "capacity_mean_mbps", .label = "capacity", .unit = "Mbps", .help = "Mean from the first flow's start."},
      {.name = "utilisation_percent",
       .label = "utilisation",
       .unit = "%",
       .help = "Share of its delivery opportunities that carried something."},
      {.name = "queueing_delay_mean_ms", .label = "queueing delay", .unit = "ms", .help = "Mean."},
      {.name = "queueing_delay_p95_ms", .label = "queueing delay p95", .unit = "ms", .help = "95th percentile."},
      {.name = "queue_max_bytes", .label = "longest queue", .unit = "B", .help = "Most that ever waited."},
      {.name = "marked_packets",
       .label = "marked",
       .unit = "packets",
       .help = "Given a congestion-experienced mark by the queue."},
  };
}
inline void fill_figures(LinkSummary s, bool limited, std::span<double> values) {
  if (!limited) s.capacity_mean_mbps = s.utilisation = kNotMeasured;
  std::ranges::copy(
      std::array{s.capacity_mean_mbps, s.utilisation * 100, s.queueing_delay.mean_ms, s.queueing_delay.p95_ms,
                 static_cast<double>(s.queue_max_bytes), static_cast<double>(s.marked_packets)},
      values.begin());
}

}  // namespace paceline
