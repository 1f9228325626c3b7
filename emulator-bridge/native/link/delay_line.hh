#pragma once
// Path element: fixed propagation delay. First in, first out, so the next arrival is always at the front.

#include "core/packet.hh"
#include "core/ring.hh"

namespace paceline {

class DelayLine {
 public:
  explicit DelayLine(Duration delay) : delay_{delay} {}

  [[nodiscard]] bool empty() const { return line_.empty(); }
  [[nodiscard]] std::size_t size() const { return line_.size(); }
  // Arrival of the next packet at the far end.
  [[nodiscard]] Time next() const { return line_.empty() ? Time::never() : line_.front().stamp; }
  [[nodiscard]] Duration delay() const { return delay_; }

  void enter(const Packet& packet, Time now) {
    Packet& entry = line_.push();
    entry = packet;
    entry.stamp = now + delay_;
  }
  [[nodiscard]] const Packet& front() const { return line_.front(); }
  void pop() { line_.pop(); }

 private:
  Duration delay_;
  Ring<Packet> line_{1024};
};

}  // namespace paceline
