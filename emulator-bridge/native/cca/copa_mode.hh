#pragma once
// Copa's choice between its own game and that of buffer-filling rivals (NSDI 2018, section 2.2): among Copas the queue runs
// nearly empty every five round trips; when it does not, somebody fills it, and 1/delta does AIMD as Reno's window would.

#include <algorithm>
#include <cstdint>

namespace paceline {

class CopaMode {
 public:
  // `rounds`: round trips without a nearly empty queue after which a rival is assumed; 0 switches with every ACK.
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
  void observe(bool nearly_empty) {
    if (nearly_empty) {
      since_empty_ = 0;
      if (competitive_) leave();
    } else if (rounds_ == 0 && may_compete_) {
      competitive_ = true;
    }
  }

  void lost() {
    if (competitive_ && !lost_) inverse_ = std::max(inverse_ / 2, 1 / default_delta_);
    lost_ = true;  // once per round trip
  }

  // Once per round trip. `draining`: this flow empties the queue just now, and nobody fills it as fast: such a round trip is no sign of
  // a rival.
  void round(bool draining) {
    if (competitive_ && !lost_) inverse_ += 1;
    lost_ = false;
    if (!draining && ++since_empty_ > rounds_ && rounds_ > 0 && may_compete_) competitive_ = true;
  }

 private:
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
};

}  // namespace paceline
