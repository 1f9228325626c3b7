#include "formats/trace_report.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

#include "trace/flags.hh"

namespace paceline {

using nlohmann::json;

namespace {

json flag_json(const TraceFlag& flag) {
  json at = json::array();
  for (const FlagPlace& place : flag.at) at.push_back({place.from_ms, place.to_ms});
  return {{"id", flag.id}, {"says", flag.says}, {"advice", flag.advice}, {"places", flag.places}, {"at", at}};
}

std::vector<TraceFlag> flags_of(const TraceFile& file, const TraceStats& stats) {
  std::vector<TraceFlag> flags = trace_flags(file.counts(), stats, file.origin);
  if (file.cut_last_line)
    flags.push_back({.id = "no_final_newline",
                     .says = "The file's last line has no newline: it may have been cut off in the middle.",
                     .advice = "It was read as it stands. If the original is longer, bring that.",
                     .places = 1});
  return flags;
}

// Four digits are more than a figure shows.
double rounded(double value) { return std::round(value * 1e4) / 1e4; }

json memory_json(const Memory& memory) {
  json acf = json::array();
  for (const auto& [lag_s, r] : memory.acf) acf.push_back({lag_s, rounded(r)});
  return {{"bin_ms", memory.bin_ms},
          {"acf", acf},
          {"below_1e_s", memory.below_1e_s ? json(*memory.below_1e_s) : json(nullptr)}};
}

json outages_json(const Outages& outages) {
  constexpr std::size_t kMost = 2000;
  json at = json::array();
  for (const auto& [from_ms, length_ms] : outages.all)
    if (at.size() < kMost) at.push_back({from_ms, length_ms});
  return {{"below_mbps", outages.below_mbps},
          {"count", outages.all.size()},
          {"share", outages.share},
          {"longest_ms", outages.longest_ms},
          {"median_ms", outages.median_ms},
          {"lengths", outages.lengths},
          {"at", at}};
}

json falls_json(const TraceDynamics& dynamics) {
  constexpr std::size_t kMost = 500;
  std::vector<Fall> falls = dynamics.falls;
  std::ranges::stable_sort(falls, std::greater{}, &Fall::mbps_per_s);  // equal ones: the same in every library
  json at = json::array();
  for (const Fall& fall : falls)
    if (at.size() < kMost) at.push_back({fall.from_ms, fall.to_ms, rounded(fall.from_mbps), rounded(fall.to_mbps)});
  json out{{"count", falls.size()}, {"largest_3s_mbps", dynamics.largest_fall_3s_mbps}, {"at", at}};
  out["steepest_mbps_per_s"] = falls.empty() ? json(nullptr) : json(falls.front().mbps_per_s());
  out["median_mbps_per_s"] = falls.empty() ? json(nullptr) : json(falls[falls.size() / 2].mbps_per_s());
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
  json flags = json::array();
  json warnings = json::array();
  for (const TraceFlag& flag : flags_of(file, stats)) {
    flags.push_back(flag_json(flag));
    warnings.push_back(flag.says);
  }
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
      {"flags", flags},
      {"warnings", warnings},
      {"source", trace_source_json(file)},
  };
}

json trace_dynamics_json(const TraceDynamics& dynamics) {
  return {{"memory", {memory_json(dynamics.fine), memory_json(dynamics.coarse)}},
          {"coherence_s", dynamics.fine.below_1e_s ? json(*dynamics.fine.below_1e_s) : json(nullptr)},
          {"outages", {outages_json(dynamics.silent), outages_json(dynamics.below_5mbps)}},
          {"falls", falls_json(dynamics)},
          {"usual_ms", {{"packets", dynamics.usual_per_ms}, {"share", dynamics.usual_share}}}};
}

json trace_preview_json(const TracePreview& preview) {
  return {{"bin_ms", preview.bin_ms},
          {"mean_mbps", preview.mean_mbps},
          {"min_mbps", preview.min_mbps},
          {"max_mbps", preview.max_mbps}};
}

std::string json_text(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json trace_problem_json(const TraceError& error) {
  const auto& place = error.place();
  return {{"code", error.code()},
          {"line", place ? json(place->line) : json(nullptr)},
          {"text", place ? json(place->text) : json(nullptr)},
          {"message", error.message()},
          {"hint", error.hint().empty() ? json(nullptr) : json(error.hint())}};
}

}  // namespace paceline
