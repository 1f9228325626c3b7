#pragma once
// A packet as the link and the transport see it. Drivers give it a body (memory, a UDP datagram) of their own.

#include <cstdint>

#include "core/units.hh"

namespace paceline {

enum class PacketKind : uint8_t {
  data,
  retransmission,
  // Of a handshake (transport/handshake.hh):
  opening,
  opening_with_data,  // the flow's first segment travels with it
  last_of_opening,
};

enum class EcnMark : uint8_t { not_ect, ect1, ect0, ce };

struct Packet {
  uint64_t sequence{};  // which segment of the flow; a retransmission repeats it
  uint64_t
      number{};  // transmission number: grows by one per transmission, never reused (drivers: what the body is found by)
  Time sent{};   // when the sender sent it
  Time stamp{};     // belongs to whoever holds it: arrival at the queue, then arrival at the far end of the delay line
  uint64_t tag{};   // what Controller::tag() returned
  uint32_t size{};  // bytes on the wire
  uint16_t flow{};
  EcnMark ecn{EcnMark::not_ect};
  PacketKind kind{};

  [[nodiscard]] constexpr Bytes bytes() const { return {size}; }
  [[nodiscard]] constexpr bool opens() const { return kind >= PacketKind::opening; }
  [[nodiscard]] constexpr bool has_data() const { return !opens() || kind == PacketKind::opening_with_data; }
};
static_assert(sizeof(Packet) == 48);

}  // namespace paceline
