#pragma once
// What the kernel counts in packets, microseconds and payload, in the units of the telemetry.

#include <linux/tcp.h>

#include <algorithm>
#include <cstdint>

#include "core/units.hh"

namespace paceline {

[[nodiscard]] inline float packets_to_bytes(uint64_t packets) {
  return static_cast<float>(packets) * static_cast<float>(kMtu.v);
}
[[nodiscard]] inline float micros_to_millis(uint64_t us) { return static_cast<float>(static_cast<double>(us) * 1e-3); }
// The kernel's rates count payload: its measures of delivery do, and without the fq discipline it paces payload.
[[nodiscard]] inline float on_wire_mbps(const tcp_info& info, double payload_bytes_per_s) {
  const double payload = std::max<double>(info.tcpi_snd_mss, 1);
  return static_cast<float>(payload_bytes_per_s * 8e-6 * static_cast<double>(kMtu.v) / payload);
}

}  // namespace paceline
