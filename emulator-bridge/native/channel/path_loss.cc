#include "channel/path_loss.hh"

#include <algorithm>
#include <cmath>

#include "channel/portable_math.hh"

namespace paceline {

namespace {

constexpr double kUserM = 1.5;
constexpr double kLight = 299'792'458.0;
constexpr double kPi = 3.14159265358979323846;
constexpr double kRoofM = 5;     // rural: average height of buildings
constexpr double kStreetM = 20;  // rural: average width of streets

bool indoor(Environment e) { return e == Environment::inh_open || e == Environment::inh_mixed; }
double lg(double x) { return log10_of(x); }
double square(double x) { return x * x; }

double on_ground(Environment e, double d2) { return std::max(d2, indoor(e) ? 1.0 : 10.0); }
double in_space(double d2, double station_m) { return std::sqrt(square(d2) + square(station_m - kUserM)); }

double breakpoint_m(Environment e, double ghz, double station_m) {
  if (e == Environment::rma) return 2 * kPi * station_m * kUserM * ghz * 1e9 / kLight;
  return 4 * (station_m - 1) * (kUserM - 1) * ghz * 1e9 / kLight;
}

double rural_near_db(double ghz, double d3) {
  const double h = power_of(kRoofM, 1.72);
  return 20 * lg(40 * kPi * d3 * ghz / 3) + std::min(0.03 * h, 10.0) * lg(d3) - std::min(0.044 * h, 14.77) +
         0.002 * lg(kRoofM) * d3;
}

// Two slopes, the second one beyond the breakpoint.
double city_los_db(double near_db, double slope, double far_factor, double ghz, double station_m, double d2,
                   double breakpoint) {
  const double d3 = in_space(d2, station_m);
  if (d2 <= breakpoint) return near_db + slope * lg(d3) + 20 * lg(ghz);
  return near_db + 40 * lg(d3) + 20 * lg(ghz) - far_factor * lg(square(breakpoint) + square(station_m - kUserM));
}

}  // namespace

double default_station_height_m(Environment environment) {
  switch (environment) {
    case Environment::umi:
      return 10;
    case Environment::uma:
      return 25;
    case Environment::rma:
      return 35;
    default:
      return 3;
  }
}

double path_loss_los_db(Environment environment, double carrier_ghz, double station_m, double d2) {
  d2 = on_ground(environment, d2);
  const double breakpoint = breakpoint_m(environment, carrier_ghz, station_m);
  const double d3 = in_space(d2, station_m);
  switch (environment) {
    case Environment::umi:
      return city_los_db(32.4, 21, 9.5, carrier_ghz, station_m, d2, breakpoint);
    case Environment::uma:
      return city_los_db(28, 22, 9, carrier_ghz, station_m, d2, breakpoint);
    case Environment::rma:
      if (d2 <= breakpoint) return rural_near_db(carrier_ghz, d3);
      return rural_near_db(carrier_ghz, breakpoint) + 40 * lg(d3 / breakpoint);
    default:
      return 32.4 + 17.3 * lg(d3) + 20 * lg(carrier_ghz);
  }
}

double path_loss_nlos_db(Environment environment, double carrier_ghz, double station_m, double d2) {
  d2 = on_ground(environment, d2);
  const double d3 = in_space(d2, station_m);
  double loss{};
  switch (environment) {
    case Environment::umi:
      loss = 22.4 + 35.3 * lg(d3) + 21.3 * lg(carrier_ghz) - 0.3 * (kUserM - 1.5);
      break;
    case Environment::uma:
      loss = 13.54 + 39.08 * lg(d3) + 20 * lg(carrier_ghz) - 0.6 * (kUserM - 1.5);
      break;
    case Environment::rma:
      loss = 161.04 - 7.1 * lg(kStreetM) + 7.5 * lg(kRoofM) -
             (24.37 - 3.7 * square(kRoofM / station_m)) * lg(station_m) + (43.42 - 3.1 * lg(station_m)) * (lg(d3) - 3) +
             20 * lg(carrier_ghz) - (3.2 * square(lg(11.75 * kUserM)) - 4.97);
      break;
    default:
      loss = 17.3 + 38.3 * lg(d3) + 24.9 * lg(carrier_ghz);
  }
  return std::max(loss, path_loss_los_db(environment, carrier_ghz, station_m, d2));
}

double los_probability(Environment environment, double d2) {
  const auto city = [d2](double decay) { return d2 <= 18 ? 1.0 : 18 / d2 + exp_of(-d2 / decay) * (1 - 18 / d2); };
  switch (environment) {
    case Environment::umi:
      return city(36);
    case Environment::uma:
      return city(63);
    case Environment::rma:
      return d2 <= 10 ? 1.0 : exp_of(-(d2 - 10) / 1000);
    case Environment::inh_open:
      if (d2 <= 5) return 1;
      return d2 <= 49 ? exp_of(-(d2 - 5) / 70.8) : 0.54 * exp_of(-(d2 - 49) / 211.7);
    default:
      if (d2 <= 1.2) return 1;
      return d2 <= 6.5 ? exp_of(-(d2 - 1.2) / 4.7) : 0.32 * exp_of(-(d2 - 6.5) / 32.6);
  }
}

Shadowing shadowing(Environment environment, double carrier_ghz, double station_m, double d2) {
  switch (environment) {
    case Environment::umi:
      return {4, 7.82, 10, 13, 50};
    case Environment::uma:
      return {4, 6, 37, 50, 50};
    case Environment::rma:
      return {d2 <= breakpoint_m(environment, carrier_ghz, station_m) ? 4.0 : 6.0, 8, 37, 120, 60};
    default:
      return {3, 8.03, 10, 6, 10};
  }
}

}  // namespace paceline
