#include "recipe/radio.hh"

#include <algorithm>
#include <cmath>

#include "trace/text.hh"

namespace paceline {

namespace {

constexpr double kFarM = 100'000;
constexpr double kLongS = 86'400;

Building building(const std::vector<double>& row) { return {row[0], row[1], row[2], row[3]}; }

std::vector<Point> points(RecipeSection& section, const char* key) {
  std::vector<Point> out;
  for (const auto& row : section.rows(key, 2, -kFarM, kFarM)) out.push_back({row[0], row[1]});
  return out;
}

Walk walk_of(RecipeSection walk) {
  if (walk.has("line") + walk.has("box") + walk.has("path") != 1)
    walk.refuse("exactly one is needed: \"line\", \"box\" or \"path\"");
  Walk out;
  if (walk.has("line")) {
    RecipeSection line = walk.section("line");
    LineWalk way;
    way.nearest_m = line.number("nearest_m", 0, kFarM);
    way.farthest_m = line.number("farthest_m", way.nearest_m, kFarM);
    way.start_m = line.number("start_m", way.nearest_m, way.farthest_m);
    way.direction = line.choice<double>("direction", {{"towards", -1.0}, {"away", 1.0}});
    line.no_more();
    out = way;
  } else if (walk.has("box")) {
    RecipeSection box = walk.section("box");
    out = BoxWalk{.nearest_m = box.number("nearest_m", 0, kFarM), .side_m = box.number("side_m", 1, kFarM)};
    box.no_more();
  } else {
    RecipeSection path = walk.section("path");
    const std::vector<Point> corners = points(path, "corners");
    if (corners.size() < 2) path.refuse("\"corners\" must be at least two");
    for (std::size_t i = 1; i < corners.size(); ++i)
      if (distance(corners[i - 1], corners[i]) < 1)
        path.refuse("\"corners[" + std::to_string(i) + "]\" must be at least 1 m from the one before");
    path.no_more();
    out = PathWalk{.corners = corners};
  }
  walk.no_more();
  return out;
}

void read_sight(RecipeSection& radio, LargeScale& large) {
  using Sight = LargeScale::Sight;
  if (radio.any("sight").is_object()) {
    RecipeSection sight = radio.section("sight");
    large.sight = Sight::decay;
    large.sight_near_m = sight.number("near_m", 0, kFarM);
    large.sight_decay_m = sight.number("decay_m", 0.1, kFarM);
    sight.no_more();
  } else {
    large.sight = radio.choice<Sight>(
        "sight", {{"environment", Sight::environment}, {"always", Sight::always}, {"buildings", Sight::buildings}});
  }
  large.sight_correlation_m = radio.number_or("sight_correlation_m", 0, 10'000, 0);
  large.nlos_extra_db = radio.number_or("nlos_extra_db", 0, 60, 0);
  large.shadow_scale = radio.number("shadow_scale", 0, 5);
}

Blockage blockage_of(RecipeSection section) {
  const Blockage out{.per_s = section.number("per_s", 0, 100),
                     .dwell_s = section.number("dwell_s", 0.001, kLongS),
                     .depth_db = section.number("depth_db", 0, 100),
                     .ramp_ms = section.number("ramp_ms", 0.1, 60'000)};
  section.no_more();
  return out;
}

Fading fading_of(RecipeSection section) {
  const Fading out{.branches = section.whole("branches", 1, 8),
                   .k_los_db = section.number("k_los_db", -20, 40),
                   .doppler_factor = section.number("doppler_factor", 0, 1),
                   .surroundings_mps = section.number_or("surroundings_mps", 0, 50, Fading{}.surroundings_mps)};
  section.no_more();
  return out;
}

LinkAdaptation link_of(RecipeSection section) {
  const LinkAdaptation out{.bandwidth_mhz = section.number("bandwidth_mhz", 0.1, 4000),
                           .efficiency = section.number("efficiency", 0.01, 1),
                           .cap_bps_per_hz = section.number("cap_bps_per_hz", 0.01, 20),
                           .layers = section.number("layers", 0.1, 16),
                           .duty = section.number("duty", 0.01, 1),
                           .cap_mbps = section.number_or("cap_mbps", 0.01, 100'000, LinkAdaptation{}.cap_mbps)};
  section.no_more();
  return out;
}

CellLoad load_of(RecipeSection section) {
  const CellLoad out{.users = section.whole("users", 0, 1000),
                     .on_s = section.number("on_s", 0.001, kLongS),
                     .off_s = section.number("off_s", 0.001, kLongS),
                     .interval_ms = section.number("interval_ms", 0, 1000)};
  section.no_more();
  return out;
}

Interruptions uniform_cuts(RecipeSection section) {
  Interruptions out{.per_s = section.number("per_s", 0, 100), .shortest_ms = section.number("shortest_ms", 0, 60'000)};
  out.longest_ms = section.number("longest_ms", out.shortest_ms, 60'000);
  section.no_more();
  return out;
}

Interruptions gamma_cuts(RecipeSection section) {
  const Interruptions out{.per_s = section.number("per_s", 0, 100), .mean_ms = section.number("mean_ms", 0.1, 60'000)};
  section.no_more();
  return out;
}

DeadZone dead_zone_of(RecipeSection section) {
  DeadZone out{.release_db = section.number("release_db", -50, 50),
               .release_ms = section.number("release_ms", 25, 60'000)};
  out.return_db = section.number("return_db", out.release_db, 50);
  out.return_ms = section.number("return_ms", 25, 600'000);
  out.lte_median_mbps = section.number("lte_median_mbps", 0, 10'000);
  out.lte_max_mbps = section.number("lte_max_mbps", 0, 10'000);
  section.no_more();
  return out;
}

RlcHold hold_of(RecipeSection section) {
  const RlcHold out{.per_s = section.number("per_s", 0, 1000),
                    .again = section.number("again", 0, 0.99),
                    .unit_ms = section.number("unit_ms", 0.1, 10'000),
                    .max_ms = section.number("max_ms", 1, 60'000)};
  section.no_more();
  return out;
}

void read_plan(RecipeSection& radio, RadioLink& link) {
  link.walk = walk_of(radio.section("walk"));
  const std::vector<double> speed = radio.numbers("speed_mps", 2, 0, 150);
  if (speed[1] < speed[0]) radio.refuse("\"speed_mps\" must be the slowest, then the fastest");
  link.slowest_mps = speed[0];
  link.fastest_mps = speed[1];
  if (radio.has("stations")) link.stations = points(radio, "stations");
  if (link.stations.size() > 16) radio.refuse("\"stations\" must be at most 16");
  if (radio.has("buildings"))
    for (const auto& row : radio.rows("buildings", 4, -kFarM, kFarM)) link.buildings.push_back(building(row));
  for (std::size_t i = 0; i < link.buildings.size(); ++i)
    if (link.buildings[i].x0 >= link.buildings[i].x1 || link.buildings[i].y0 >= link.buildings[i].y1)
      radio.refuse("\"buildings[" + std::to_string(i) + "]\" must be x0, y0, x1, y1 with x0 < x1 and y0 < y1");
  if (!radio.has("random_buildings")) return;
  RecipeSection random = radio.section("random_buildings");
  link.random_buildings.count = random.whole("count", 0, 1000);
  const std::vector<double> sides = random.numbers("side_m", 2, 0.1, 1000);
  link.random_buildings.least_side_m = std::min(sides[0], sides[1]);
  link.random_buildings.most_side_m = std::max(sides[0], sides[1]);
  link.random_buildings.area = building(random.numbers("area", 4, -kFarM, kFarM));
  random.no_more();
}

void read_budget(RecipeSection budget, RadioLink& link) {
  link.power_dbm = budget.number("power_dbm", -50, 100);
  link.user_gain_db = budget.number("user_gain_db", -20, 60);
  link.noise_figure_db = budget.number("noise_figure_db", 0, 30);
  link.margin_db = budget.number("margin_db", -100, 100);
  budget.no_more();
}

void read_script(RecipeSection& radio, RadioLink& link) {
  if (!radio.has("script")) return;
  for (const auto& row : radio.rows("script", 2, -1000, kLongS)) {
    if (row[0] < 0 || (!link.script.empty() && row[0] <= link.script.back().at_s))
      radio.refuse("\"script\" must be pairs of seconds and dB in the order of time");
    link.script.push_back({.at_s = row[0], .db = row[1]});
  }
}

}  // namespace

RadioLink radio_link_from(RecipeSection radio) {
  RadioLink link;
  link.seed = radio.whole("seed", 0, 4294967295.0);
  link.duration_ms = radio.whole("duration_ms", 1, static_cast<double>(kMaxTracePeriodMs));
  if (radio.has("step_us")) link.step_us = radio.whole("step_us", 25, 25'000);
  if (25'000 % link.step_us != 0) radio.refuse("\"step_us\" must divide 25000");
  LargeScale& large = link.large_scale;
  large.environment = radio.choice<Environment>("environment", {{"umi", Environment::umi},
                                                                {"uma", Environment::uma},
                                                                {"rma", Environment::rma},
                                                                {"inh-open", Environment::inh_open},
                                                                {"inh-mixed", Environment::inh_mixed}});
  large.carrier_ghz = radio.number("carrier_ghz", 0.4, 100);
  large.station_m = radio.number_or("station_height_m", 1.6, 200, default_station_height_m(large.environment));
  read_plan(radio, link);
  read_sight(radio, large);
  read_budget(radio.section("budget"), link);
  read_script(radio, link);
  if (radio.has("blockage")) link.blockage = blockage_of(radio.section("blockage"));
  if (radio.has("beam_loss")) link.beam_loss = blockage_of(radio.section("beam_loss"));
  link.fading = fading_of(radio.section("fading"));
  link.link = link_of(radio.section("link"));
  if (radio.has("load")) link.load = load_of(radio.section("load"));
  if (radio.has("handovers")) link.handovers = uniform_cuts(radio.section("handovers"));
  if (radio.has("gaps")) link.gaps = gamma_cuts(radio.section("gaps"));
  if (radio.has("dead_zone")) link.dead_zone = dead_zone_of(radio.section("dead_zone"));
  link.jitter_sigma = radio.number_or("jitter_sigma", 0, 2, 0);
  if (radio.has("hold")) link.hold = hold_of(radio.section("hold"));
  radio.no_more();
  return link;
}

}  // namespace paceline
