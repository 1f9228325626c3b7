// What a radio model knows of its trace: when nothing came because of a handover, and how strong the signal was.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "formats/trace_file.hh"
#include "recipe/recipe.hh"
#include "recipe/trace_marks.hh"
#include "tests/library.hh"

using namespace paceline;
using nlohmann::json;
using testing::library_recipe;

namespace {

// Packets of the whole milliseconds within (from, to).
uint64_t packets_within(const std::vector<uint32_t>& counts, double from_s, double to_s) {
  const auto first = static_cast<std::size_t>(std::floor(from_s * 1000)) + 2;
  const auto last = static_cast<std::size_t>(std::floor(to_s * 1000));
  uint64_t sum = 0;
  for (std::size_t ms = first; ms < std::min(last, counts.size()); ++ms) sum += counts[ms];
  return sum;
}

json told(const json& recipe) { return trace_marks(recipe.dump()); }

}  // namespace

TEST_CASE("Asked for its handovers a model makes the same trace, and the same ones every time") {
  for (const char* name : {"lte-uplink-bus", "city-drive", "mmwave-b4", "street-canyon"}) {
    CAPTURE(std::string{name});
    const std::string recipe = library_recipe(name);
    const ToldTrace one = told_trace_from_recipe(recipe);
    CHECK(one.counts == trace_from_recipe(recipe));
    CHECK(trace_marks(recipe) == trace_marks(recipe));
    CHECK(trace_marks(recipe)["sha256"] == trace_sha256(one.counts));
  }
}

TEST_CASE("During a handover nothing is delivered") {
  const ToldTrace trace = told_trace_from_recipe(library_recipe("city-drive"));
  REQUIRE(trace.story);
  REQUIRE(trace.story->handovers.size() >= 3);
  double before_s = -1;
  for (const Handover& handover : trace.story->handovers) {
    CAPTURE(handover.at_s);
    CHECK(handover.at_s > before_s);
    CHECK(handover.lasts_s > 0);
    CHECK(packets_within(trace.counts, handover.at_s, handover.at_s + handover.lasts_s) == 0);
    before_s = handover.at_s;
  }
}

TEST_CASE("Between cells there are as many as the user passes, of 20 to 40 ms each") {
  const json made = told(json::parse(library_recipe("street-canyon")));
  CHECK(made["count"].get<std::size_t>() == made["marks"].size());
  for (const json& mark : made["marks"]) {
    CHECK(mark["kind"] == "handover");
    CHECK(std::fmod(mark["at_s"].get<double>() * 1000 + 1e-6, 25) < 1e-3);  // the model looks every 25 ms
    CHECK(mark["lasts_s"].get<double>() >= 0.020);
    CHECK(mark["lasts_s"].get<double>() <= 0.040);
  }
  // One station, nowhere else to go.
  json alone = json::parse(library_recipe("street-canyon"));
  alone["radio"]["stations"] = json::array({alone["radio"]["stations"][0]});
  CHECK(told(alone)["count"] == 0);
}

TEST_CASE("The signal is that of the serving cell: ten decibels more of power are ten more of it") {
  json recipe = json::parse(library_recipe("street-canyon"));
  recipe["radio"]["duration_ms"] = 20'500;
  const json before = told(recipe)["snr"];
  recipe["radio"]["budget"]["power_dbm"] = recipe["radio"]["budget"]["power_dbm"].get<double>() + 10;
  const json after = told(recipe)["snr"];
  CHECK(before["every_ms"] == 1000);
  REQUIRE(before["mean_db"].size() == 21);  // the last of half a second
  REQUIRE(after["mean_db"].size() == 21);
  for (std::size_t i = 0; i < 21; ++i)
    CHECK(after["mean_db"][i].get<double>() - before["mean_db"][i].get<double>() == doctest::Approx(10).epsilon(0.003));
}

TEST_CASE("What other models make has no handovers, and of very many the first are told") {
  const json plain = told(json::parse(library_recipe("constant-48mbps")));
  CHECK(plain["count"] == 0);
  CHECK(plain["marks"].empty());
  CHECK(plain["snr"].is_null());
  json often = json::parse(library_recipe("city-drive"));
  often["radio"]["handovers"] = {{"per_s", 50}, {"shortest_ms", 1}, {"longest_ms", 2}};
  const json many = told(often);
  const double expected = 50.0 * often["radio"]["duration_ms"].get<double>() / 1000;
  CHECK(many["count"].get<double>() == doctest::Approx(expected).epsilon(0.05));
  CHECK(many["marks"].size() == kMostTraceMarks);
}
