#include "metrics/flow_meters.hh"

namespace paceline {
namespace {

float known_ms(bool known, Duration d) { return known ? static_cast<float>(d.to_millis()) : kUnknown; }
float known_mbps(Rate r) { return r.bps > 0 ? static_cast<float>(r.to_mbps()) : kUnknown; }

}  // namespace

telemetry::SenderRow SenderMeter::sample(const Sender& sender, Duration interval) {
  const SenderCounters& counters = sender.counters();
  const bool active = sender.active();
  // A flow that has ended has no RTT any more: its last one must not be drawn as if it went on.
  const bool waits = active || sender.inflight() > Bytes{};
  const bool measured = sender.rtts().count() > 0 && waits;
  const Bytes cwnd = sender.cwnd();
  return {
      .sent_mbps = mbps(sent_.of(counters.sent_bytes), interval),
      .cwnd_bytes = active && cwnd < Bytes::infinite() ? static_cast<float>(cwnd.v) : kUnknown,
      .inflight_bytes = static_cast<float>(sender.inflight().v),
      .pacing_mbps = active ? known_mbps(sender.pacing_rate()) : kUnknown,
      .delivery_rate_mbps = measured ? known_mbps(sender.delivery_rate()) : kUnknown,
      .srtt_ms = known_ms(measured, sender.rtt().srtt()),
      .latest_rtt_ms = known_ms(measured, sender.latest_rtt()),
      .min_rtt_ms = known_ms(measured, sender.rtt().min_rtt()),
      .lost_packets = static_cast<float>(lost_.of(static_cast<int64_t>(counters.lost_packets))),
      .retransmitted_packets =
          static_cast<float>(retransmitted_.of(static_cast<int64_t>(counters.retransmitted_packets))),
      .app_limited = sender.app_limited() ? 1.0F : 0.0F,
      .rto_ms = known_ms(waits, sender.timeout()),
  };
}

SenderSummary counts_of(const Sender& sender) {
  const SenderCounters& c = sender.counters();
  SenderSummary s{};
  s.sent_packets = c.sent_packets;
  s.sent_bytes = c.sent_bytes;
  s.delivered_packets = c.delivered_packets;
  s.lost_packets = c.lost_packets;
  s.spurious_packets = c.spurious_packets;
  s.retransmitted_packets = c.retransmitted_packets;
  s.inflight_packets = sender.inflight_packets();
  s.loss_episodes = c.loss_episodes;
  s.timeouts = c.timeouts;
  return s;
}

telemetry::ReceiverRow ReceiverMeter::sample(const Receiver& receiver, Duration interval) {
  const telemetry::ReceiverRow row{
      .throughput_mbps = mbps(received_.of(receiver.received_bytes().v), interval),
      .owd_mean_ms = interval_.mean_ms(),
      .owd_max_ms = interval_.max_ms(),
  };
  interval_ = {};
  return row;
}

ReceiverSummary ReceiverMeter::counts(const Receiver& receiver) {
  ReceiverSummary s{};
  s.received_packets = receiver.received_packets();
  s.received_bytes = receiver.received_bytes().v;
  s.duplicate_packets = receiver.duplicate_packets();
  return s;
}

}  // namespace paceline
