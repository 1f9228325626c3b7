#include "recipe/targets.hh"

#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include <nlohmann/json.hpp>

#include "recipe/recipe.hh"
#include "recipe/section.hh"
#include "trace/stats.hh"
#include "trace/texture.hh"

namespace paceline {

using nlohmann::json;

namespace {

// In the order in which they are printed.
constexpr std::array<const char*, 12> kStatistics{
    "mean_mbps",        "std_10ms_mbps",  "std_1s_mbps",   "min_10ms_mbps",  "max_10ms_mbps", "max_1s_mbps",
    "below_5mbps_10ms", "below_5mbps_1s", "acf_1e_10ms_s", "acf_1e_100ms_s", "drop_3s_mbps",  "longest_gap_ms"};

std::map<std::string, double> statistics(const std::vector<uint32_t>& counts) {
  const TraceStats stats = trace_stats(counts);
  const TraceTexture texture = trace_texture(counts);
  return {{"mean_mbps", stats.mean_mbps},
          {"std_10ms_mbps", stats.std_10ms_mbps},
          {"std_1s_mbps", stats.std_1s_mbps},
          {"min_10ms_mbps", texture.min_10ms_mbps},
          {"max_10ms_mbps", stats.peak_10ms_mbps},
          {"max_1s_mbps", stats.peak_1s_mbps},
          {"below_5mbps_10ms", stats.share_below_5mbps_10ms},
          {"below_5mbps_1s", stats.share_below_5mbps_1s},
          {"acf_1e_10ms_s", texture.acf_1e_10ms_s},
          {"acf_1e_100ms_s", texture.acf_1e_100ms_s},
          {"drop_3s_mbps", texture.drop_3s_mbps},
          {"longest_gap_ms", static_cast<double>(stats.longest_gap_ms)}};
}

std::string figure(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(text.size() < width ? width - text.size() : 0, ' ');
}

}  // namespace

RecipeResult check_recipe(std::string_view text, uint32_t seeds) {
  const json recipe = json::parse(text, nullptr, false);
  if (recipe.is_discarded()) throw std::invalid_argument{"the recipe is not JSON"};
  RecipeSection top{recipe, "top level"};
  RecipeResult result{.name = top.text("name"), .seeds = seeds};
  if (!top.has("targets")) return result;
  RecipeSection targets = top.section("targets");
  result.source = targets.text("source");
  for (const char* name : kStatistics) {
    if (!targets.has(name)) continue;
    RecipeSection target = targets.section(name);
    TargetResult one{
        .statistic = name, .from = target.number("from", 0, 1e7), .has_published = target.has("published")};
    one.to = target.number("to", one.from, 1e7);
    one.published = target.number_or("published", 0, 1e7, 0);
    target.no_more();
    result.targets.push_back(one);
  }
  targets.no_more();
  const uint32_t first = recipe_seed(text);
  for (uint32_t i = 0; i < seeds; ++i) {
    const auto made = statistics(trace_from_recipe(text, {.seed = first + i}));
    for (TargetResult& target : result.targets) target.made += made.at(target.statistic) / seeds;
  }
  return result;
}

std::string target_table(const std::vector<RecipeResult>& results) {
  constexpr std::array<std::size_t, 4> kWidths{18, 10, 18, 11};
  std::string out;
  for (const RecipeResult& result : results) {
    if (result.targets.empty()) continue;
    out += result.name + " (mean of " + std::to_string(result.seeds) + " seeds; " + result.source + ")\n";
    out += "  " + padded("", kWidths[0]) + padded("made", kWidths[1]) + padded("wanted", kWidths[2]) +
           padded("published", kWidths[3]) + "\n";
    for (const TargetResult& t : result.targets)
      out += "  " + padded(t.statistic, kWidths[0]) + padded(figure(t.made), kWidths[1]) +
             padded(figure(t.from) + " to " + figure(t.to), kWidths[2]) +
             padded(t.has_published ? figure(t.published) : "", kWidths[3]) + (t.met() ? "ok" : "MISSED") + "\n";
  }
  return out;
}

json targets_json(const std::vector<RecipeResult>& results) {
  json out = json::array();
  for (const RecipeResult& result : results) {
    json targets = json::object();
    for (const TargetResult& t : result.targets)
      targets[t.statistic] = {{"made", t.made},
                              {"from", t.from},
                              {"to", t.to},
                              {"published", t.has_published ? json(t.published) : json(nullptr)},
                              {"met", t.met()}};
    out.push_back({{"name", result.name}, {"source", result.source}, {"seeds", result.seeds}, {"targets", targets}});
  }
  return out;
}

}  // namespace paceline
