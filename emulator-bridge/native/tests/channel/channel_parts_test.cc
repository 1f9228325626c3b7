#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "channel/blockage.hh"
#include "channel/cell_load.hh"
#include "channel/cell_selection.hh"
#include "channel/dead_zone.hh"
#include "channel/fading.hh"
#include "channel/geometry.hh"
#include "channel/interruptions.hh"
#include "channel/link_adaptation.hh"
#include "channel/mobility.hh"
#include "channel/rlc_hold.hh"
#include "channel/spatial_noise.hh"

using namespace paceline;

TEST_CASE("A building is in the way when the line of sight passes through it") {
  const std::vector<Building> house{{10, -5, 20, 5}};
  CHECK_FALSE(sees({0, 0}, {30, 0}, house));
  CHECK_FALSE(sees({0, 4.9}, {30, 4.9}, house));
  CHECK(sees({0, 5.1}, {30, 5.1}, house));
  CHECK(sees({0, 0}, {9, 0}, house));
  CHECK(sees({0, 5}, {30, 5}, house));  // along the wall
  CHECK_FALSE(sees({0, -6}, {30, 6}, house));
  CHECK(sees({15, 6}, {15, 60}, house));
}

TEST_CASE("Walks stay where they belong and are as long as the speed says") {
  const auto walk = [](const Walk& way, auto&& inside) {
    Mobility mobility{way, 1, 3, 5};
    Point before = mobility.place().at;
    for (int i = 0; i < 40 * 600; ++i) {
      mobility.advance(0.025);
      const Point now = mobility.place().at;
      REQUIRE(inside(now));
      REQUIRE(distance(before, now) < 3 * 0.025 * 1.0001);
      before = now;
    }
    CHECK(mobility.place().travelled_m == doctest::Approx(2 * 600).epsilon(0.1));
  };
  walk(LineWalk{.start_m = 100, .direction = -1, .nearest_m = 8, .farthest_m = 200},
       [](Point p) { return p.x >= 8 && p.x <= 200 && p.y == 0; });
  walk(BoxWalk{.nearest_m = 25, .side_m = 30},
       [](Point p) { return p.x >= 25 && p.x <= 55 && p.y >= -15 && p.y <= 15; });
  walk(PathWalk{.corners = {{0, 0}, {50, 0}, {50, 20}}}, [](Point p) { return p.y == 0 || p.x == 50; });
}

TEST_CASE("Spatial noise is a unit Gaussian with the correlation of its length, and stands still with the user") {
  SpatialNoise noise{3, 0, "test", 10};
  constexpr int kSteps = 400'000;
  double squares = 0;
  double products = 0;
  double before = noise.value();
  for (int i = 0; i < kSteps; ++i) {
    const double now = noise.advance(5);
    squares += now * now;
    products += now * before;
    before = now;
  }
  CHECK(squares / kSteps == doctest::Approx(1).epsilon(0.02));
  CHECK(products / squares == doctest::Approx(std::exp(-0.5)).epsilon(0.02));
  CHECK(noise.advance(0) == before);
}

TEST_CASE("Fading keeps the mean power; a strong direct wave and more branches make it flatter") {
  const auto power = [](const Fading& fading, double los) {
    FadingProcess process{fading, 28, 9, 0};
    double sum = 0;
    double squares = 0;
    constexpr int kTicks = 12'000;
    for (int tick = 0; tick < kTicks; ++tick) {
      process.prepare(1.5, 0.001);
      for (int i = 0; i < 25; ++i) {
        const double p = from_db(process.step(los));
        sum += p;
        squares += p * p;
      }
    }
    const double mean = sum / (kTicks * 25);
    return std::array{mean, std::sqrt(squares / (kTicks * 25) - mean * mean)};
  };
  const auto rayleigh = power({.branches = 1}, 0);
  CHECK(rayleigh[0] == doctest::Approx(1).epsilon(0.1));
  CHECK(rayleigh[1] == doctest::Approx(1).epsilon(0.15));
  const auto four = power({.branches = 4}, 0);
  CHECK(four[0] == doctest::Approx(1).epsilon(0.1));
  CHECK(four[1] == doctest::Approx(0.5).epsilon(0.2));
  const auto rice = power({.branches = 1}, 1);
  const double k = from_db(9);
  CHECK(rice[0] == doctest::Approx(1).epsilon(0.1));
  CHECK(rice[1] == doctest::Approx(std::sqrt(2 * k + 1) / (k + 1)).epsilon(0.15));
}

TEST_CASE("Blockage is there for its share of time, with its depth, and comes along a ramp") {
  BlockageProcess process{{.per_s = 0.2, .dwell_s = 1, .depth_db = 20, .ramp_ms = 100}, 4, 0, "test"};
  double sum = 0;
  double before = 0;
  constexpr int kMs = 4'000'000;
  for (int i = 0; i < kMs; ++i) {
    const double loss = process.advance(0.001);
    REQUIRE(loss >= 0);
    REQUIRE(loss <= 20);
    REQUIRE(std::abs(loss - before) <= 0.2 + 1e-9);
    sum += loss;
    before = loss;
  }
  CHECK(sum / kMs == doctest::Approx(20.0 * 1 / (1 + 5)).epsilon(0.1));
}

TEST_CASE("Link adaptation: nothing below -7 dB, a cap above, Shannon's shape in between") {
  const LinkAdaptation link{.bandwidth_mhz = 100, .efficiency = 0.6, .cap_bps_per_hz = 5, .layers = 2, .duty = 0.5};
  CHECK(link.mbps(-7.1) == 0);
  CHECK(link.mbps(0) == doctest::Approx(100 * 0.6 * 2 * 0.5));
  CHECK(link.mbps(60) == doctest::Approx(500));
  CHECK(LinkAdaptation{.cap_mbps = 90}.mbps(60) == doctest::Approx(90));
}

TEST_CASE("Cell load: the share is that of the users who are on, drawn per interval") {
  const auto mean = [](double interval_ms, double step_s) {
    CellLoadProcess process{{.users = 1, .on_s = 2, .off_s = 2, .interval_ms = interval_ms}, 8};
    double sum = 0;
    constexpr int kSteps = 2'000'000;
    for (int i = 0; i < kSteps; ++i) sum += process.advance(step_s);
    return sum / kSteps;
  };
  CHECK(mean(0, 0.001) == doctest::Approx(0.75).epsilon(0.03));
  CHECK(mean(1, 0.001) == doctest::Approx(0.75).epsilon(0.03));
  CHECK(mean(2, 0.000125) == doctest::Approx(0.75).epsilon(0.08));
  CellLoadProcess alone{{.users = 0}, 8};
  CHECK(alone.advance(0.001) == 1);
  CellLoadProcess slotted{{.users = 3, .on_s = 1e6, .off_s = 0.001, .interval_ms = 2}, 8};
  for (int i = 0; i < 1000; ++i) {
    const double first = slotted.advance(0.001);
    REQUIRE(slotted.advance(0.001) == first);  // two steps, one interval
  }
}

TEST_CASE("Interruptions take their share of the time") {
  const auto share = [](const Interruptions& model) {
    InterruptionProcess process{model, 2, "test"};
    double sum = 0;
    constexpr int kSteps = 3'000'000;
    for (int i = 0; i < kSteps; ++i) sum += process.advance(0.001);
    return 1 - sum / kSteps;
  };
  CHECK(share({.per_s = 0.5, .shortest_ms = 20, .longest_ms = 40}) == doctest::Approx(0.015).epsilon(0.08));
  CHECK(share({.per_s = 0.5, .mean_ms = 60}) == doctest::Approx(0.03).epsilon(0.08));
  CHECK(share({}) == 0);
}

TEST_CASE("A hold keeps the volume, whenever the trace ends") {
  for (const int steps : {50, 999, 10'000}) {
    RlcHoldProcess process{{.per_s = 20, .again = 0.5, .unit_ms = 12, .max_ms = 60}, 3};
    double sum = 0;
    double most = 0;
    int empty = 0;
    int longest = 0;
    for (int i = 0; i < steps; ++i) {
      const double out = process.advance(100, 0.001, i + 1 == steps);
      sum += out;
      most = std::max(most, out);
      empty = out == 0 ? empty + 1 : 0;
      longest = std::max(longest, empty);
    }
    CHECK(sum == doctest::Approx(100.0 * steps));
    if (steps == 10'000) {
      CHECK(most > 1000);
      CHECK(longest < 60);
      CHECK(longest > 20);
    }
  }
}

TEST_CASE("A handover needs the hysteresis and the dwell, and interrupts for 20 to 40 ms") {
  CellSelectionProcess selection{{}, 2, 1};
  CHECK(selection.tick(std::array{10.0, 20.0}) == 0);
  CHECK(selection.serving() == 1);  // the strongest one from the start
  for (int i = 0; i < 20; ++i) CHECK(selection.tick(std::array{22.0, 20.0}) == 0);
  CHECK(selection.serving() == 1);
  double cut = 0;
  int ticks = 0;
  while (cut == 0 && ++ticks < 20) cut = selection.tick(std::array{30.0, 20.0});
  CHECK(ticks > 1);  // 200 ms of average
  CHECK(selection.serving() == 0);
  CHECK(cut >= 20);
  CHECK(cut <= 40);
  for (int i = 0; i < 7; ++i) CHECK(selection.tick(std::array{0.0, 60.0}) == 0);
}

TEST_CASE("In a dead zone 5G gives way to LTE after 300 ms and comes back after 1.5 s") {
  DeadZoneProcess zone{{}, 6};
  for (int i = 0; i < 100; ++i) CHECK(zone.tick(10, 0.3) == 0);
  int ticks = 0;
  double cut = 0;
  while (cut == 0 && ++ticks < 100) cut = zone.tick(-30, 0.3);
  CHECK(zone.on_lte());
  CHECK(ticks * 25 >= 300);
  CHECK(ticks * 25 <= 450);
  CHECK(cut >= 40);
  CHECK(cut <= 120);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double lte = zone.lte_mbps(0.001);
    REQUIRE(lte <= 110);
    sum += lte;
  }
  CHECK(sum / 100'000 > 5);
  ticks = 0;
  cut = 0;
  while (cut == 0 && ++ticks < 200) cut = zone.tick(10, 0.3);
  CHECK_FALSE(zone.on_lte());
  CHECK(ticks * 25 >= 1500);
  CHECK(ticks * 25 <= 1800);
}
