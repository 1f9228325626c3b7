#pragma once
// What the link itself sees of one flow: data that comes from the sender and leaves towards the receiver, or is lost on the way, and
// acknowledgements that leave towards the sender.

#include <optional>
#include <span>

#include "core/histogram.hh"
#include "core/packet.hh"
#include "drivers/plan.hh"
#include "drivers/realtime_tun/ip_packet.hh"
#include "drivers/realtime_tun/seen_connections.hh"
#include "metrics/columns.gen.hh"
#include "metrics/interval.hh"
#include "metrics/summary.hh"

namespace paceline {

class TunFlow {
 public:
  // A packet came from the sender.
  void sent(const PacketShape& shape, Time now);
  // A packet left for the sender. The RTT that it shows, if it does.
  std::optional<Duration> acknowledged(const PacketShape& shape, std::span<const std::byte> head, Time now);
  // A segment of a packet leaves for the receiver. Returns the bytes on the wire that arrive for the first time; packets that
  // are not TCP's always do.
  Bytes arrives(const PacketShape& shape, uint32_t segment, Time now);
  // Segments that hold data left, `one_way` after they had come from the sender.
  void delayed(const PacketShape& shape, uint32_t first, uint32_t count, Duration one_way);
  // The link dropped or lost a segment on its way to the receiver.
  void lost(const PacketShape& shape, uint32_t segment);

  telemetry::ReceiverRow sample(Duration interval);
  // What the sender does, as far as the link can know: the rest is not measured.
  telemetry::SenderRow sender_sample(Duration interval);
  void stopped() { bytes_at_stop_ = bytes_; }
  [[nodiscard]] Time last_arrival() const { return last_arrival_; }
  // What arrived, but for its delays; of it until the flow stopped.
  [[nodiscard]] ReceiverSummary received() const;
  [[nodiscard]] Bytes received_in_time() const { return bytes_at_stop_.value_or(bytes_); }
  // Lost packets are those of the link; timeouts, loss episodes and spurious losses are nothing that it can see, and what was sent
  // again only of TCP.
  [[nodiscard]] SenderSummary sent() const;
  [[nodiscard]] const DelayHistogram& rtts() const { return rtts_; }
  [[nodiscard]] const DelayHistogram& delays() const { return delays_; }

 private:
  SeenConnections connections_{};
  uint64_t sent_packets_{};  // with data, like everything here
  Bytes sent_{};             // on the wire
  Bytes sent_by_tcp_{};
  uint64_t sent_payload_by_tcp_{};
  uint64_t sent_again_{};
  uint64_t lost_{};
  DelayHistogram rtts_{};
  std::optional<Duration> latest_rtt_{};
  Duration least_rtt_{INT64_MAX};
  Bytes bytes_{};
  std::optional<Bytes> bytes_at_stop_{};
  Time last_arrival_{};
  uint64_t packets_{};
  uint64_t duplicates_{};
  Growth arrived_growth_{};
  Growth sent_growth_{};
  Growth sent_again_growth_{};
  Growth lost_growth_{};
  DelayInterval interval_{};
  DelayHistogram delays_{};
};

}  // namespace paceline
