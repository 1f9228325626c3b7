#include "recipe/trace_marks.hh"

#include <algorithm>
#include <cmath>

#include "formats/trace_file.hh"
#include "recipe/recipe.hh"

namespace paceline {

using nlohmann::json;

namespace {

double rounded(double value, double parts) { return std::round(value * parts) / parts; }

json snr_json(const RadioStory& story) {
  json mean_db = json::array();
  for (const double db : story.snr_db) mean_db.push_back(rounded(db, 100));
  return {{"every_ms", story.every_ms}, {"mean_db", std::move(mean_db)}};
}

}  // namespace

json trace_marks(std::string_view recipe) {
  const ToldTrace told = told_trace_from_recipe(recipe);
  json out{{"sha256", trace_sha256(told.counts)}, {"count", 0}, {"marks", json::array()}, {"snr", nullptr}};
  if (!told.story) return out;
  const auto& handovers = told.story->handovers;
  out["count"] = handovers.size();
  for (std::size_t i = 0; i < std::min(handovers.size(), kMostTraceMarks); ++i)
    out["marks"].push_back({{"kind", "handover"},
                            {"at_s", rounded(handovers[i].at_s, 1e6)},
                            {"lasts_s", rounded(handovers[i].lasts_s, 1e6)}});
  out["snr"] = snr_json(*told.story);
  return out;
}

}  // namespace paceline
