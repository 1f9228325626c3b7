#pragma once
// Smoothed RTT and retransmission timeout: RFC 6298 with Linux' refinements (tcp_input.c, tcp_rtt_estimator): the variance
// term never falls below 200 ms, keeps its maximum for a round trip, and barely grows when the RTT falls.

#include <algorithm>
#include <cstdint>

#include "core/units.hh"

namespace paceline {

class RttEstimator {
 public:
  static constexpr Duration kInitialRto = Duration::millis(1000);
  static constexpr Duration kMinVariance = Duration::millis(200);
  static constexpr Duration kMaxRto = Duration::millis(120'000);

  // `oldest`: RTT of the oldest packet newly acknowledged. A round is over when `round_over`.
  void sample(Duration rtt, bool round_over) {
    if (srtt_.ns == 0) {
      srtt_ = std::max(rtt, Duration{1});
      deviation4_ = rtt * 2;  // four times the mean deviation, as in Linux: the timeout starts at 3 RTT
      variance_ = std::max(deviation4_, kMinVariance);
      round_maximum_ = variance_;
    } else {
      Duration error = rtt - srtt_;
      srtt_ += error / 8;
      const bool falling = error.ns < 0;
      if (falling) error = Duration{-error.ns};
      Duration change = error - deviation4_ / 4;
      if (falling && change.ns > 0) change = change / 8;  // Eifel: a falling RTT is no reason to wait longer
      deviation4_ += change;
      if (deviation4_ > round_maximum_) {
        round_maximum_ = deviation4_;
        variance_ = std::max(variance_, round_maximum_);
      }
      if (round_over) {
        if (round_maximum_ < variance_) variance_ -= (variance_ - round_maximum_) / 4;
        round_maximum_ = kMinVariance;
      }
    }
    backoff_ = 0;
  }

  // Least RTT ever; from the most recently sent packet of an ACK, so that delayed ACKs do not inflate it.
  void least(Duration rtt) { min_rtt_ = std::min(min_rtt_, rtt); }

  [[nodiscard]] bool known() const { return srtt_.ns != 0; }
  [[nodiscard]] Duration srtt() const { return srtt_; }
  [[nodiscard]] Duration rttvar() const { return deviation4_ / 4; }
  [[nodiscard]] Duration min_rtt() const { return min_rtt_; }

  [[nodiscard]] Duration rto() const {
    const Duration base = known() ? srtt_ + variance_ : kInitialRto;
    return std::min(base * (int64_t{1} << std::min(backoff_, 20)), kMaxRto);
  }
  void back_off() { ++backoff_; }
  [[nodiscard]] int backoff() const { return backoff_; }

 private:
  Duration srtt_{};
  Duration deviation4_{};
  Duration variance_{};
  Duration round_maximum_{};
  Duration min_rtt_{Duration::infinite()};
  int backoff_{};
};

}  // namespace paceline
