#pragma once
// --endpoints of paceline-tun: which flows of a run have programs of somebody else's at their ends, and how they are started.

#include <string>
#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime_tun/foreign_flows.hh"

namespace paceline {

struct EndpointsFile {
  ForeignFlowList flows{};
  std::vector<Endpoints> kinds{};  // for plan_of

  // A sender tells its telemetry itself, and starts together with the link.
  [[nodiscard]] bool any_telling() const;
};

// Throws Refusal.
[[nodiscard]] EndpointsFile read_endpoints(const std::string& file);

}  // namespace paceline
