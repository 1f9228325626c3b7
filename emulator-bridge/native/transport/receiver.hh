#pragma once
// The receiving end of one flow: cumulative and selective acknowledgement, delayed ACKs, echo of what called for an ACK.
// Its buffer has no limit.

#include <cstdint>
#include <memory>
#include <optional>

#include "cca/controller.hh"
#include "core/packet.hh"
#include "core/ring.hh"
#include "transport/ack.hh"
#include "transport/handshake.hh"
#include "transport/linux_acks.hh"
#include "transport/quic.hh"

namespace paceline {

struct ReceiverSetup {
  uint16_t flow{};
  int ack_every{2};                          // acknowledge every n-th packet at the latest …
  Duration ack_delay{Duration::millis(40)};  // … or after this long (Linux' least delayed-ACK timer)
  std::size_t max_ranges{3};                 // as many blocks as fit beside timestamps in a TCP header
  bool quic{};
  Handshake handshake{};
  std::optional<Duration> linux_rtt{};  // of the connection: TCP acknowledges as Linux does, not by the two rules above

  // As the transport acknowledges: QUIC waits for 25 ms at most, and its ranges are not limited by a TCP header.
  [[nodiscard]] static ReceiverSetup of(TransportProfile profile, uint16_t flow, int ack_every,
                                        Handshake handshake = Handshake::none) {
    if (profile == TransportProfile::tcp) return {.flow = flow, .ack_every = ack_every, .handshake = handshake};
    return {.flow = flow,
            .ack_every = ack_every,
            .ack_delay = quic::kMaxAckDelay,
            .max_ranges = kMaxAckRanges,
            .quic = true,
            .handshake = handshake};
  }
};

class Receiver {
 public:
  Receiver(const ReceiverSetup& setup, std::unique_ptr<ReceiverAgent> agent);

  // A packet arrived. True: write an ACK now.
  bool on_packet(const Packet& packet, Time now);
  [[nodiscard]] Time next_event() const { return next_event_; }
  // The time given by next_event() has come. True: write an ACK now.
  bool on_timer(Time now);
  void write_ack(Ack& ack);
  // The answer to an opening takes further packets: write them now, too.
  [[nodiscard]] bool answers() const { return answering_.left() > 0; }

  [[nodiscard]] uint64_t cumulative() const { return cumulative_; }
  [[nodiscard]] uint64_t received_packets() const { return received_packets_; }  // first arrivals
  [[nodiscard]] Bytes received_bytes() const { return received_bytes_; }
  [[nodiscard]] uint64_t duplicate_packets() const { return duplicate_packets_; }

 private:
  bool on_opening(const Packet& packet, Time now);
  bool on_data(const Packet& packet, Time now);
  bool on_out_of_order(uint64_t sequence, Time now);
  void keep_newest_range(uint64_t begin, uint64_t swallowed);
  void schedule();

  // Hot first.
  uint64_t cumulative_{};
  uint64_t highest_{};  // one past the highest segment that arrived
  int ack_every_;
  int unacknowledged_{};
  Time delayed_ack_{Time::never()};
  Time next_event_{Time::never()};
  uint64_t received_packets_{};
  Bytes received_bytes_{};
  uint64_t duplicate_packets_{};
  uint32_t ce_packets_{};
  bool quic_;
  bool duplicate_{};
  bool timer_fired_{};
  uint64_t echo_sequence_{};
  uint64_t echo_number_{};
  Time echo_sent_{};
  Time echo_received_{};
  Duration ack_delay_;

  // Above the first hole, 0 where a segment is missing. Each contiguous run stores at its first segment one past its last,
  // and at its last one past its first.
  WindowRing<uint64_t> runs_{1024};
  std::size_t max_ranges_;
  std::size_t range_count_{};
  std::array<uint64_t, kMaxAckRanges> range_begins_{};  // most recently changed first

  std::unique_ptr<ReceiverAgent> agent_;
  Answering answering_;
  int quick_acks_;
  std::optional<LinuxAcks> linux_;
};

}  // namespace paceline
