#pragma once
// IPv4 packets as a TUN device with IFF_VNET_HDR gives and takes them: possibly many segments behind one set of headers
// (segmentation offload). Each segment is a packet of its own to the modelled link; those that leave together are written
// behind one set of headers again. Plain functions on bytes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/packet.hh"

namespace paceline {

// struct virtio_net_hdr of linux/virtio_net.h, in the machine's byte order.
struct VirtioHeader {
  static constexpr uint8_t kNeedsChecksum = 1;
  static constexpr uint8_t kNoSegments = 0;
  static constexpr uint8_t kTcp4 = 1;
  static constexpr uint8_t kUdp = 5;  // UDP_SEGMENT
  static constexpr uint8_t kEcn = 0x80;

  uint8_t flags{};
  uint8_t gso_type{};
  uint16_t headers{};  // a hint
  uint16_t segment{};  // payload of each segment but the last
  uint16_t checksum_start{};
  uint16_t checksum_offset{};
};
static_assert(sizeof(VirtioHeader) == 10);

inline constexpr std::size_t kLongestHeaders = 120;  // IPv4 and TCP, with all options
inline constexpr std::size_t kLargestPacket = 65535;

// TCP flags.
inline constexpr uint8_t kFin = 0x01;
inline constexpr uint8_t kSyn = 0x02;
inline constexpr uint8_t kRst = 0x04;
inline constexpr uint8_t kPsh = 0x08;
inline constexpr uint8_t kAck = 0x10;
inline constexpr uint8_t kCwr = 0x80;

// What a packet is, read from its headers once.
struct PacketShape {
  uint32_t length{};
  uint16_t ip_header{};
  uint16_t headers{};          // what each segment repeats
  uint16_t segment_payload{};  // of each segment but the last
  uint16_t segments{1};
  uint8_t protocol{};
  uint8_t tcp_flags{};
  uint32_t source{};  // addresses
  uint32_t destination{};
  uint16_t source_port{};
  uint16_t destination_port{};
  uint32_t sequence{};  // TCP
  uint32_t acknowledged{};
  EcnMark ecn{};
  uint64_t connection{};  // the same for all packets of these addresses, protocol and ports

  [[nodiscard]] uint32_t payload_offset(uint32_t segment) const { return headers + segment * segment_payload; }
  // Of so many segments from the first on.
  [[nodiscard]] uint32_t payload(uint32_t first, uint32_t count = 1) const {
    const uint32_t begin = payload_offset(first);
    return first + count == segments ? length - begin : count * segment_payload;
  }
  // With a header: a fragment behind the first one has none.
  [[nodiscard]] bool tcp() const { return protocol == 6 && headers > ip_header; }
};

// `head`: at least the first kLongestHeaders bytes of the packet, or all of it. Empty when it is not IPv4, not what it says it
// is, or cut into segments in a way that is not known here.
[[nodiscard]] std::optional<PacketShape> shape_of(const VirtioHeader& virtio, std::span<const std::byte> head,
                                                  std::size_t length);

// The headers of a packet that holds `count` segments from `first` on, into `out`: lengths, IP identification, sequence number,
// flags and checksums as if a sender had made it so. `head` and `virtio` are the whole packet's; `ecn` is what the link
// made of its mark. Returns the header for TUN.
VirtioHeader write_headers(std::span<std::byte> out, const PacketShape& shape, const VirtioHeader& virtio,
                           std::span<const std::byte> head, uint32_t first, uint32_t count, EcnMark ecn);

// One past the highest byte that a TCP packet acknowledges, selectively or cumulatively.
[[nodiscard]] uint32_t highest_acknowledged(const PacketShape& shape, std::span<const std::byte> head);

// RFC 1071, of an even number of bytes; `sum` carries on another one.
[[nodiscard]] uint32_t checksum_add(uint32_t sum, std::span<const std::byte> bytes);
[[nodiscard]] uint16_t checksum_fold(uint32_t sum);

}  // namespace paceline
