#include "drivers/realtime_tun/ip_packet.hh"

#include <algorithm>

#include "core/random.hh"

namespace paceline {

namespace {

constexpr uint8_t kTcp = 6;
constexpr uint8_t kUdp = 17;
constexpr std::size_t kLeastIpHeader = 20;
constexpr std::size_t kLeastTcpHeader = 20;
constexpr std::size_t kUdpHeader = 8;

// Offsets within the headers.
constexpr std::size_t kIpTos = 1;
constexpr std::size_t kIpLength = 2;
constexpr std::size_t kIpId = 4;
constexpr std::size_t kIpFragment = 6;
constexpr std::size_t kIpProtocol = 9;
constexpr std::size_t kIpChecksum = 10;
constexpr std::size_t kIpAddresses = 12;
constexpr std::size_t kTcpSequence = 4;
constexpr std::size_t kTcpAcknowledged = 8;
constexpr std::size_t kTcpOffset = 12;
constexpr std::size_t kTcpFlags = 13;
constexpr std::size_t kTcpChecksum = 16;
constexpr std::size_t kUdpLength = 4;
constexpr std::size_t kUdpChecksum = 6;

uint8_t get8(std::span<const std::byte> bytes, std::size_t at) { return std::to_integer<uint8_t>(bytes[at]); }
uint16_t get16(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<uint16_t>(get8(bytes, at) << 8 | get8(bytes, at + 1));
}
uint32_t get32(std::span<const std::byte> bytes, std::size_t at) {
  return static_cast<uint32_t>(get16(bytes, at)) << 16 | get16(bytes, at + 2);
}
void put16(std::span<std::byte> bytes, std::size_t at, uint32_t value) {
  bytes[at] = static_cast<std::byte>(value >> 8 & 0xff);
  bytes[at + 1] = static_cast<std::byte>(value & 0xff);
}
void put32(std::span<std::byte> bytes, std::size_t at, uint32_t value) {
  put16(bytes, at, value >> 16);
  put16(bytes, at + 2, value & 0xffff);
}

EcnMark ecn_of(uint8_t tos) {
  constexpr EcnMark marks[] = {EcnMark::not_ect, EcnMark::ect1, EcnMark::ect0, EcnMark::ce};
  return marks[tos & 3];
}

// Only congestion is ever written: nothing on the path takes a mark away.
constexpr uint8_t kCongestion = 3;

}  // namespace

uint32_t highest_acknowledged(const PacketShape& shape, std::span<const std::byte> head) {
  constexpr uint8_t kEnd = 0;
  constexpr uint8_t kNothing = 1;
  constexpr uint8_t kSack = 5;
  constexpr std::size_t kBlock = 8;
  uint32_t highest = shape.acknowledged;
  const std::size_t first_option = shape.ip_header + kLeastTcpHeader;
  const auto options = head.subspan(first_option, shape.headers - first_option);
  for (std::size_t at = 0; at < options.size() && get8(options, at) != kEnd;) {
    if (get8(options, at) == kNothing) {
      ++at;
      continue;
    }
    const std::size_t size = at + 1 < options.size() ? get8(options, at + 1) : 0;
    if (size < 2 || at + size > options.size()) break;
    if (get8(options, at) == kSack)
      for (std::size_t block = at + 2; block + kBlock <= at + size; block += kBlock)
        if (const uint32_t end = get32(options, block + 4); static_cast<int32_t>(end - highest) > 0) highest = end;
    at += size;
  }
  return highest;
}

uint32_t checksum_add(uint32_t sum, std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) sum += get16(bytes, i);
  return sum;
}

uint16_t checksum_fold(uint32_t sum) {
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

std::optional<PacketShape> shape_of(const VirtioHeader& virtio, std::span<const std::byte> head, std::size_t length) {
  if (length < kLeastIpHeader || length > kLargestPacket || get8(head, 0) >> 4 != 4) return std::nullopt;
  PacketShape shape{};
  shape.length = static_cast<uint32_t>(length);
  shape.ip_header = static_cast<uint16_t>((get8(head, 0) & 0xf) * 4);
  shape.headers = shape.ip_header;
  if (shape.ip_header < kLeastIpHeader || shape.ip_header > length) return std::nullopt;
  shape.protocol = get8(head, kIpProtocol);
  shape.ecn = ecn_of(get8(head, kIpTos));
  shape.source = get32(head, kIpAddresses);
  shape.destination = get32(head, kIpAddresses + 4);

  constexpr uint16_t kOffsetBits = 0x1fff;
  const bool first_fragment = (get16(head, kIpFragment) & kOffsetBits) == 0;
  const auto transport = head.subspan(shape.ip_header);
  const std::size_t left = length - shape.ip_header;
  if (first_fragment && shape.protocol == kTcp && left >= kLeastTcpHeader) {
    const std::size_t tcp_header = static_cast<std::size_t>(get8(transport, kTcpOffset) >> 4) * 4;
    if (tcp_header < kLeastTcpHeader || tcp_header > left) return std::nullopt;
    shape.headers = static_cast<uint16_t>(shape.ip_header + tcp_header);
    shape.sequence = get32(transport, kTcpSequence);
    shape.acknowledged = get32(transport, kTcpAcknowledged);
    shape.tcp_flags = get8(transport, kTcpFlags);
  } else if (first_fragment && shape.protocol == kUdp && left >= kUdpHeader) {
    shape.headers = static_cast<uint16_t>(shape.ip_header + kUdpHeader);
  }
  if (shape.headers > shape.ip_header) {
    shape.source_port = get16(transport, 0);
    shape.destination_port = get16(transport, 2);
  }
  const uint64_t ends = uint64_t{get32(head, kIpAddresses)} << 32 | get32(head, kIpAddresses + 4);
  const uint64_t ports = uint64_t{shape.source_port} << 16 | shape.destination_port;
  shape.connection = mix64(ends ^ mix64(ports << 8 | shape.protocol));

  const std::size_t payload = length - shape.headers;
  switch (virtio.gso_type & ~VirtioHeader::kEcn) {
    case VirtioHeader::kNoSegments:
      shape.segment_payload = static_cast<uint16_t>(payload);
      return shape;
    case VirtioHeader::kTcp4:
      if (shape.protocol != kTcp) return std::nullopt;
      break;
    case VirtioHeader::kUdp:
      if (shape.protocol != kUdp) return std::nullopt;
      break;
    default:
      return std::nullopt;
  }
  if (virtio.segment == 0 || shape.headers == shape.ip_header || payload == 0) return std::nullopt;
  shape.segment_payload = virtio.segment;
  shape.segments = static_cast<uint16_t>((payload + virtio.segment - 1) / virtio.segment);
  return shape;
}

VirtioHeader write_headers(std::span<std::byte> out, const PacketShape& shape, const VirtioHeader& virtio,
                           std::span<const std::byte> head, uint32_t first, uint32_t count, EcnMark ecn) {
  std::copy_n(head.begin(), shape.headers, out.begin());
  const bool whole = count == shape.segments;
  const bool marked = ecn == EcnMark::ce && shape.ecn != EcnMark::ce;
  if (whole && !marked) return virtio;

  const auto ip = out.first(shape.ip_header);
  const uint32_t length = shape.headers + shape.payload(first, count);
  if (marked) ip[kIpTos] |= std::byte{kCongestion};
  put16(ip, kIpLength, length);
  put16(ip, kIpId, get16(head, kIpId) + first);
  put16(ip, kIpChecksum, 0);
  put16(ip, kIpChecksum, checksum_fold(checksum_add(0, ip)) ^ 0xffffU);
  if (whole) return virtio;

  const auto transport = out.subspan(shape.ip_header, static_cast<std::size_t>(shape.headers - shape.ip_header));
  const std::size_t checksum = shape.tcp() ? kTcpChecksum : kUdpChecksum;
  if (shape.tcp()) {
    put32(transport, kTcpSequence, shape.sequence + first * shape.segment_payload);
    uint8_t flags = shape.tcp_flags;
    if (first > 0) flags &= static_cast<uint8_t>(~kCwr);
    if (first + count < shape.segments) flags &= static_cast<uint8_t>(~(kFin | kPsh));
    transport[kTcpFlags] = static_cast<std::byte>(flags);
  } else {
    put16(transport, kUdpLength, length - shape.ip_header);
  }
  // The pseudo-header's sum: whoever finishes the packet adds the rest, and within this machine nobody needs to.
  const uint32_t pseudo = checksum_add(shape.protocol + length - shape.ip_header, ip.subspan(kIpAddresses, 8));
  put16(transport, checksum, checksum_fold(pseudo));
  VirtioHeader result{};
  result.flags = VirtioHeader::kNeedsChecksum;
  result.headers = shape.headers;
  result.checksum_start = shape.ip_header;
  result.checksum_offset = static_cast<uint16_t>(checksum);
  if (count > 1) {
    const uint8_t kind = virtio.gso_type & static_cast<uint8_t>(~VirtioHeader::kEcn);
    const uint8_t congestion = first == 0 ? virtio.gso_type & VirtioHeader::kEcn : 0;
    result.gso_type = static_cast<uint8_t>(kind | congestion);
    result.segment = shape.segment_payload;
  }
  return result;
}

}  // namespace paceline
