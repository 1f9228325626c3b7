#pragma once
// Rows and stream ids of the telemetry, as the drivers write them.

#include <cstddef>

#include "metrics/columns.gen.hh"
#include "metrics/rows.hh"

namespace paceline {

[[nodiscard]] constexpr uint16_t sender_stream(std::size_t flow) {
  return static_cast<uint16_t>(telemetry::kFirstSenderStream + telemetry::kStreamsPerFlow * flow);
}
[[nodiscard]] constexpr uint16_t receiver_stream(std::size_t flow) {
  return static_cast<uint16_t>(telemetry::kFirstReceiverStream + telemetry::kStreamsPerFlow * flow);
}

}  // namespace paceline
