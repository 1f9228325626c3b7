#include "drivers/realtime_tun/tun_flow.hh"

#include <algorithm>

namespace paceline {

void TunFlow::sent(const PacketShape& shape, Time now) {
  const uint64_t again = shape.tcp() ? connections_.sent(shape, now) : 0;
  const uint32_t payload = shape.payload(0, shape.segments);
  if (payload == 0) return;
  const Bytes on_wire{payload + int64_t{shape.segments} * shape.headers};
  sent_packets_ += shape.segments;
  sent_ += on_wire;
  if (!shape.tcp()) return;
  sent_by_tcp_ += on_wire;
  sent_payload_by_tcp_ += payload;
  sent_again_ += (again + shape.segment_payload - 1) / shape.segment_payload;
}

std::optional<Duration> TunFlow::acknowledged(const PacketShape& shape, std::span<const std::byte> head, Time now) {
  if (!shape.tcp()) return std::nullopt;
  const auto sample = connections_.acknowledged(shape, head, now);
  if (!sample) return std::nullopt;
  rtts_.add(sample->rtt, sample->packets);
  latest_rtt_ = sample->rtt;
  least_rtt_ = std::min(least_rtt_, sample->rtt);
  return sample->rtt;
}

Bytes TunFlow::arrives(const PacketShape& shape, uint32_t segment, Time now) {
  const uint32_t payload = shape.payload(segment);
  const uint64_t fresh = shape.tcp() ? connections_.arrives(shape, segment) : payload;
  if (payload == 0) return Bytes::zero();  // an acknowledgement or the like
  if (fresh == 0) {
    ++duplicates_;
    return Bytes::zero();
  }
  ++packets_;
  const Bytes counted{static_cast<int64_t>(fresh) + shape.headers};
  bytes_ += counted;
  last_arrival_ = now;
  return counted;
}

void TunFlow::delayed(const PacketShape& shape, uint32_t first, uint32_t count, Duration one_way) {
  if (shape.payload(first, count) == 0) return;
  for (uint32_t i = 0; i < count; ++i) interval_.add(one_way);
  delays_.add(one_way, count);
}

void TunFlow::lost(const PacketShape& shape, uint32_t segment) {
  if (shape.payload(segment) > 0) ++lost_;
}

telemetry::ReceiverRow TunFlow::sample(Duration interval) {
  const telemetry::ReceiverRow row{.throughput_mbps = mbps(arrived_growth_.of(bytes_.v), interval),
                                   .owd_mean_ms = interval_.mean_ms(),
                                   .owd_max_ms = interval_.max_ms()};
  interval_ = {};
  return row;
}

telemetry::SenderRow TunFlow::sender_sample(Duration interval) {
  // Only TCP's acknowledgements can be read on the way. Bytes count with their headers, as everywhere.
  const bool tcp = sent_payload_by_tcp_ > 0;
  const double with_headers = tcp ? static_cast<double>(sent_by_tcp_.v) / static_cast<double>(sent_payload_by_tcp_) : 1;
  const auto known = [](bool is, double value) { return is ? static_cast<float>(value) : kUnknown; };
  return {.sent_mbps = mbps(sent_growth_.of(sent_.v), interval),
          .cwnd_bytes = kUnknown,
          .inflight_bytes = known(tcp, static_cast<double>(connections_.outstanding()) * with_headers),
          .pacing_mbps = kUnknown,
          .delivery_rate_mbps = kUnknown,
          .srtt_ms = kUnknown,
          .latest_rtt_ms = known(latest_rtt_.has_value(), latest_rtt_.value_or(Duration{}).to_millis()),
          .min_rtt_ms = known(latest_rtt_.has_value(), least_rtt_.to_millis()),
          .lost_packets = static_cast<float>(lost_growth_.of(static_cast<int64_t>(lost_))),
          .retransmitted_packets =
              known(tcp, static_cast<double>(sent_again_growth_.of(static_cast<int64_t>(sent_again_)))),
          .app_limited = kUnknown,
          .rto_ms = kUnknown};
}

ReceiverSummary TunFlow::received() const {
  ReceiverSummary s{};
  s.received_packets = packets_;
  s.received_bytes = bytes_.v;
  s.duplicate_packets = duplicates_;
  return s;
}

SenderSummary TunFlow::sent() const {
  SenderSummary s{};
  s.sent_packets = sent_packets_;
  s.sent_bytes = sent_.v;
  s.delivered_packets = packets_ + duplicates_;
  s.lost_packets = lost_;
  if (sent_payload_by_tcp_ > 0) s.retransmitted_packets = sent_again_;
  // What the path made copies of arrives more often than it was sent.
  const uint64_t gone = s.delivered_packets + lost_;
  s.inflight_packets = sent_packets_ > gone ? sent_packets_ - gone : 0;
  return s;
}

}  // namespace paceline
