#pragma once
// The TCP connections of one flow, as the link sees them pass: which data arrives for the first time, which was sent again, and what
// RTT acknowledgements show.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>

#include "drivers/realtime_tun/ip_packet.hh"
#include "metrics/byte_ranges.hh"
#include "metrics/link_rtt.hh"

namespace paceline {

class SeenConnections {
 public:
  // A packet came from the sender. How many of its bytes had come before.
  uint64_t sent(const PacketShape& shape, Time now);
  // A packet leaves for the sender. The RTT that it shows, if it does.
  std::optional<LinkRtt::Sample> acknowledged(const PacketShape& shape, std::span<const std::byte> head, Time now);
  // A segment leaves for the receiver. How many of its bytes do so for the first time.
  uint64_t arrives(const PacketShape& shape, uint32_t segment);
  // Bytes that were sent and not acknowledged, of all connections that are not over.
  [[nodiscard]] uint64_t outstanding() const { return outstanding_; }

 private:
  // A browser opens hundreds; of more than that, the oldest are forgotten.
  static constexpr std::size_t kMost = 1024;

  struct Stream {
    explicit Stream(uint32_t first) : unwrapped{first}, arrived{unwrapped.of(first)} {}
    Unwrapped unwrapped;
    ByteRanges arrived;
  };
  struct Connection {
    std::optional<Unwrapped> sent{};  // sequence numbers at the sender's end
    std::optional<Stream> stream{};   // at the receiver's
    LinkRtt rtt{};
  };
  // Addresses (of which the last half tells who it is) and ports, the sender's first.
  using Key = uint64_t;

  [[nodiscard]] static Key key_of(uint32_t sender, uint16_t sender_port, uint32_t receiver, uint16_t receiver_port) {
    constexpr uint32_t kHalf = 0xffff;
    return Key{sender & kHalf} << 48 | Key{receiver & kHalf} << 32 | Key{sender_port} << 16 | receiver_port;
  }
  [[nodiscard]] static Key forward_key(const PacketShape& shape) {
    return key_of(shape.source, shape.source_port, shape.destination, shape.destination_port);
  }
  [[nodiscard]] static Key reverse_key(const PacketShape& shape) {
    return key_of(shape.destination, shape.destination_port, shape.source, shape.source_port);
  }
  Connection* find(Key key);
  Connection& find_or_make(Key key);
  void close(Key key);

  std::unordered_map<Key, std::unique_ptr<Connection>> all_{};
  std::deque<Key> in_order_{};  // of their first packets
  Key latest_key_{};
  Connection* latest_{};  // most packets belong to the same as the one before
  uint64_t outstanding_{};
};

}  // namespace paceline
