#include "apps/trace_report.hh"

#include <array>
#include <cstdio>
#include <vector>

#include <nlohmann/json.hpp>

namespace paceline {

using nlohmann::json;

namespace {

std::string seconds(uint64_t ms) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g s", static_cast<double>(ms) / 1000.0);
  return text.data();
}

// A recorder that sends too slowly shows as a plateau: much of the trace is delivered in milliseconds at the very
// maximum.
bool source_limited(std::span<const uint32_t> counts, const TraceStats& stats) {
  constexpr uint32_t kTellingMaximum = 20;  // 240 Mbps: below, few packets per millisecond make every trace look capped
  constexpr double kShare = 0.25;
  if (stats.max_per_ms < kTellingMaximum || stats.resolution_ms > 1) return false;
  uint64_t at_top = 0;
  for (const uint32_t n : counts)
    if (n + 1 >= stats.max_per_ms) at_top += n;
  return static_cast<double>(at_top) > kShare * static_cast<double>(stats.opportunities);
}

std::vector<std::string> warnings(std::span<const uint32_t> counts, const TraceStats& stats) {
  constexpr uint64_t kShortMs = 10'000;
  constexpr uint64_t kLongPauseMs = 1000;
  constexpr uint64_t kLateStartMs = 200;
  std::vector<std::string> out;
  if (stats.resolution_ms >= 100)
    out.push_back("The capacity is constant within each " + seconds(stats.resolution_ms) +
                  ": the source measured no finer, so the trace says nothing about shorter times.");
  if (stats.longest_gap_ms >= kLongPauseMs)
    out.push_back("Nothing is delivered for up to " + seconds(stats.longest_gap_ms) +
                  "; flows may time out there, and a queue that fills meanwhile overflows.");
  if (stats.first_ms >= kLateStartMs)
    out.push_back("The first opportunity comes after " + seconds(stats.first_ms) +
                  ": every lap begins with this pause.");
  if (stats.period_ms < kShortMs)
    out.push_back("The trace lasts only " + seconds(stats.period_ms) + " and repeats all the time.");
  if (source_limited(counts, stats))
    out.push_back("Much of the trace is at exactly its maximum of " + std::to_string(stats.max_per_ms) +
                  " packets per ms: probably the recorder's sending rate, not the channel's capacity.");
  return out;
}

}  // namespace

json trace_source_json(const TraceFile& file) {
  json options = json::array();
  for (const formats::Option& option : file.reading.options) {
    json choices = json::array();
    for (const auto& [value, label] : option.choices) choices.push_back({{"value", value}, {"label", label}});
    options.push_back({{"name", option.name},
                       {"label", option.label},
                       {"value", option.value},
                       {"choices", choices},
                       {"help", option.help}});
  }
  json columns = json::array();
  for (const formats::Column& column : file.reading.columns)
    columns.push_back({{"name", column.name}, {"samples", column.samples}});
  return {{"format", file.format->id},
          {"label", file.format->label},
          {"packing", file.packing.empty() ? json(nullptr) : json(file.packing)},
          {"bytes", file.reading.source_bytes},
          {"options", options},
          {"columns", columns},
          {"notes", file.reading.notes}};
}

json trace_info_json(const TraceFile& file, const TraceStats& stats, const std::string& sha256) {
  return {
      {"sha256", sha256},
      {"format", file.reading.form.empty() ? std::string{file.format->id} : file.reading.form},
      {"gzip", file.packing == "gzip"},
      {"period_ms", stats.period_ms},
      {"opportunities", stats.opportunities},
      {"first_ms", stats.first_ms},
      {"last_ms", stats.last_ms},
      {"mean_mbps", stats.mean_mbps},
      {"peak_10ms_mbps", stats.peak_10ms_mbps},
      {"peak_1s_mbps", stats.peak_1s_mbps},
      {"std_10ms_mbps", stats.std_10ms_mbps},
      {"std_1s_mbps", stats.std_1s_mbps},
      {"p5_1s_mbps", stats.p5_1s_mbps},
      {"p95_1s_mbps", stats.p95_1s_mbps},
      {"longest_gap_ms", stats.longest_gap_ms},
      {"wrap_gap_ms", stats.wrap_gap_ms},
      {"empty_seconds", stats.empty_seconds},
      {"share_below_5mbps_10ms", stats.share_below_5mbps_10ms},
      {"share_below_5mbps_1s", stats.share_below_5mbps_1s},
      {"max_per_ms", stats.max_per_ms},
      {"acf_1e_s", stats.acf_1e_s ? json(*stats.acf_1e_s) : json(nullptr)},
      {"resolution_ms", stats.resolution_ms},
      {"warnings", warnings(file.counts(), stats)},
      {"source", trace_source_json(file)},
  };
}

json trace_preview_json(const TracePreview& preview) {
  return {{"bin_ms", preview.bin_ms},
          {"mean_mbps", preview.mean_mbps},
          {"min_mbps", preview.min_mbps},
          {"max_mbps", preview.max_mbps}};
}

json trace_problem_json(const TraceError& error) {
  const auto& place = error.place();
  return {{"code", error.code()},
          {"line", place ? json(place->line) : json(nullptr)},
          {"text", place ? json(place->text) : json(nullptr)},
          {"message", error.message()},
          {"hint", error.hint().empty() ? json(nullptr) : json(error.hint())}};
}

}  // namespace paceline
