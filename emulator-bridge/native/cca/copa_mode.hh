#pragma once
// Copa's choice between its own game and that of buffer-filling rivals (NSDI 2018, section 2.2): among Copas the queue runs
// nearly empty every five round trips; when it does not, somebody fills it, and 1/delta does AIMD as Reno's window would. The authors'
// program decides with every acknowledgement, raises 1/delta after a whole RTT of competing, and halves it with every
// acknowledgement that tells of losses.

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/units.hh"

namespace paceline {

class CopaMode {
 public:
  // `rounds`: round trips without a nearly empty queue after which a rival is assumed; 0: the authors' program.
  CopaMode(double delta, bool may_compete, int rounds)
      : default_delta_{delta}, inverse_{1 / delta}, may_compete_{may_compete}, rounds_{rounds} {}

  [[nodiscard]] bool competitive() const { return competitive_; }
  [[nodiscard]] double delta() const { return 1 / inverse_; }
  // Packets per round trip that a velocity of one moves the window by.
  [[nodiscard]] double inverse_delta() const { return inverse_; }

  void start() {
    since_empty_ = 0;
    leave();
  }

  // With each ACK.
  void observe(bool nearly_empty, Time now, Duration rtt) {
    if (by_ack()) {
      observe_ack(nearly_empty, now, rtt);
    } else if (nearly_empty) {
      since_empty_ = 0;
      if (competitive_) leave();
    }
  }

  void lost(Time now) {
    if (competitive_ && (by_ack() || !lost_)) {
      inverse_ = std::max(inverse_ / 2, 1 / default_delta_);
      lost_at_ = now;
    }
    lost_ = true;  // once per round trip
  }

  // Once per round trip. `draining`: this flow empties the queue just now, and nobody fills it as fast: such a round trip is no sign of
  // a rival.
  void round(bool draining) {
    if (by_ack()) return;
    if (competitive_ && !lost_) inverse_ += 1;
    lost_ = false;
    if (!draining && ++since_empty_ > rounds_ && may_compete_) competitive_ = true;
  }

 private:
  [[nodiscard]] bool by_ack() const { return rounds_ == 0; }

  void observe_ack(bool nearly_empty, Time now, Duration rtt) {
    if (!may_compete_) return;
    competitive_ = !nearly_empty;
    if (nearly_empty && (!lost_at_ || now > *lost_at_ + rtt)) {
      leave();
      changed_ = now;
    } else if (competitive_ && now > changed_ + rtt) {
      inverse_ += 1;
      changed_ = now;
    }
  }

  void leave() {
    competitive_ = false;
    inverse_ = 1 / default_delta_;
  }

  double default_delta_{};
  double inverse_{};  // 1/delta
  bool may_compete_{};
  int rounds_{};
  bool competitive_{};
  bool lost_{};
  int since_empty_{};
  Time changed_{};                 // the authors' program: when delta was last set
  std::optional<Time> lost_at_{};  // the same: while competing
};

}  // namespace paceline
