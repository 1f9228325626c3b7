#include <doctest/doctest.h>

#include <cmath>

#include "channel/path_loss.hh"
#include "channel/portable_math.hh"

using namespace paceline;

TEST_CASE("The channel's own mathematics agrees with the standard library's") {
  for (double x = -40; x <= 40; x += 0.37) {
    CAPTURE(x);
    CHECK(exp2_of(x) == doctest::Approx(std::exp2(x)).epsilon(1e-14));
    CHECK(log2_of(std::exp2(x)) == doctest::Approx(x).epsilon(1e-14));
    CHECK(cis_of(x).cos == doctest::Approx(std::cos(2 * M_PI * x)).epsilon(1e-12));
    CHECK(cis_of(x).sin == doctest::Approx(std::sin(2 * M_PI * x)).epsilon(1e-12));
    CHECK(normal_cdf(x / 8) == doctest::Approx(0.5 * std::erfc(-x / 8 / std::sqrt(2.0))).epsilon(1e-6));
  }
  CHECK(from_db(-2000) >= 0);
  CHECK(to_db(from_db(17.5)) == doctest::Approx(17.5));
}

TEST_CASE("Normal and exponential draws have their moments") {
  Draws draws{7, 0, "moments"};
  constexpr int kDraws = 200'000;
  double sum = 0;
  double squares = 0;
  double waits = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = draws.normal();
    sum += x;
    squares += x * x;
    waits += draws.exponential(3);
  }
  CHECK(std::abs(sum / kDraws) < 0.01);
  CHECK(squares / kDraws == doctest::Approx(1).epsilon(0.01));
  CHECK(waits / kDraws == doctest::Approx(3).epsilon(0.01));
}

TEST_CASE("Path loss has TR 38.901's values") {
  struct Row {
    Environment environment;
    double ghz, station_m, d2, los_db, nlos_db;
  };
  for (const Row& row :
       {Row{Environment::umi, 28, 10, 100, 103.4, 123.9}, Row{Environment::umi, 3.5, 10, 100, 85.3, 104.6},
        Row{Environment::uma, 3.5, 25, 300, 93.4, 121.3}, Row{Environment::uma, 28, 25, 50, 95.3, 110.6},
        Row{Environment::inh_open, 28, 3, 20, 83.9, 103.2}, Row{Environment::rma, 3.5, 35, 500, 98.6, 118.8}}) {
    CAPTURE(row.ghz);
    CAPTURE(row.d2);
    CHECK(std::abs(path_loss_los_db(row.environment, row.ghz, row.station_m, row.d2) - row.los_db) < 0.1);
    CHECK(std::abs(path_loss_nlos_db(row.environment, row.ghz, row.station_m, row.d2) - row.nlos_db) < 0.1);
  }
}

TEST_CASE("Path loss grows with distance, without a jump at the breakpoint, and hiding never helps") {
  for (const Environment e : {Environment::umi, Environment::uma, Environment::rma, Environment::inh_open}) {
    const double station_m = default_station_height_m(e);
    double before = path_loss_los_db(e, 2, station_m, 1);
    for (double d = 2; d < 5000; d += 1) {
      const double now = path_loss_los_db(e, 2, station_m, d);
      REQUIRE(now >= before - 1e-9);
      REQUIRE(now - before < 6.1);
      REQUIRE(path_loss_nlos_db(e, 2, station_m, d) >= now);
      before = now;
    }
  }
}

TEST_CASE("The probability of line of sight falls from one, without a jump") {
  for (const Environment e :
       {Environment::umi, Environment::uma, Environment::rma, Environment::inh_open, Environment::inh_mixed}) {
    double before = 1;
    for (double d = 0; d < 2000; d += 0.25) {
      const double p = los_probability(e, d);
      REQUIRE(p <= before + 0.03);  // indoor pieces of the standard meet within this much
      REQUIRE(p >= before - 0.06);
      REQUIRE(p >= 0);
      before = p;
    }
    CHECK(los_probability(e, 0) == 1);
  }
  CHECK(los_probability(Environment::umi, 50) == doctest::Approx(18.0 / 50 + std::exp(-50.0 / 36) * (1 - 18.0 / 50)));
}
