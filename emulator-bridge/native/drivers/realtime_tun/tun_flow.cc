#include "drivers/realtime_tun/tun_flow.hh"

namespace paceline {

void TunFlow::sent(const PacketShape& shape, Time now) {
  if (!shape.tcp()) return;
  if ((shape.tcp_flags & kSyn) != 0) sent_.emplace(shape.sequence);
  const uint32_t payload = shape.payload(0, shape.segments);
  if (!sent_ || payload == 0) return;
  const uint64_t end = sent_->of(shape.sequence + payload);
  rtt_.sent(end - payload, end, now);
}

std::optional<Duration> TunFlow::acknowledged(const PacketShape& shape, std::span<const std::byte> head, Time now) {
  if (!shape.tcp() || !sent_ || (shape.tcp_flags & kAck) == 0) return std::nullopt;
  return rtt_.acknowledged(sent_->near(highest_acknowledged(shape, head)), now);
}

Bytes TunFlow::arrives(const PacketShape& shape, uint32_t segment) {
  const uint32_t sequence = shape.sequence + segment * shape.segment_payload;
  if (shape.tcp() && (shape.tcp_flags & kSyn) != 0) stream_.emplace(sequence + 1);  // which has a number of its own
  const uint32_t payload = shape.payload(segment);
  if (payload == 0) return Bytes::zero();  // an acknowledgement or the like
  uint64_t fresh = payload;
  if (shape.tcp()) {
    if (!stream_) stream_.emplace(sequence);
    const uint64_t at = stream_->unwrapped.of(sequence);
    fresh = stream_->arrived.add(at, at + payload);
  }
  if (fresh == 0) {
    ++duplicates_;
    return Bytes::zero();
  }
  ++packets_;
  const Bytes counted{static_cast<int64_t>(fresh) + shape.headers};
  bytes_ += counted;
  return counted;
}

void TunFlow::delayed(const PacketShape& shape, uint32_t first, uint32_t count, Duration one_way) {
  if (shape.payload(first, count) == 0) return;
  for (uint32_t i = 0; i < count; ++i) interval_.add(one_way);
  delays_.add(one_way, count);
}

telemetry::ReceiverRow TunFlow::sample(Duration interval) {
  const telemetry::ReceiverRow row{.throughput_mbps = mbps(growth_.of(bytes_.v), interval),
                                   .owd_mean_ms = interval_.mean_ms(),
                                   .owd_max_ms = interval_.max_ms()};
  interval_ = {};
  return row;
}

ReceiverSummary TunFlow::summary(int flow, Duration running) const {
  ReceiverSummary s{};
  s.flow = flow;
  s.received_packets = packets_;
  s.received_bytes = bytes_.v;
  s.duplicate_packets = duplicates_;
  s.throughput_mbps = Rate::of(bytes_at_stop_.value_or(bytes_), running).to_mbps();
  s.owd = DelayStats{delays_};
  return s;
}

}  // namespace paceline
