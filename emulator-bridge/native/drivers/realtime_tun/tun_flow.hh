#pragma once
// What the link itself sees of one flow: data that leaves towards the receiver, acknowledgements that leave towards the sender.

#include <optional>
#include <span>

#include "core/packet.hh"
#include "drivers/plan.hh"
#include "drivers/realtime_tun/ip_packet.hh"
#include "metrics/byte_ranges.hh"
#include "metrics/columns.gen.hh"
#include "metrics/histogram.hh"
#include "metrics/interval.hh"
#include "metrics/link_rtt.hh"
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
  Bytes arrives(const PacketShape& shape, uint32_t segment);
  // Segments that hold data left, `one_way` after they had come from the sender.
  void delayed(const PacketShape& shape, uint32_t first, uint32_t count, Duration one_way);

  telemetry::ReceiverRow sample(Duration interval);
  void stopped() { bytes_at_stop_ = bytes_; }
  [[nodiscard]] ReceiverSummary summary(int flow, Duration running) const;
  [[nodiscard]] DelayStats rtts() const { return DelayStats{rtt_.samples()}; }

 private:
  struct Stream {
    explicit Stream(uint32_t first) : unwrapped{first}, arrived{unwrapped.of(first)} {}
    Unwrapped unwrapped;
    ByteRanges arrived;
  };

  std::optional<Stream> stream_{};
  std::optional<Unwrapped> sent_{};  // sequence numbers at the sender's end
  LinkRtt rtt_{};
  Bytes bytes_{};
  std::optional<Bytes> bytes_at_stop_{};
  uint64_t packets_{};
  uint64_t duplicates_{};
  Growth growth_{};
  DelayInterval interval_{};
  DelayHistogram delays_{};
};

}  // namespace paceline
