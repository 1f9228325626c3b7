#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <vector>

#include "core/random.hh"
#include "drivers/realtime_tun/ip_packet.hh"

using namespace paceline;

namespace {

using Bytes8 = std::vector<std::byte>;

constexpr uint16_t kMss = 1448;

void put16(Bytes8& bytes, std::size_t at, unsigned value) {
  bytes[at] = static_cast<std::byte>(value >> 8 & 0xff);
  bytes[at + 1] = static_cast<std::byte>(value & 0xff);
}
void put32(Bytes8& bytes, std::size_t at, uint32_t value) {
  put16(bytes, at, value >> 16);
  put16(bytes, at + 2, value & 0xffff);
}
unsigned get16(const Bytes8& bytes, std::size_t at) {
  return std::to_integer<unsigned>(bytes[at]) << 8 | std::to_integer<unsigned>(bytes[at + 1]);
}
uint32_t get32(const Bytes8& bytes, std::size_t at) { return get16(bytes, at) << 16 | get16(bytes, at + 2); }

// One's complement sum the way RFC 1071 describes it, of any number of bytes.
unsigned plain_sum(const Bytes8& bytes, std::size_t from, std::size_t to, unsigned start = 0) {
  unsigned long sum = start;
  for (std::size_t i = from; i < to; i += 2)
    sum += std::to_integer<unsigned>(bytes[i]) << 8 | (i + 1 < to ? std::to_integer<unsigned>(bytes[i + 1]) : 0);
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<unsigned>(sum);
}

// A packet as the kernel hands it to TUN: `payload` bytes behind IPv4 and TCP (with timestamps) or UDP headers.
Bytes8 make_packet(bool tcp, std::size_t payload, uint8_t flags = kAck | kPsh, uint8_t tos = 0) {
  const std::size_t headers = tcp ? 52 : 28;
  Bytes8 packet(headers + payload);
  Random random{payload, tcp ? 1U : 0U, "payload"};
  for (std::size_t i = headers; i < packet.size(); ++i) packet[i] = static_cast<std::byte>(random.next());
  packet[0] = std::byte{0x45};
  packet[1] = static_cast<std::byte>(tos);
  put16(packet, 2, static_cast<unsigned>(packet.size()));
  put16(packet, 4, 0xfffe);  // the identification wraps within the packet
  put16(packet, 6, 0x4000);
  packet[8] = std::byte{64};
  packet[9] = static_cast<std::byte>(tcp ? 6 : 17);
  put32(packet, 12, 0x64400001);
  put32(packet, 16, 0x64400002);
  put16(packet, 10, plain_sum(packet, 0, 20) ^ 0xffff);
  put16(packet, 20, 40000);
  put16(packet, 22, 5001);
  if (tcp) {
    put32(packet, 24, 0xffff'f000);  // so does the sequence number
    put32(packet, 28, 77);
    packet[32] = std::byte{0x80};
    packet[33] = static_cast<std::byte>(flags);
    packet[40] = std::byte{1};
    packet[41] = std::byte{1};
    packet[42] = std::byte{8};
    packet[43] = std::byte{10};
  } else {
    put16(packet, 24, static_cast<unsigned>(packet.size() - 20));
  }
  return packet;
}

VirtioHeader offloaded(bool tcp, uint16_t segment) {
  return {.flags = VirtioHeader::kNeedsChecksum,
          .gso_type = tcp ? VirtioHeader::kTcp4 : VirtioHeader::kUdp,
          .headers = static_cast<uint16_t>(tcp ? 52 : 28),
          .segment = segment,
          .checksum_start = 20,
          .checksum_offset = static_cast<uint16_t>(tcp ? 16 : 6)};
}

struct Piece {
  VirtioHeader virtio{};
  Bytes8 bytes{};
};

Piece cut(const Bytes8& packet, const VirtioHeader& virtio, uint32_t first, uint32_t count, EcnMark ecn) {
  const auto shape = shape_of(virtio, packet, packet.size());
  REQUIRE(shape);
  Piece piece{};
  piece.bytes.resize(kLongestHeaders);
  piece.virtio = write_headers(piece.bytes, *shape, virtio, packet, first, count, ecn);
  piece.bytes.resize(shape->headers);
  const auto payload = packet.begin() + shape->payload_offset(first);
  piece.bytes.insert(piece.bytes.end(), payload, payload + shape->payload(first, count));
  return piece;
}

// What the next stack checks when it finishes the sum over header and payload.
void check_checksums(const Piece& piece, bool tcp) {
  const Bytes8& bytes = piece.bytes;
  CHECK(plain_sum(bytes, 0, 20) == 0xffff);
  CHECK(get16(bytes, 2) == bytes.size());
  CHECK(piece.virtio.flags == VirtioHeader::kNeedsChecksum);
  CHECK(piece.virtio.checksum_start == 20);
  CHECK(piece.virtio.checksum_offset == (tcp ? 16 : 6));
  const unsigned length = static_cast<unsigned>(bytes.size() - 20);
  CHECK(get16(bytes, 20U + piece.virtio.checksum_offset) == plain_sum(bytes, 12, 20, (tcp ? 6 : 17) + length));
}

}  // namespace

TEST_CASE("A super-packet falls into the packets that its sender would have sent one by one") {
  constexpr std::size_t kSegments = 5;
  const Bytes8 packet = make_packet(true, kMss * (kSegments - 1) + 100, kAck | kPsh | kFin | kCwr);
  const VirtioHeader virtio = offloaded(true, kMss);
  const auto shape = shape_of(virtio, packet, packet.size());
  REQUIRE(shape);
  CHECK(shape->segments == kSegments);
  CHECK(shape->headers == 52);
  CHECK(shape->destination_port == 5001);
  Bytes8 payload;
  for (uint32_t i = 0; i < kSegments; ++i) {
    CAPTURE(i);
    const Piece piece = cut(packet, virtio, i, 1, EcnMark::not_ect);
    check_checksums(piece, true);
    CHECK(piece.virtio.gso_type == VirtioHeader::kNoSegments);
    CHECK(piece.bytes.size() == (i + 1 < kSegments ? 1500 : 152));
    CHECK(get16(piece.bytes, 4) == ((0xfffe + i) & 0xffff));
    CHECK(get32(piece.bytes, 24) == 0xffff'f000 + i * kMss);
    CHECK(get32(piece.bytes, 28) == 77);
    const auto flags = std::to_integer<uint8_t>(piece.bytes[33]);
    CHECK((flags & kAck) != 0);
    CHECK(((flags & kCwr) != 0) == (i == 0));
    CHECK(((flags & (kFin | kPsh)) != 0) == (i + 1 == kSegments));
    payload.insert(payload.end(), piece.bytes.begin() + 52, piece.bytes.end());
  }
  CHECK(payload == Bytes8(packet.begin() + 52, packet.end()));
}

TEST_CASE("Segments that leave together are one super-packet again") {
  constexpr std::size_t kSegments = 40;
  const Bytes8 packet = make_packet(true, kMss * kSegments);
  const VirtioHeader virtio = offloaded(true, kMss);
  Random random{3, 0, "groups"};
  for (int run = 0; run < 20; ++run) {
    Bytes8 payload;
    for (uint32_t first = 0; first < kSegments;) {
      const auto count = static_cast<uint32_t>(1 + random.below(kSegments - first));
      const Piece piece = cut(packet, virtio, first, count, EcnMark::not_ect);
      CHECK(get32(piece.bytes, 24) == 0xffff'f000 + first * kMss);
      CHECK(piece.bytes.size() == 52 + std::size_t{count} * kMss);
      CHECK(piece.virtio.gso_type == (count > 1 ? VirtioHeader::kTcp4 : VirtioHeader::kNoSegments));
      if (count < kSegments) check_checksums(piece, true);
      if (count > 1) CHECK(piece.virtio.segment == kMss);
      payload.insert(payload.end(), piece.bytes.begin() + 52, piece.bytes.end());
      first += count;
    }
    CHECK(payload == Bytes8(packet.begin() + 52, packet.end()));
  }
  const Piece whole = cut(packet, virtio, 0, kSegments, EcnMark::not_ect);
  CHECK(whole.bytes == packet);
}

TEST_CASE("UDP segments get lengths of their own") {
  const Bytes8 packet = make_packet(false, 1200 * 3 + 7);
  const VirtioHeader virtio = offloaded(false, 1200);
  for (uint32_t i = 0; i < 4; ++i) {
    const Piece piece = cut(packet, virtio, i, 1, EcnMark::not_ect);
    check_checksums(piece, false);
    CHECK(get16(piece.bytes, 24) == piece.bytes.size() - 20);
    CHECK(piece.bytes.size() == (i < 3 ? 1228 : 35));
  }
}

TEST_CASE("A mark that the link made is written, one that was there stays, and the rest of the packet is as it was") {
  const Bytes8 packet = make_packet(true, 500, kAck, 0x02);
  VirtioHeader virtio = offloaded(true, 0);
  virtio.gso_type = VirtioHeader::kNoSegments;
  REQUIRE(shape_of(virtio, packet, packet.size())->ecn == EcnMark::ect0);
  CHECK(cut(packet, virtio, 0, 1, EcnMark::ect0).bytes == packet);
  const Piece marked = cut(packet, virtio, 0, 1, EcnMark::ce);
  CHECK(std::to_integer<int>(marked.bytes[1]) == 3);
  CHECK(plain_sum(marked.bytes, 0, 20) == 0xffff);
  CHECK(Bytes8(marked.bytes.begin() + 12, marked.bytes.end()) == Bytes8(packet.begin() + 12, packet.end()));
}

TEST_CASE("The highest selective acknowledgement counts") {
  Bytes8 packet = make_packet(true, 0, kAck);
  const VirtioHeader none{};
  const auto shape = shape_of(none, packet, packet.size());
  REQUIRE(shape);
  CHECK(highest_acknowledged(*shape, packet) == 77);
  packet.resize(52 + 20);
  packet[32] = static_cast<std::byte>((packet.size() - 20) / 4 << 4);
  put16(packet, 2, static_cast<unsigned>(packet.size()));
  packet[52] = std::byte{1};
  packet[53] = std::byte{1};
  packet[54] = std::byte{5};
  packet[55] = std::byte{18};
  put32(packet, 56, 300);
  put32(packet, 60, 400);
  put32(packet, 64, 100);
  put32(packet, 68, 200);
  CHECK(highest_acknowledged(*shape_of(none, packet, packet.size()), packet) == 400);
  packet[55] = std::byte{200};  // longer than the header
  CHECK(highest_acknowledged(*shape_of(none, packet, packet.size()), packet) == 77);
}

TEST_CASE("Whatever is no IPv4 packet, or lies about its length, is not taken for one") {
  const VirtioHeader none{};
  Bytes8 packet = make_packet(true, 100);
  CHECK_FALSE(shape_of(none, packet, 19));
  packet[0] = std::byte{0x60};
  CHECK_FALSE(shape_of(none, packet, packet.size()));
  packet[0] = std::byte{0x44};
  CHECK_FALSE(shape_of(none, packet, packet.size()));
  packet = make_packet(true, 100);
  packet[32] = std::byte{0xf0};  // a TCP header of 60 bytes is still within the packet
  CHECK(shape_of(none, packet, packet.size()));
  CHECK_FALSE(shape_of(none, packet, 60));
  CHECK_FALSE(shape_of(offloaded(false, 1448), packet, packet.size()));
  CHECK_FALSE(shape_of(offloaded(true, 0), packet, packet.size()));
  Random random{5, 0, "rubbish"};
  for (int i = 0; i < 20'000; ++i) {
    Bytes8 bytes(kLongestHeaders + random.below(200));
    for (auto& b : bytes) b = static_cast<std::byte>(random.next());
    if (random.chance(0.8)) bytes[0] = static_cast<std::byte>(0x40 | (random.next() & 0xf));
    if (random.chance(0.5)) bytes[9] = std::byte{6};
    VirtioHeader virtio{.gso_type = static_cast<uint8_t>(random.below(6)),
                        .segment = static_cast<uint16_t>(random.below(300))};
    const auto shape = shape_of(virtio, bytes, bytes.size());
    if (!shape) continue;
    Bytes8 out(kLongestHeaders);
    (void)write_headers(out, *shape, virtio, bytes, shape->segments - 1U, 1, EcnMark::ce);
    if (shape->tcp()) (void)highest_acknowledged(*shape, bytes);
  }
}
