#include "apps/trace_recipe.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "channel/cellular_walk.hh"
#include "channel/piecewise.hh"
#include "link/trace_text.hh"

namespace paceline {

using nlohmann::json;

namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw std::invalid_argument{"recipe, " + where + ": " + why};
}

void only_keys(const json& object, const std::string& where, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) refuse(where, "must be an object");
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end()) refuse(where, "unknown key \"" + key + "\"");
}

double number(const json& object, const std::string& where, const char* key, double least, double most) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) refuse(where, std::string{"\""} + key + "\" must be a number");
  const double value = found->get<double>();
  if (!(value >= least && value <= most))
    refuse(where, std::string{"\""} + key + "\" must be from " + json(least).dump() + " to " + json(most).dump());
  return value;
}

uint32_t whole(const json& object, const std::string& where, const char* key, double least, double most) {
  const double value = number(object, where, key, least, most);
  if (value != std::floor(value)) refuse(where, std::string{"\""} + key + "\" must be a whole number");
  return static_cast<uint32_t>(value);
}

std::vector<uint32_t> piecewise(const json& model) {
  constexpr double kFastestMbps = 1e6;
  only_keys(model, "piecewise", {"repeat", "pieces"});
  const uint32_t repeat = whole(model, "piecewise", "repeat", 1, static_cast<double>(kMaxTracePeriodMs));
  const json pieces = model.value("pieces", json{});
  if (!pieces.is_array() || pieces.empty()) refuse("piecewise", "\"pieces\" must be a list of at least one piece");
  std::vector<RatePiece> list;
  double total_ms = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string where = "piecewise.pieces[" + std::to_string(i) + "]";
    only_keys(pieces[i], where, {"from_mbps", "to_mbps", "ms"});
    const auto kbps = [&](const char* key) {
      return static_cast<uint64_t>(std::llround(number(pieces[i], where, key, 0, kFastestMbps) * 1000.0));
    };
    list.push_back({.from_kbps = kbps("from_mbps"),
                    .to_kbps = kbps("to_mbps"),
                    .ms = whole(pieces[i], where, "ms", 1, static_cast<double>(kMaxTracePeriodMs))});
    total_ms += list.back().ms;
  }
  if (total_ms * repeat > static_cast<double>(kMaxTracePeriodMs)) refuse("piecewise", "the trace is longer than a day");
  return piecewise_trace(list, repeat);
}

std::vector<uint32_t> cellular_walk(const json& model) {
  const std::string where = "cellular_walk";
  only_keys(model, where,
            {"seed", "duration_ms", "median_mbps", "min_mbps", "max_mbps", "slow_sigma", "slow_tau_ms", "fast_sigma",
             "fast_tau_ms", "share", "outages_per_s", "outage_mean_ms"});
  constexpr double kAny = 1e9;  // the model checks the ranges
  const auto get = [&](const char* key) { return number(model, where, key, 0, kAny); };
  return cellular_walk_trace(
      {.seed = whole(model, where, "seed", 0, 4294967295.0),
       .duration_ms = whole(model, where, "duration_ms", 1, static_cast<double>(kMaxTracePeriodMs)),
       .median_mbps = get("median_mbps"),
       .min_mbps = get("min_mbps"),
       .max_mbps = get("max_mbps"),
       .slow_sigma = get("slow_sigma"),
       .slow_tau_ms = get("slow_tau_ms"),
       .fast_sigma = get("fast_sigma"),
       .fast_tau_ms = get("fast_tau_ms"),
       .share = get("share"),
       .outages_per_s = get("outages_per_s"),
       .outage_mean_ms = get("outage_mean_ms")});
}

}  // namespace

std::vector<uint32_t> trace_from_recipe(std::string_view text) {
  const json recipe = json::parse(text, nullptr, false);
  if (recipe.is_discarded()) throw std::invalid_argument{"the recipe is not JSON"};
  only_keys(recipe, "top level", {"schema", "name", "description", "piecewise", "cellular_walk"});
  if (recipe.value("schema", json{}) != 1) refuse("schema", "must be 1");
  if (recipe.contains("piecewise") == recipe.contains("cellular_walk"))
    refuse("top level", "exactly one model is needed: \"piecewise\" or \"cellular_walk\"");
  return recipe.contains("piecewise") ? piecewise(recipe["piecewise"]) : cellular_walk(recipe["cellular_walk"]);
}

}  // namespace paceline
