#include "drivers/packet_log.hh"

#include <algorithm>
#include <tuple>

namespace paceline {
namespace {

// Numbers grow by one per transmission of a flow: 2^47 of them are not reached. What opens a connection is counted apart from its data.
constexpr uint64_t key_of(const Packet& packet) {
  return static_cast<uint64_t>(packet.flow) << 48 | static_cast<uint64_t>(packet.opens()) << 47 | packet.number;
}

// Of those that were sent at once.
uint64_t order_of(const PacketLife& life) { return life.number; }
uint64_t order_of(const AckLife& life) { return life.cumulative; }

}  // namespace

template <typename Life>
std::vector<Life> Lives<Life>::window() const {
  std::vector<Life> lives;
  for (const Life& life : all_)
    if (life.ended >= from_) lives.push_back(life);
  std::ranges::sort(lives, {}, [](const Life& life) { return std::tuple{life.sent, life.flow, order_of(life)}; });
  return lives;
}

template class Lives<PacketLife>;
template class Lives<AckLife>;

void PacketLog::sent(const Packet& packet, Time now) {
  PacketLife* life = packets_.begin(key_of(packet), now);
  if (!life) return;
  life->number = packet.number;
  life->sequence = packet.sequence;
  life->sent = now;
  life->bytes = packet.size;
  life->flow = packet.flow;
  life->kind = packet.kind;
}

void PacketLog::arrived(Direction direction, const Packet& packet, Time now) {
  if (direction == Direction::reverse) return;
  if (PacketLife* life = packets_.find(key_of(packet))) life->queued = now;
}

void PacketLog::departed(Direction direction, const Packet& packet, Time scheduled) {
  if (direction == Direction::reverse) return;
  if (PacketLife* life = packets_.find(key_of(packet))) life->departed = scheduled;
}

void PacketLog::received(const Packet& packet, Time now) {
  const uint64_t key = key_of(packet);
  bool copy = false;
  if (!packets_.find(key)) {
    // Of the window, but for the one that came first.
    if (packet.sent >= to_ || now < from_) return;
    sent(packet, packet.sent);
    copy = true;
  }
  if (PacketLife* life = packets_.find(key)) {
    life->ce = packet.ecn == EcnMark::ce;
    life->copy = copy;
  }
  packets_.end(key, PacketFate::received, now);
}

void PacketLog::acknowledged(const Packet& packet, const Ack& ack, Time now) {
  AckLife* life = acks_.begin(packet.number, now);
  if (!life) return;
  life->cumulative = ack.cumulative;
  life->sequence = ack.echo_sequence;
  life->sent = now;
  life->bytes = packet.size;
  life->flow = packet.flow;
}

Time PacketLog::complete_until() const { return std::min({to_, packets_.complete_until(), acks_.complete_until()}); }

void PacketLog::end(Direction direction, const Packet& packet, PacketFate fate, Time now) {
  if (direction == Direction::reverse) {
    acks_.end(packet.number, fate, now);
  } else {
    packets_.end(key_of(packet), fate, now);
  }
}

}  // namespace paceline
