#pragma once
// What a sender knows of its connection, whichever rules it recovers from losses by.

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cca/controller.hh"
#include "cca/registry.hh"
#include "transport/prr.hh"
#include "transport/rate_sampler.hh"
#include "transport/rtt.hh"
#include "transport/scoreboard.hh"

namespace paceline {

// Hears of the rare things.
class SenderObserver {
 public:
  virtual ~SenderObserver() = default;
  virtual void on_start(Time) {}
  virtual void on_connected(Time, Duration /*since the start*/) {}
  virtual void on_stop(Time) {}
  virtual void on_episode(Time, uint64_t /*packets lost so far*/) {}
  virtual void on_recovered(Time, uint64_t /*packets lost in the episode*/) {}
  virtual void on_marks(Time, uint64_t /*marks that made the window smaller*/) {}
  virtual void on_timeout(Time) {}
  virtual void on_phase(Time, std::string_view) {}
};

struct SenderCounters {
  uint64_t sent_packets{};
  int64_t sent_bytes{};
  uint64_t delivered_packets{};
  uint64_t lost_packets{};
  uint64_t spurious_packets{};
  uint64_t retransmitted_packets{};
  // Transmissions whose own fate does not matter any more, because another copy of the segment arrived or took their place.
  uint64_t moot_packets{};
  uint64_t loss_episodes{};
  uint64_t timeouts{};
};

// What one ACK newly acknowledged.
struct Progress {
  Bytes bytes{};
  uint32_t packets{};
  bool advanced{};            // the cumulative point moved
  bool retransmission{};      // a retransmission arrived
  bool original{};            // a packet had been given up wrongly
  bool probe_repaired{};      // the loss probe arrived, what it repeated did not
  bool newest_is_original{};  // of the newest, an earlier transmission than the latest arrived
  Segment* newest{};
  uint64_t newest_sequence{};
  Time oldest_sent{Time::never()};     // of packets transmitted once
  uint64_t oldest_number{UINT64_MAX};  // of transmissions; QUIC's alone
  uint64_t sacked_before{};            // one past the highest segment selectively acknowledged before this ACK

  // The newest is there, and it is its latest transmission that arrived.
  [[nodiscard]] bool latest() const { return newest != nullptr && !newest_is_original; }
};

[[nodiscard]] inline LostPacket lost_packet(const Segment& segment) {
  return {.number = segment.number,
          .size = segment.bytes(),
          .sent = segment.sent,
          .tag = segment.tag,
          .inflight_at_send = Bytes{segment.inflight},
          .lost_at_send = segment.lost,
          .delivered_at_send = segment.delivered,
          .app_limited = segment.has(Segment::kAppLimited)};
}

struct Connection {
  std::unique_ptr<Controller> controller;
  SenderObserver* observer;
  Needs needs;
  Bytes mss;
  Scoreboard board{};
  RateSampler rate{};
  RttEstimator rtt{};
  ProportionalRateReduction prr{};
  SenderCounters counters{};
  std::vector<LostPacket> lost{};  // what this ACK or timer declares lost

  void give_up(uint64_t sequence, Segment& segment) {
    board.declare_lost(sequence);
    rate.on_lost(segment.bytes());
    ++counters.lost_packets;
    lost.push_back(lost_packet(segment));
  }

  [[nodiscard]] LossEvent losses(Time now, Bytes inflight_before, bool new_episode) const {
    Bytes bytes{};
    for (const LostPacket& packet : lost) bytes += packet.size;
    return {.now = now,
            .bytes = bytes,
            .packet_count = static_cast<uint32_t>(lost.size()),
            .packets = lost,
            .new_episode = new_episode,
            .inflight_before = inflight_before,
            .inflight = board.inflight(),
            .delivered = rate.delivered(),
            .lost = rate.lost()};
  }
};

}  // namespace paceline
