#include "drivers/realtime_udp/wire.hh"

#include <cstring>
#include <type_traits>

namespace paceline {

namespace {

constexpr uint32_t kDataMagic = 0x50'4C'44'31;  // "PLD1"
constexpr uint32_t kAckMagic = 0x50'4C'41'31;   // "PLA1"

struct DataHeader {
  uint32_t magic;
  uint32_t size;
  uint64_t sequence;
  uint64_t number;
  int64_t sent_ns;
  uint64_t tag;
  uint64_t hop;
  int64_t message_born_ns;
  int64_t message_bytes;  // 0: no message ends here
  uint16_t flow;
  uint8_t ecn;
  uint8_t kind;
  uint32_t reserved;
};
static_assert(std::has_unique_object_representations_v<DataHeader>);

// Followed by `ranges` pairs of 8 bytes and `feedback` bytes.
struct AckHeader {
  uint32_t magic;
  uint32_t ce_packets;
  uint64_t cumulative;
  uint64_t echo_sequence;
  uint64_t echo_number;
  int64_t echo_sent_ns;
  int64_t received_ns;
  int64_t sent_ns;
  uint64_t hop;
  uint16_t flow;
  uint8_t delayed;
  uint8_t duplicate;
  uint8_t ranges;
  uint8_t feedback;
  uint8_t quic;
  uint8_t reply;
};
static_assert(std::has_unique_object_representations_v<AckHeader>);

template <typename Header>
bool take(std::span<const std::byte> bytes, Header& header) {
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return true;
}

}  // namespace

DatagramKind datagram_kind(std::span<const std::byte> header) {
  uint32_t magic{};
  if (!take(header, magic)) return DatagramKind::other;
  if (magic == kDataMagic) return DatagramKind::data;
  return magic == kAckMagic ? DatagramKind::ack : DatagramKind::other;
}

std::size_t write_data(std::span<std::byte> header, const DataDatagram& data) {
  const Packet& p = data.packet;
  const DataHeader h{.magic = kDataMagic,
                     .size = p.size,
                     .sequence = p.sequence,
                     .number = p.number,
                     .sent_ns = p.sent.ns,
                     .tag = p.tag,
                     .hop = data.hop,
                     .message_born_ns = data.message ? data.message->born.ns : 0,
                     .message_bytes = data.message ? data.message->bytes.v : 0,
                     .flow = p.flow,
                     .ecn = static_cast<uint8_t>(p.ecn),
                     .kind = static_cast<uint8_t>(p.kind),
                     .reserved = 0};
  std::memcpy(header.data(), &h, sizeof h);
  return sizeof h;
}

std::optional<DataDatagram> read_data(std::span<const std::byte> header) {
  DataHeader h{};
  if (!take(header, h) || h.magic != kDataMagic || h.ecn > static_cast<uint8_t>(EcnMark::ce) ||
      h.kind > static_cast<uint8_t>(PacketKind::last_of_opening))
    return std::nullopt;
  return DataDatagram{.packet = {.sequence = h.sequence,
                                 .number = h.number,
                                 .sent = {h.sent_ns},
                                 .stamp = {},
                                 .tag = h.tag,
                                 .size = h.size,
                                 .flow = h.flow,
                                 .ecn = static_cast<EcnMark>(h.ecn),
                                 .kind = static_cast<PacketKind>(h.kind)},
                      .hop = h.hop,
                      .message = h.message_bytes > 0
                                     ? std::optional{Message{.born = {h.message_born_ns}, .bytes = {h.message_bytes}}}
                                     : std::nullopt};
}

std::size_t write_ack(std::span<std::byte> header, const AckDatagram& ack) {
  const Ack& a = ack.ack;
  const AckHeader h{.magic = kAckMagic,
                    .ce_packets = a.ce_packets,
                    .cumulative = a.cumulative,
                    .echo_sequence = a.echo_sequence,
                    .echo_number = a.echo_number,
                    .echo_sent_ns = a.echo_sent.ns,
                    .received_ns = a.received.ns,
                    .sent_ns = ack.sent.ns,
                    .hop = ack.hop,
                    .flow = a.flow,
                    .delayed = a.delayed ? uint8_t{1} : uint8_t{0},
                    .duplicate = a.duplicate ? uint8_t{1} : uint8_t{0},
                    .ranges = a.range_count,
                    .feedback = a.feedback_size,
                    .quic = a.quic ? uint8_t{1} : uint8_t{0},
                    .reply = a.reply};
  const std::size_t ranges = a.range_count * sizeof(SegmentRange);
  std::memcpy(header.data(), &h, sizeof h);
  std::memcpy(header.data() + sizeof h, a.ranges.data(), ranges);
  std::memcpy(header.data() + sizeof h + ranges, a.feedback.data(), a.feedback_size);
  return sizeof h + ranges + a.feedback_size;
}

bool read_ack(std::span<const std::byte> header, AckDatagram& into) {
  AckHeader h{};
  if (!take(header, h) || h.magic != kAckMagic || h.ranges > kMaxAckRanges || h.feedback > kMaxFeedbackBytes ||
      h.reply > kQuicFlight)
    return false;
  const std::size_t ranges = h.ranges * sizeof(SegmentRange);
  if (header.size() < sizeof h + ranges + h.feedback) return false;
  Ack& a = into.ack;
  a.cumulative = h.cumulative;
  a.echo_sequence = h.echo_sequence;
  a.echo_number = h.echo_number;
  a.echo_sent = {h.echo_sent_ns};
  a.received = {h.received_ns};
  a.ce_packets = h.ce_packets;
  a.flow = h.flow;
  a.delayed = h.delayed != 0;
  a.duplicate = h.duplicate != 0;
  a.quic = h.quic != 0;
  a.reply = h.reply;
  a.range_count = h.ranges;
  a.feedback_size = h.feedback;
  std::memcpy(a.ranges.data(), header.data() + sizeof h, ranges);
  std::memcpy(a.feedback.data(), header.data() + sizeof h + ranges, h.feedback);
  into.sent = {h.sent_ns};
  into.hop = h.hop;
  return true;
}

}  // namespace paceline
