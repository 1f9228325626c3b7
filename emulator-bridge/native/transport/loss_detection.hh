#pragma once
// RACK (RFC 8985; Linux tcp_recovery.c): a packet is lost when one that was sent later has arrived and the packet's own RTT
// plus a reordering window is over. The window closes once three packets are selectively acknowledged (the classic
// duplicate threshold) or an episode is under way, unless reordering was seen.
// QUIC (RFC 9002 section 6.1): three later packets have arrived, or 9/8 of the RTT is over.

#include <algorithm>
#include <cstdint>

#include "core/units.hh"
#include "transport/quic.hh"
#include "transport/rtt.hh"
#include "transport/scoreboard.hh"

namespace paceline {

class LossDetection {
 public:
  static constexpr uint64_t kDuplicateThreshold = 3;
  static constexpr int kKeepWiderWindow = 16;  // episodes for which a D-SACK widens the reordering window

  explicit LossDetection(bool quic) : quic_{quic} {}

  // The most recently sent packet that an ACK newly acknowledged.
  void delivered(const Segment& newest, Duration rtt) {
    rtt_ = rtt;
    if (newest.number >= newest_) newest_ = newest.number + 1;
  }
  void saw_reordering() { reordering_seen_ = true; }
  [[nodiscard]] bool reordering_seen() const { return reordering_seen_; }

  // A retransmission was unnecessary (D-SACK): widen the window, at most once per round trip.
  void unnecessary_retransmission(uint64_t una, uint64_t next) {
    reordering_seen_ = true;
    if (una < widened_until_) return;
    widened_until_ = next;
    steps_ = std::min(steps_ + 1, 255);
    persist_ = kKeepWiderWindow;
  }
  void episode_ended() {
    if (persist_ > 0 && --persist_ == 0) steps_ = 1;
  }

  // Calls lost(sequence, segment) for every packet that is lost by now. Returns when to look again.
  template <typename Lost>
  Time detect(Scoreboard& board, const RttEstimator& rtt, bool in_episode, Time now, Lost&& lost) {
    const Duration patience =
        quic_ ? quic::time_threshold(rtt_, rtt.srtt()) : rtt_ + reordering_window(board, rtt, in_episode);
    for (; head_ < newest_; ++head_) {
      const uint64_t sequence = board.sequence_of(head_);
      if (sequence < board.una()) continue;
      Segment& segment = board[sequence];
      if (segment.number != head_ || !segment.in_flight()) continue;
      if (segment.sent + patience > now && !(quic_ && head_ + quic::kPacketThreshold < newest_))
        return segment.sent + patience;
      lost(sequence, segment);
    }
    return Time::never();
  }

  // Nothing outstanding was sent before what has arrived: all older transmissions are settled.
  void settled(uint64_t oldest_outstanding) { head_ = std::max(head_, oldest_outstanding); }
  // Transmissions below are never looked at again.
  [[nodiscard]] uint64_t oldest() const { return held_ < head_ ? held_ : head_; }

  // Was this packet sent so recently that a timeout says nothing about it?
  [[nodiscard]] bool recent(const Segment& segment, const Scoreboard& board, const RttEstimator& rtt, bool in_episode,
                            Time now) const {
    return segment.sent + rtt_ + reordering_window(board, rtt, in_episode) > now;
  }

  // Between hold() and release() transmissions already passed over can be looked at again with resume().
  void hold() { held_ = std::min(held_, head_); }
  void release() { held_ = UINT64_MAX; }
  void resume() { head_ = std::min(head_, held_); }

 private:
  [[nodiscard]] Duration reordering_window(const Scoreboard& board, const RttEstimator& rtt, bool in_episode) const {
    if (!reordering_seen_ && (in_episode || board.sacked() >= kDuplicateThreshold)) return Duration::zero();
    if (!rtt.known()) return Duration::zero();
    return std::min(rtt.min_rtt() / 4 * steps_, rtt.srtt());
  }

  bool quic_;
  uint64_t head_{};    // oldest transmission whose fate is open
  uint64_t newest_{};  // one past the most recently sent one that arrived
  uint64_t held_{UINT64_MAX};
  Duration rtt_{};  // of that one
  bool reordering_seen_{};
  int steps_{1};
  int persist_{};
  uint64_t widened_until_{};
};

}  // namespace paceline
