#pragma once
// Pacing by departure time (docs/reference.md 1.5): a packet leaves at max(now, next), and next moves on by its size over the
// rate. A quantum lets that many bytes leave back to back; the average stays the rate.

#include <algorithm>

#include "core/units.hh"

namespace paceline {

class Pacer {
 public:
  // Linux does not pace the first ten packets of a connection.
  static constexpr int64_t kUnpacedPackets = 10;

  // `credit`: how much lost time may be made up for (real time wakes up late; simulated time never does).
  // `from_start`: pace those, too.
  explicit Pacer(Duration credit = Duration::zero(), bool from_start = false)
      : credit_{credit}, sent_packets_{from_start ? kUnpacedPackets : 0} {}

  void set(Rate rate, Bytes quantum) {
    if (rate.bps != rate_.bps) {
      rate_ = rate;
      ns_per_byte_ = rate.bps > 0 ? 8e9 / rate.bps : 0;
    }
    quantum_ = quantum;
  }

  [[nodiscard]] Rate rate() const { return rate_; }
  [[nodiscard]] bool paced() const { return rate_.bps > 0; }
  // Free to send now?
  [[nodiscard]] bool allows(Time now) const { return next_ <= now || burst_.v > 0 || !paced(); }
  [[nodiscard]] Time next() const { return paced() ? next_ : Time::zero(); }

  void sent(Bytes size, Time now) {
    if (sent_packets_ < kUnpacedPackets) {
      ++sent_packets_;
      return;
    }
    if (!paced()) return;
    if (next_ <= now) {
      next_ = std::max(next_, now - credit_);
      burst_ = quantum_;
    }
    burst_ -= size;
    next_ += Duration{static_cast<int64_t>(static_cast<double>(size.v) * ns_per_byte_ + 0.5)};
  }
  // What is left of a quantum is not kept for later.
  void end_burst() { burst_ = Bytes::zero(); }

 private:
  Duration credit_;
  Rate rate_{};
  double ns_per_byte_{};
  Bytes quantum_{};
  Bytes burst_{};
  Time next_{};
  int64_t sent_packets_{};
};

}  // namespace paceline
