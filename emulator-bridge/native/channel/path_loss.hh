#pragma once
// Path loss, line-of-sight probability and shadowing of 3GPP TR 38.901 (v17), tables 7.4.1-1, 7.4.2-1 and 7.5-6.
// Frequencies in GHz, distances in metres, losses in dB; the user is 1.5 m above the ground.

namespace paceline {

enum class Environment { umi, uma, rma, inh_open, inh_mixed };

struct Shadowing {
  double sigma_los_db{};
  double sigma_nlos_db{};
  double correlation_los_m{};
  double correlation_nlos_m{};
  double correlation_state_m{};  // of being in line of sight or not
};

[[nodiscard]] double default_station_height_m(Environment environment);

// `d2`: distance on the ground; closer than 10 m (indoor 1 m) counts as that.
[[nodiscard]] double path_loss_los_db(Environment environment, double carrier_ghz, double station_m, double d2);
[[nodiscard]] double path_loss_nlos_db(Environment environment, double carrier_ghz, double station_m, double d2);
[[nodiscard]] double los_probability(Environment environment, double d2);
// In rural areas the deviation in line of sight grows beyond the breakpoint distance.
[[nodiscard]] Shadowing shadowing(Environment environment, double carrier_ghz, double station_m, double d2);

}  // namespace paceline
