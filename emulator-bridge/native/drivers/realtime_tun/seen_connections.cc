#include "drivers/realtime_tun/seen_connections.hh"

namespace paceline {

uint64_t SeenConnections::sent(const PacketShape& shape, Time now) {
  const Key key = forward_key(shape);
  if ((shape.tcp_flags & (kRst | kSyn)) != 0) close(key);  // it is over, or its ports are used again
  if ((shape.tcp_flags & kSyn) != 0) find_or_make(key).sent.emplace(shape.sequence);
  const uint32_t payload = shape.payload(0, shape.segments);
  Connection* connection = find(key);
  if (!connection || !connection->sent || payload == 0) return 0;
  const uint64_t end = connection->sent->of(shape.sequence + payload);
  outstanding_ -= connection->rtt.outstanding();
  const uint64_t before = connection->rtt.sent(end - payload, end, now);
  outstanding_ += connection->rtt.outstanding();
  return before;
}

std::optional<LinkRtt::Sample> SeenConnections::acknowledged(const PacketShape& shape, std::span<const std::byte> head,
                                                             Time now) {
  const Key key = reverse_key(shape);
  if ((shape.tcp_flags & kRst) != 0) close(key);
  Connection* connection = find(key);
  if (!connection || !connection->sent || (shape.tcp_flags & kAck) == 0) return std::nullopt;
  outstanding_ -= connection->rtt.outstanding();
  const auto sample = connection->rtt.acknowledged(connection->sent->near(highest_acknowledged(shape, head)), now);
  outstanding_ += connection->rtt.outstanding();
  return sample;
}

uint64_t SeenConnections::arrives(const PacketShape& shape, uint32_t segment) {
  const uint32_t sequence = shape.sequence + segment * shape.segment_payload;
  const uint32_t payload = shape.payload(segment);
  const bool opens = (shape.tcp_flags & kSyn) != 0;
  if (!opens && payload == 0) return 0;
  Connection& connection = find_or_make(forward_key(shape));
  if (opens) connection.stream.emplace(sequence + 1);  // which has a number of its own
  if (payload == 0) return 0;
  if (!connection.stream) connection.stream.emplace(sequence);
  const uint64_t at = connection.stream->unwrapped.of(sequence);
  return connection.stream->arrived.add(at, at + payload);
}

SeenConnections::Connection* SeenConnections::find(Key key) {
  if (latest_ && latest_key_ == key) return latest_;
  const auto found = all_.find(key);
  if (found == all_.end()) return nullptr;
  latest_key_ = key;
  latest_ = found->second.get();
  return latest_;
}

SeenConnections::Connection& SeenConnections::find_or_make(Key key) {
  if (Connection* known = find(key)) return *known;
  if (in_order_.size() == kMost) {
    close(in_order_.front());
    all_.erase(in_order_.front());
    in_order_.pop_front();
    latest_ = nullptr;
  }
  in_order_.push_back(key);
  all_.emplace(key, std::make_unique<Connection>());
  return *find(key);
}

// What is still on its way may arrive all the same.
void SeenConnections::close(Key key) {
  Connection* connection = find(key);
  if (!connection) return;
  outstanding_ -= connection->rtt.outstanding();
  connection->rtt = {};
  connection->sent.reset();
}

}  // namespace paceline
