#pragma once
// What the datagrams of a real-time run carry. All processes run on one machine, so numbers are in its byte order.
//
// A data packet of 1500 bytes on the modelled wire is a UDP payload of 1472 bytes: with 8 bytes of UDP and 20 of IPv4
// it is 1500 on the real one. Acknowledgements are modelled at the size that TCP would give them (Ack::wire_size); the
// real datagram, which spells ranges out in full, is longer.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/packet.hh"
#include "transport/ack.hh"
#include "transport/messages.hh"

namespace paceline {

inline constexpr std::size_t kUdpAndIpHeaders = 28;

// `hop` counts the datagrams of one flow over one hop from 0: a gap is a packet that was lost where nothing is
// modelled.
struct DataDatagram {
  Packet packet{};
  uint64_t hop{};
  std::optional<Message> message{};  // whose last packet this is
};
struct AckDatagram {
  Ack ack{};
  Time sent{};  // by the receiver
  uint64_t hop{};
};

enum class DatagramKind : uint8_t { data, ack, other };
[[nodiscard]] DatagramKind datagram_kind(std::span<const std::byte> header);

// Bytes written to `header`.
[[nodiscard]] std::size_t write_data(std::span<std::byte> header, const DataDatagram& data);
[[nodiscard]] std::size_t write_ack(std::span<std::byte> header, const AckDatagram& ack);
// Empty when the bytes are not what they say.
[[nodiscard]] std::optional<DataDatagram> read_data(std::span<const std::byte> header);
// Into `into`, which is large; false when the bytes are not what they say.
[[nodiscard]] bool read_ack(std::span<const std::byte> header, AckDatagram& into);

// Payload of the real datagram that stands for `wire_bytes` on the modelled wire.
[[nodiscard]] constexpr std::size_t payload_for(std::size_t wire_bytes) {
  return wire_bytes > kUdpAndIpHeaders ? wire_bytes - kUdpAndIpHeaders : 0;
}

// Counts the packets of one flow that are missing on one hop. On the loopback interface nothing overtakes anything.
class HopGaps {
 public:
  void arrived(uint64_t hop) {
    if (hop >= next_) {
      missing_ += hop - next_;
      next_ = hop + 1;
    }
  }
  [[nodiscard]] uint64_t missing() const { return missing_; }
  // Those that are missing and those that came.
  [[nodiscard]] uint64_t sent() const { return next_; }

 private:
  uint64_t next_{};
  uint64_t missing_{};
};

}  // namespace paceline
