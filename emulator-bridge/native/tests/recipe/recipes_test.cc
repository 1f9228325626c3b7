// The shipped recipes, and how recipes are refused.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include "recipe/library.hh"
#include "recipe/recipe.hh"
#include "recipe/targets.hh"
#include "tests/library.hh"

using namespace paceline;
using nlohmann::json;
using testing::library_recipe;

TEST_CASE("Every shipped radio recipe meets its targets as the mean of five seeds") {
  int with_targets = 0;
  for (const auto& path : recipe_files(testing::repository_root() / "traces" / "recipes")) {
    const std::string text = library_recipe(path.stem().string());
    CHECK(json::parse(text).contains("radio") == json::parse(text).contains("targets"));
    if (!json::parse(text).contains("targets")) continue;
    ++with_targets;
    const RecipeResult result = check_recipe(text, 5);
    CHECK(result.targets.size() >= 2);
    for (const TargetResult& target : result.targets)
      CHECK_MESSAGE(target.met(), path.stem().string() << ": " << target.statistic << " is " << target.made << ", not "
                                                       << target.from << " to " << target.to);
  }
  CHECK(with_targets >= 22);
}

TEST_CASE("The seven scenarios of the mmWave paper are held within 15 % of its table 3") {
  for (const char* scenario : {"b1", "b2", "b3a", "b3b", "b4", "ca", "uma"}) {
    const json targets = json::parse(library_recipe(std::string{"mmwave-"} + scenario)).at("targets");
    for (const char* statistic : {"mean_mbps", "std_10ms_mbps"}) {
      const json& target = targets.at(statistic);
      CHECK(target.at("from").get<double>() >= 0.8499 * target.at("published").get<double>());
      CHECK(target.at("to").get<double>() <= 1.1501 * target.at("published").get<double>());
    }
    CHECK(targets.contains("min_10ms_mbps"));
    CHECK(targets.contains("max_10ms_mbps"));
    CHECK(targets.contains("below_5mbps_10ms"));
    CHECK(targets.contains("acf_1e_100ms_s"));
  }
}

TEST_CASE("A wrong radio recipe is refused with the place and the reason") {
  const json good = json::parse(library_recipe("mmwave-b4"));
  CHECK_NOTHROW((void)trace_from_recipe(good.dump(), {.duration_ms = 100}));
  const auto refused = [&good](const char* pointer, const json& value, const char* part) {
    json bad = good;
    bad[json::json_pointer{pointer}] = value;
    CAPTURE(pointer);
    CAPTURE(value.dump());
    CHECK_THROWS_WITH_AS((void)trace_from_recipe(bad.dump(), {.duration_ms = 100}), doctest::Contains(part),
                         std::invalid_argument);
  };
  refused("/radio/environment", "moon", "radio: \"environment\" must be one of: inh-mixed, inh-open, rma, uma, umi");
  refused("/radio/carrier_ghz", "28", "radio: \"carrier_ghz\" must be a number");
  refused("/radio/carrier_ghz", 400, "radio: \"carrier_ghz\" must be from 0.4 to 100");
  refused("/radio/fading/branches", 2.5, "radio.fading: \"branches\" must be a whole number");
  refused("/radio/fading/colour", 1, "radio.fading: unknown key \"colour\"");
  refused("/radio/flux", 1, "radio: unknown key \"flux\"");
  refused("/radio/stations/1", json{1}, "radio: \"stations[1]\" must be a list of 2 numbers");
  refused("/radio/stations", json::array(), "radio: \"stations\" must be a list of at least one entry");
  refused("/radio/walk/path/corners", json{{1, 1}}, "radio.walk.path: \"corners\" must be at least two");
  refused("/radio/walk/path/corners", json{{1, 1}, {1, 1}}, "\"corners[1]\" must be at least 1 m");
  refused("/radio/walk/box", json::object(), "radio.walk: exactly one is needed");
  refused("/radio/sight", json{{"near_m", 3}}, "radio.sight: \"decay_m\" must be a number");
  refused("/radio/sight", true, "radio: \"sight\" must be text");
  refused("/radio/speed_mps", json{3, 1}, "radio: \"speed_mps\"");
  refused("/radio/random_buildings/side_m", 3, "radio.random_buildings: \"side_m\" must be a list of 2 numbers");
  refused("/radio/buildings", json{{5, 5, 1, 9}}, "radio: \"buildings[0]\"");
  refused("/radio/step_us", 300, "radio: \"step_us\" must divide 25000");
  refused("/radio/script", json{{5, 0}, {4, 1}}, "radio: \"script\"");
  refused("/radio/hold", json::object(), "radio.hold: \"per_s\" must be a number");
  refused("/radio/link/duty", nullptr, "radio.link: \"duty\" must be a number");
  refused("/markov", json::object(), "top level: exactly one model");
  refused("/name", 5, "top level: \"name\" must be text");
  json without = good;
  without["radio"].erase("budget");
  CHECK_THROWS_WITH_AS((void)trace_from_recipe(without.dump()), "recipe, radio: \"budget\" is missing",
                       std::invalid_argument);
  CHECK_THROWS_AS((void)trace_from_recipe(R"({"schema":1,"name":"","description":"","radio":3})"),
                  std::invalid_argument);
}

TEST_CASE("Where a radio recipe's stations, buildings and user are can be asked") {
  const RadioPlan plan = plan_from_recipe(library_recipe("mmwave-b4"), 1);
  CHECK(plan.stations.size() == 2);
  CHECK(plan.buildings.size() == 8);
  CHECK(plan.way.size() == 181);
  REQUIRE(plan.blockers.size() > 5);  // 0.05 a second for each of two stations
  CHECK(plan.blockers.size() < 40);
  for (const auto& blocker : plan.blockers) {
    CHECK(blocker.station < 2);
    CHECK(blocker.from_s < blocker.to_s);
  }
  CHECK(plan_from_recipe(library_recipe("city-drive"), 1).blockers.empty());
  CHECK_THROWS_AS((void)plan_from_recipe(library_recipe("constant-48mbps"), 1), std::invalid_argument);
}
