#pragma once
// For algorithms that grant packets from time to time instead of keeping a window (Verus, Sprout): the window they show the
// transport is what is in flight plus what is granted.

#include <algorithm>
#include <cstdint>

#include "cca/controller.hh"

namespace paceline {

class SendBudget {
 public:
  explicit SendBudget(Bytes mss) : mss_{mss} {}

  void set(double packets) { granted_ = std::max(packets, 0.0); }
  [[nodiscard]] double packets() const { return granted_; }

  // To be told of everything that changes what is in flight.
  void on_sent(const SentPacket& packet) {
    inflight_ = packet.inflight;
    granted_ = std::max(granted_ - 1, 0.0);
  }
  void in_flight(Bytes inflight) { inflight_ = inflight; }
  [[nodiscard]] Bytes in_flight() const { return inflight_; }

  [[nodiscard]] bool may_send() const { return granted_ >= 1; }
  [[nodiscard]] Bytes cwnd() const { return std::max(inflight_ + mss_ * static_cast<int64_t>(granted_), mss_); }

 private:
  Bytes mss_;
  Bytes inflight_{};
  double granted_{};
};

}  // namespace paceline
