#pragma once
// What the window-based loss algorithms share: a window counted in whole packets, slow start, additive increase, and the
// collapse after a timeout (RFC 5681; Linux tcp_cong.c).

#include <algorithm>
#include <cstdint>

#include "cca/controller.hh"

namespace paceline {

// May the window grow on this ACK? Not while a loss episode is repaired, and not when something else than the window
// held the sender back (RFC 9002 section 7.8).
[[nodiscard]] inline bool may_grow(const AckEvent& ack) {
  return ack.window_limited && ack.recovery != Recovery::entered && ack.recovery != Recovery::in;
}

class PacketWindow {
 public:
  static constexpr int64_t kUnset = int64_t{1} << 40;  // "infinite" ssthresh: no window reaches it
  static constexpr int64_t kMinSsthresh = 2;

  PacketWindow(int64_t initial, TransportProfile profile)
      : cwnd{initial}, initial_{initial}, quic_{profile != TransportProfile::tcp} {}

  [[nodiscard]] bool in_slow_start() const { return cwnd < ssthresh; }
  [[nodiscard]] Bytes cwnd_bytes(Bytes mss) const { return mss * cwnd; }
  [[nodiscard]] Bytes ssthresh_bytes(Bytes mss) const {
    return ssthresh == kUnset ? Bytes::infinite() : mss * ssthresh;
  }

  // One packet per packet acknowledged, up to ssthresh. Returns the acknowledged packets that are left over for
  // congestion avoidance.
  int64_t slow_start(int64_t acked) {
    const int64_t grown = std::min(cwnd + acked, ssthresh);
    acked -= grown - cwnd;
    cwnd = grown;
    return acked;
  }

  // One packet per `per_packet` acknowledged packets.
  void increase(int64_t per_packet, int64_t acked) {
    per_packet = std::max<int64_t>(per_packet, 1);
    if (credit_ >= per_packet) {  // earned under a larger divisor: spend it gently
      credit_ = 0;
      ++cwnd;
    }
    credit_ += acked;
    cwnd += credit_ / per_packet;
    credit_ %= per_packet;
  }

  // Multiplicative decrease at the start of a loss episode. What it was is kept for undo().
  void reduce_to(int64_t target) {
    remember();
    ssthresh = std::max(target, kMinSsthresh);
    cwnd = ssthresh;
    credit_ = 0;
  }

  // Retransmission timeout (or QUIC's persistent congestion). `target` becomes ssthresh unless this data has already
  // cost a reduction; the window restarts on top of what is still in flight, as in Linux.
  void collapse(int64_t target, const TimeoutEvent& timeout, Bytes mss) {
    if (!timeout.repeated) {
      remember();
      ssthresh = std::max(target, kMinSsthresh);
    }
    cwnd = timeout.inflight.v / mss.v + (quic_ ? 2 : 1);  // RFC 9002 section 7.6.2
    credit_ = 0;
  }

  // The episode was spurious: nothing was lost.
  void undo() {
    cwnd = std::max(cwnd, prior_cwnd_);
    ssthresh = std::max(ssthresh, prior_ssthresh_);
  }

  // First packet after an idle time: the window halves for every RTO that passed, down to the initial window
  // (RFC 2861; Linux tcp_cwnd_restart). QUIC has no such rule.
  void restart_after_idle(Duration idle, Duration rto) {
    if (quic_) return;
    ssthresh = std::max(ssthresh, cwnd / 2 + cwnd / 4);
    const int64_t least = std::min(initial_, cwnd);
    for (idle -= rto; idle > Duration::zero() && cwnd > least; idle -= rto) cwnd /= 2;
    cwnd = std::max(cwnd, least);
    credit_ = 0;
  }

  int64_t cwnd{};
  int64_t ssthresh{kUnset};

 private:
  void remember() {
    prior_cwnd_ = cwnd;
    prior_ssthresh_ = std::max(ssthresh, cwnd / 2 + cwnd / 4);
  }

  int64_t initial_{};
  bool quic_{};
  int64_t credit_{};  // acknowledged packets not yet turned into growth
  int64_t prior_cwnd_{};
  int64_t prior_ssthresh_{};
};

// RTO that Linux would use, for deciding what counts as idle (RFC 6298 with Linux' least 200 ms variance term).
[[nodiscard]] inline Duration idle_threshold(Duration srtt, Duration rttvar) {
  return srtt + std::max(4 * rttvar, Duration::millis(200));
}

}  // namespace paceline
