#pragma once
// What a recording is made of: when each packet came, and what it said about when it was sent.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace paceline::recorder {

struct Arrival {
  int64_t arrival_ns{};  // the receiver's clock
  uint64_t sequence{};   // from 0, without holes at the sender
  int64_t sent_ns{};     // the sender's clock: since its first packet

  bool operator==(const Arrival&) const = default;
};

// The log as it travels from the server to the client: differences to what was expected, in as few bytes as they need
// (zigzag and base-128, five to eight bytes a packet).
[[nodiscard]] std::vector<std::byte> pack_log(std::span<const Arrival> log);
// Empty: these bytes are not a packed log.
[[nodiscard]] std::optional<std::vector<Arrival>> unpack_log(std::span<const std::byte> bytes);

// One opportunity of 1500 bytes for every 1500 bytes that came, stamped with the end of the millisecond in which they
// came: counts[k] is of [k-1, k) after the first arrival. The last index is the trace's period. The sum is the bytes over
// 1500, rounded down: what does not fill an opportunity is carried to the next. At least one arrival is needed.
[[nodiscard]] std::vector<uint32_t> trace_of_log(std::span<const Arrival> sorted, uint32_t packet_bytes);

}  // namespace paceline::recorder
