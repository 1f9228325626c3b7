#pragma once
// A packet as the link and the transport see it. Drivers give it a body (memory, a UDP datagram) of their own.

#include <cstdint>

#include "core/units.hh"

namespace paceline {

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
  bool retransmission{};

  [[nodiscard]] constexpr Bytes bytes() const { return {size}; }
};
static_assert(sizeof(Packet) == 48);

}  // namespace paceline
