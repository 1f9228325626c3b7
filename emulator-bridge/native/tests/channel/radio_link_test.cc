#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "channel/radio_link.hh"

using namespace paceline;

namespace {

RadioLink street(uint64_t seed = 1, uint32_t duration_ms = 20'000) {
  RadioLink link{.seed = seed, .duration_ms = duration_ms};
  link.walk = LineWalk{.start_m = 120, .direction = -1, .nearest_m = 8, .farthest_m = 400};
  link.large_scale.sight = LargeScale::Sight::decay;
  link.large_scale.sight_near_m = 8;
  link.large_scale.sight_decay_m = 60;
  link.margin_db = -9;
  return link;
}

double mean_mbps(const std::vector<uint32_t>& counts) {
  return 12.0 * static_cast<double>(std::accumulate(counts.begin(), counts.end(), uint64_t{0})) /
         static_cast<double>(counts.size() - 1);
}

}  // namespace

TEST_CASE("The same seed makes the same trace, another one another; a longer trace begins as a shorter one") {
  const auto trace = radio_link_trace(street());
  CHECK(trace.size() == 20'001);
  CHECK(radio_link_trace(street()) == trace);
  CHECK(radio_link_trace(street(2)) != trace);
  const auto longer = radio_link_trace(street(1, 40'000));
  CHECK(std::equal(trace.begin(), trace.end(), longer.begin()));
}

TEST_CASE("These are the very opportunities that every machine makes") {
  RadioLink link = street(1, 10'000);
  link.blockage = {.per_s = 0.3, .dwell_s = 0.5, .depth_db = 18, .ramp_ms = 120};
  link.hold = {.per_s = 3, .again = 0.5, .unit_ms = 12, .max_ms = 80};
  link.load = {.users = 2, .on_s = 2, .off_s = 3};
  uint64_t digest = 0;
  for (const uint32_t n : radio_link_trace(link)) digest = mix64(digest ^ n);
  CHECK(digest == 7116961139400284040ULL);
}

TEST_CASE("Switching one process off leaves the others as they were") {
  RadioLink link = street();
  link.blockage = {.per_s = 0.5, .dwell_s = 0.3, .depth_db = 18, .ramp_ms = 50};
  const auto blocked = radio_link_trace(link);
  const auto free = radio_link_trace(street());
  std::size_t same = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    CHECK_MESSAGE(blocked[i] <= free[i] + 1, "at " << i);  // never more than without, but for the carried fraction
    same += blocked[i] == free[i] ? 1U : 0U;
  }
  CHECK(same > free.size() / 4);
  CHECK(same < free.size());
}

TEST_CASE("Finer and coarser steps are the same channel") {
  RadioLink link = street(1, 60'000);
  const double usual = mean_mbps(radio_link_trace(link));
  for (const uint32_t step_us : {125U, 5000U, 25'000U}) {
    link.step_us = step_us;
    const auto counts = radio_link_trace(link);
    CHECK(counts.size() == 60'001);
    CHECK(mean_mbps(counts) == doctest::Approx(usual).epsilon(0.03));
  }
  link.duration_ms = 7;  // shorter than a step
  CHECK(radio_link_trace(link).size() == 8);
  link.step_us = 300;
  CHECK_THROWS_AS((void)radio_link_trace(link), std::invalid_argument);
}

TEST_CASE("Out of sight behind a building the capacity is less; a second station takes over") {
  RadioLink link{.seed = 3, .duration_ms = 60'000};
  link.walk = PathWalk{.corners = {{0, 0}, {100, 0}}};
  link.stations = {{20, 30}};
  link.large_scale.sight = LargeScale::Sight::buildings;
  link.margin_db = -25;
  const double open = mean_mbps(radio_link_trace(link));
  link.buildings = {{30, 10, 60, 20}};
  const double hidden = mean_mbps(radio_link_trace(link));
  CHECK(hidden < 0.8 * open);
  link.stations.push_back({80, 30});
  CHECK(mean_mbps(radio_link_trace(link)) > 1.2 * hidden);
  const RadioPlan plan = radio_plan(link, 1);
  CHECK(plan.stations.size() == 2);
  CHECK(plan.buildings.size() == 1);
  CHECK(plan.way.size() == 61);
}

TEST_CASE("A script moves the signal: down to nothing, and back") {
  RadioLink link = street(1, 30'000);
  link.large_scale.sight = LargeScale::Sight::always;
  link.script = {{5, 0}, {8, -90}, {15, -90}, {18, 0}};
  const auto counts = radio_link_trace(link);
  const auto sum = [&](std::size_t from, std::size_t to) {
    return std::accumulate(counts.begin() + static_cast<std::ptrdiff_t>(from),
                           counts.begin() + static_cast<std::ptrdiff_t>(to), uint64_t{0});
  };
  CHECK(sum(0, 5000) > 100'000);
  CHECK(sum(8000, 15'000) == 0);
  CHECK(sum(20'000, 30'000) > 200'000);
}

TEST_CASE("Random buildings stand elsewhere for every seed, within their area") {
  RadioLink link = street();
  link.random_buildings = {.count = 8, .least_side_m = 6, .most_side_m = 20, .area = {-10, 15, 110, 55}};
  const auto houses = radio_plan(link, 1).buildings;
  REQUIRE(houses.size() == 8);
  for (const Building& house : houses) {
    CHECK(house.x1 - house.x0 >= 6);
    CHECK(house.x1 - house.x0 <= 20);
    CHECK((house.y0 + house.y1) / 2 >= 15);
    CHECK((house.y0 + house.y1) / 2 <= 55);
  }
  link.seed = 2;
  CHECK(radio_plan(link, 1).buildings[0].x0 != houses[0].x0);
}
