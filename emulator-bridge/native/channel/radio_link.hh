#pragma once
// A user who moves through a cellular network: from place to signal to delivery opportunities. After 3GPP TR 38.901 for
// the radio, and recordings for what the network makes of it; docs/channel.md explains the chain and its limits.

#include <cstdint>
#include <optional>
#include <vector>

#include "channel/blockage.hh"
#include "channel/cell_load.hh"
#include "channel/cell_selection.hh"
#include "channel/dead_zone.hh"
#include "channel/fading.hh"
#include "channel/geometry.hh"
#include "channel/interruptions.hh"
#include "channel/large_scale.hh"
#include "channel/link_adaptation.hh"
#include "channel/mobility.hh"
#include "channel/rlc_hold.hh"

namespace paceline {

// So many buildings of random size, centred at random in an area, anew for each seed.
struct RandomBuildings {
  uint32_t count{};
  double least_side_m{6};
  double most_side_m{20};
  Building area{};
};

struct SnrPoint {
  double at_s{};
  double db{};
};

struct RadioLink {
  uint64_t seed{1};
  uint32_t duration_ms{60'000};
  uint32_t step_us{1000};  // divides 25 ms

  Walk walk{};
  double slowest_mps{1};
  double fastest_mps{2};
  std::vector<Point> stations{{}};
  std::vector<Building> buildings{};
  RandomBuildings random_buildings{};

  LargeScale large_scale{};
  double power_dbm{48};  // EIRP
  double user_gain_db{12};
  double noise_figure_db{5};
  double margin_db{};              // fitted: everything that the budget leaves out
  std::vector<SnrPoint> script{};  // added to the SNR, straight lines between the points

  Blockage blockage{};
  Blockage beam_loss{};
  Fading fading{};
  LinkAdaptation link{};
  CellLoad load{};
  CellSelection selection{};
  Interruptions handovers{};
  Interruptions gaps{};
  std::optional<DeadZone> dead_zone{};
  double jitter_sigma{};  // lognormal, anew every 10 ms
  RlcHold hold{};
};

// The user changes cells, or between 5G and what is below it; nothing is delivered meanwhile.
struct Handover {
  double at_s{};
  double lasts_s{};
};

// What is known of a trace beside its opportunities.
struct RadioStory {
  std::vector<Handover> handovers{};
  uint32_t every_ms{};           // of `snr_db`
  std::vector<double> snr_db{};  // mean of the serving cell over each such time, fading and blockage included
};

// counts[0..T]. The same parameters and seed: the same trace on every machine, bit for bit, and the same story where it is asked for.
[[nodiscard]] std::vector<uint32_t> radio_link_trace(const RadioLink& link, RadioStory* story = nullptr);

// What a map shows.
struct RadioPlan {
  struct Moment {
    double at_s{};
    Point at{};
  };
  // Something passes between the user and a station.
  struct Blocker {
    std::size_t station{};
    double from_s{};
    double to_s{};
  };
  std::vector<Point> stations{};
  std::vector<Building> buildings{};
  std::vector<Moment> way{};
  std::vector<Blocker> blockers{};
};
[[nodiscard]] RadioPlan radio_plan(const RadioLink& link, double every_s);

}  // namespace paceline
