#pragma once
// RACK's patience (RFC 8985 section 6.2; Linux tcp_recovery.c): a packet's own RTT plus a window for reordering. The window closes once
// three packets are selectively acknowledged (the classic duplicate threshold) or an episode is under way, unless reordering was seen.

#include <algorithm>
#include <cstdint>

#include "core/units.hh"
#include "transport/rtt.hh"
#include "transport/scoreboard.hh"

namespace paceline {

class ReorderingWindow {
 public:
  static constexpr uint64_t kDuplicateThreshold = 3;
  static constexpr int kKeepWiderWindow = 16;  // episodes for which a D-SACK widens the window

  void saw_reordering() { seen_ = true; }

  // A retransmission was unnecessary (D-SACK): widen the window, at most once per round trip.
  void unnecessary_retransmission(uint64_t una, uint64_t next) {
    seen_ = true;
    if (una < widened_until_) return;
    widened_until_ = next;
    steps_ = std::min(steps_ + 1, 255);
    persist_ = kKeepWiderWindow;
  }
  void episode_ended() {
    if (persist_ > 0 && --persist_ == 0) steps_ = 1;
  }

  [[nodiscard]] Duration length(const Scoreboard& board, const RttEstimator& rtt, bool in_episode) const {
    if (!seen_ && (in_episode || board.sacked() >= kDuplicateThreshold)) return Duration::zero();
    if (!rtt.known()) return Duration::zero();
    return std::min(rtt.min_rtt() / 4 * steps_, rtt.srtt());
  }

 private:
  bool seen_{};
  int steps_{1};
  int persist_{};
  uint64_t widened_until_{};
};

}  // namespace paceline
