#pragma once
// The client: asks a server for a recording and comes back with the log.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/units.hh"
#include "recorder/analysis.hh"
#include "recorder/log.hh"
#include "recorder/wire.hh"

namespace paceline::recorder {

struct Request {
  std::string host{};
  uint16_t port{};
  Direction direction{Direction::down};
  uint64_t rate_bps{};
  Duration duration{};
  uint32_t packet_bytes{};
};

struct Recording {
  Conditions conditions{};
  std::vector<Arrival> log{};  // as it came
  int64_t began_unix_ns{};     // when the recording was asked for, by this machine's clock
};

struct Surroundings {
  std::function<int()> interruptions{};                         // how often the user asked to stop
  std::function<void(double seconds, double mbps)> progress{};  // about once a second
};

// Throws Refusal when the server will not, std::runtime_error when there is nothing to show for it.
[[nodiscard]] Recording record(const Request& request, const Surroundings& surroundings);

}  // namespace paceline::recorder
