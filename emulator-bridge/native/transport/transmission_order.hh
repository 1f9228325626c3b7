#pragma once
// Goes through the transmissions in their order and asks of each, once, whether it is lost: a packet can be lost only when one that was
// sent later has arrived (RFC 8985, RFC 9002 section 6.1). By which rule is the caller's.

#include <algorithm>
#include <cstdint>

#include "core/units.hh"
#include "transport/scoreboard.hh"

namespace paceline {

class TransmissionOrder {
 public:
  // The most recently sent packet that an ACK newly acknowledged.
  void delivered(const Segment& newest, Duration rtt) {
    rtt_ = rtt;
    if (newest.number >= newest_) newest_ = newest.number + 1;
  }
  // RTT of that one.
  [[nodiscard]] Duration rtt() const { return rtt_; }

  // Calls lost(sequence, segment) for every packet that has been under way for longer than `patience`, or in whose place so many later
  // ones have arrived. Returns when to look again.
  template <typename Lost>
  Time detect(Scoreboard& board, Duration patience, uint64_t packet_threshold, Time now, Lost&& lost) {
    for (; head_ < newest_; ++head_) {
      const uint64_t sequence = board.sequence_of(head_);
      if (sequence < board.una()) continue;
      Segment& segment = board[sequence];
      if (segment.number != head_ || !segment.in_flight()) continue;
      if (segment.sent + patience > now && newest_ - head_ <= packet_threshold) return segment.sent + patience;
      lost(sequence, segment);
    }
    return Time::never();
  }

  // Nothing outstanding was sent before what has arrived: all older transmissions are settled.
  void settled(uint64_t oldest_outstanding) { head_ = std::max(head_, oldest_outstanding); }
  // Transmissions below are never looked at again.
  [[nodiscard]] uint64_t oldest() const { return held_ < head_ ? held_ : head_; }

  // Between hold() and release() transmissions already passed over can be looked at again with resume().
  void hold() { held_ = std::min(held_, head_); }
  void release() { held_ = UINT64_MAX; }
  void resume() { head_ = std::min(head_, held_); }

 private:
  uint64_t head_{};    // oldest transmission whose fate is open
  uint64_t newest_{};  // one past the most recently sent one that arrived
  uint64_t held_{UINT64_MAX};
  Duration rtt_{};
};

}  // namespace paceline
