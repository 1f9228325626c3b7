#include "recipe/recipe_sketch.hh"

#include <algorithm>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "recipe/recipe.hh"
#include "recipe/trace_sketch.hh"

namespace paceline {

using nlohmann::json;

namespace {

constexpr double kWayPoints = 600;
constexpr uint64_t kMostBins = 100'000;

json plan_json(const RadioPlan& plan) {
  json out{
      {"stations", json::array()}, {"buildings", json::array()}, {"way", json::array()}, {"blockers", json::array()}};
  for (const Point& at : plan.stations) out["stations"].push_back({at.x, at.y});
  for (const Building& b : plan.buildings) out["buildings"].push_back({b.x0, b.y0, b.x1, b.y1});
  for (const auto& one : plan.blockers) out["blockers"].push_back({one.station, one.from_s, one.to_s});
  for (const auto& moment : plan.way) out["way"].push_back({moment.at_s, moment.at.x, moment.at.y});
  return out;
}

json answer(const std::string& line) {
  try {
    const json request = json::parse(line);
    const auto bins = request.at("bins").get<uint64_t>();
    return {{"sketch", recipe_sketch(request.at("recipe").dump(), std::clamp<uint64_t>(bins, 1, kMostBins))}};
  } catch (const json::exception& error) {
    return {{"refused", std::string{"the line is no request for a sketch: "} + error.what()}};
  } catch (const std::invalid_argument& error) {
    return {{"refused", error.what()}};
  }
}

}  // namespace

json recipe_sketch(std::string_view text, uint64_t bins) {
  const std::vector<uint32_t> counts = trace_from_recipe(text);
  json out = trace_sketch_json(counts, bins);
  const double seconds = static_cast<double>(counts.size() - 1) / 1000;
  out["plan"] =
      json::parse(text).contains("radio") ? plan_json(plan_from_recipe(text, seconds / kWayPoints)) : json(nullptr);
  return out;
}

void answer_sketches(std::istream& in, std::ostream& out) {
  for (std::string line; std::getline(in, line);) out << answer(line) << std::endl;
}

}  // namespace paceline
