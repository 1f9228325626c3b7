#pragma once
// How a driver wants one direction of the path.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/units.hh"
#include "path/plan.hh"

namespace paceline {

struct WaySetup {
  Direction direction{};
  uint64_t seed{};
  Time from{};                       // the first flow's start
  bool flows_by_tag{};               // see QueueSetup
  std::vector<Duration> extra{};     // delay of each flow beyond the link's; empty: none
  std::vector<std::size_t> joins{};  // LinkPlan::place_of() of each flow; empty: all begin at the first
  // Of a plain path: the driver holds packets for the link's delay itself, out() hears of them when it begins. `extra` is then the
  // driver's, too.
  bool driver_delays{};
};

}  // namespace paceline
