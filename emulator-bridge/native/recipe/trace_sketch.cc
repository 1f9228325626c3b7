#include "recipe/trace_sketch.hh"

#include <nlohmann/json.hpp>

#include "formats/trace_report.hh"
#include "trace/stats.hh"

namespace paceline {

nlohmann::json trace_sketch_json(std::span<const uint32_t> counts, uint64_t bins) {
  const TraceStats stats = trace_stats(counts);
  return {{"period_ms", stats.period_ms},
          {"mean_mbps", stats.mean_mbps},
          {"std_10ms_mbps", stats.std_10ms_mbps},
          {"std_1s_mbps", stats.std_1s_mbps},
          {"peak_10ms_mbps", stats.peak_10ms_mbps},
          {"peak_1s_mbps", stats.peak_1s_mbps},
          {"share_below_5mbps_10ms", stats.share_below_5mbps_10ms},
          {"share_below_5mbps_1s", stats.share_below_5mbps_1s},
          {"longest_gap_ms", stats.longest_gap_ms},
          {"preview", trace_preview_json(trace_preview(counts, bins, 0, stats.period_ms))}};
}

}  // namespace paceline
