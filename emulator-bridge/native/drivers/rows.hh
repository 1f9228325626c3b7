#pragma once
// Rows and stream ids of the telemetry, as the drivers write them.

#include <cstddef>
#include <span>

#include "metrics/columns.gen.hh"

namespace paceline {

template <typename Row>
[[nodiscard]] std::span<const float> columns_of(const Row& row) {
  return {reinterpret_cast<const float*>(&row), sizeof(Row) / sizeof(float)};
}

[[nodiscard]] constexpr uint16_t sender_stream(std::size_t flow) {
  return static_cast<uint16_t>(telemetry::kFirstSenderStream + telemetry::kStreamsPerFlow * flow);
}
[[nodiscard]] constexpr uint16_t receiver_stream(std::size_t flow) {
  return static_cast<uint16_t>(telemetry::kFirstReceiverStream + telemetry::kStreamsPerFlow * flow);
}

}  // namespace paceline
