#pragma once
// Path element: propagation delay. First in, first out, so the next arrival is always at the front; when the delay is made
// smaller, nothing overtakes what is under way.

#include <algorithm>

#include "core/packet.hh"
#include "core/ring.hh"

namespace paceline {

class DelayLine {
 public:
  explicit DelayLine(Duration delay) : delay_{delay} {}

  [[nodiscard]] bool empty() const { return line_.empty(); }
  [[nodiscard]] std::size_t size() const { return line_.size(); }
  // Arrival of the next packet at the far end.
  [[nodiscard]] Time next() const { return next_; }
  [[nodiscard]] Duration delay() const { return delay_; }

  void set_delay(Duration delay) { delay_ = delay; }

  [[gnu::always_inline]] void enter(const Packet& packet, Time now) {
    Packet& entry = line_.push();
    entry = packet;
    entry.stamp = last_ = std::max(now + delay_, last_);
    next_ = std::min(next_, last_);
  }
  [[nodiscard]] const Packet& front() const { return line_.front(); }
  void pop() {
    line_.pop();
    next_ = line_.empty() ? Time::never() : line_.front().stamp;
  }

 private:
  Duration delay_;
  Time next_{Time::never()};
  Time last_{};  // the latest arrival so far
  Ring<Packet> line_{1024};
};

}  // namespace paceline
