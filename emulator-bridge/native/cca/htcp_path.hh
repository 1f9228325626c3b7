#pragma once
// What H-TCP knows of its path: the time since the last loss, the least and the largest RTT, and the rate it achieved
// (Linux net/ipv4/tcp_htcp.c, with real numbers instead of fixed point).

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/units.hh"

namespace paceline {

class HtcpPath {
 public:
  HtcpPath(bool bandwidth_switch, Time now) : bandwidth_switch_{bandwidth_switch}, last_loss_{now}, rate_start_{now} {}

  [[nodiscard]] double beta() const { return beta_; }
  [[nodiscard]] bool rtt_known() const { return largest_rtt_ > Duration::zero(); }
  [[nodiscard]] Duration least_rtt() const { return least_rtt_; }
  [[nodiscard]] Duration largest_rtt() const { return largest_rtt_; }
  [[nodiscard]] double largest_rate() const { return largest_rate_; }  // packets per second

  void restart_clock(Time now) { last_loss_ = now; }

  // `open`: no loss is being repaired.
  void sample_rtt(Duration rtt, bool open) {
    least_rtt_ = std::min(least_rtt_, rtt);
    if (!open) return;
    largest_rtt_ = std::max(largest_rtt_, least_rtt_);
    if (rtt <= largest_rtt_ + kMostRise) largest_rtt_ = std::max(largest_rtt_, rtt);
  }

  // Achieved rate, over at least a round trip and `at_least` packets.
  void sample_rate(Time now, int64_t acked, bool open, double at_least) {
    if (!bandwidth_switch_) return;
    if (!open) {
      packets_ = 0;
      rate_start_ = now;
      return;
    }
    packets_ += acked;
    const Duration elapsed = now - rate_start_;
    if (!rtt_known() || elapsed < least_rtt_ || elapsed <= Duration::zero() || static_cast<double>(packets_) < at_least)
      return;
    const double rate = static_cast<double>(packets_) / elapsed.to_seconds();
    if (now - last_loss_ <= 3 * least_rtt_) {
      rate_ = largest_rate_ = rate;
    } else {
      rate_ = (3 * rate_ + rate) / 4;
      largest_rate_ = std::max(largest_rate_, rate_);
    }
    packets_ = 0;
    rate_start_ = now;
  }

  // A congestion event: sets the share of the window that is kept.
  void congestion() {
    const double before = rate_at_last_loss_;
    rate_at_last_loss_ = largest_rate_;
    if (bandwidth_switch_ && !(largest_rate_ >= 0.8 * before && largest_rate_ <= 1.2 * before)) {
      beta_ = kLeastBeta;
      trusts_rtt_ = false;
    } else if (trusts_rtt_ && rtt_known() && least_rtt_ > kLeastRtt) {
      beta_ = std::clamp(least_rtt_.to_seconds() / largest_rtt_.to_seconds(), kLeastBeta, kMostBeta);
    } else {
      beta_ = kLeastBeta;
      trusts_rtt_ = true;
    }
    if (rtt_known()) largest_rtt_ = least_rtt_ + scale(largest_rtt_ - least_rtt_, kFading);
  }

  // Packets added per round trip, this long after the last loss.
  [[nodiscard]] double alpha(Time now, bool rtt_scaling) const {
    const double since = (now - last_loss_).to_seconds() - kLowSpeedS;
    double factor = since <= 0 ? 1 : 1 + 10 * since + (since / 2) * (since / 2);
    if (rtt_scaling && rtt_known()) {
      const double rtt_s = std::max(least_rtt_.to_seconds(), 1e-6);
      factor = std::max(1.0, factor / std::clamp(kReferenceRttS / rtt_s, 0.5, 10.0));
    }
    return 2 * factor * (1 - beta_);
  }

 private:
  static constexpr double kLowSpeedS = 1;  // as Reno for so long after a loss
  static constexpr double kReferenceRttS = 0.1;
  static constexpr double kLeastBeta = 0.5;
  static constexpr double kMostBeta = 102.0 / 128;
  static constexpr Duration kLeastRtt = Duration::millis(10);  // below it the RTTs are too coarse to set beta
  static constexpr Duration kMostRise = Duration::millis(20);  // of the largest RTT by one sample
  static constexpr double kFading = 0.95;

  bool bandwidth_switch_{};
  Time last_loss_{};
  double beta_{kLeastBeta};
  bool trusts_rtt_{};
  Duration least_rtt_{Duration::infinite()};
  Duration largest_rtt_{};
  int64_t packets_{};
  Time rate_start_{};
  double rate_{};
  double largest_rate_{};
  double rate_at_last_loss_{};
};

}  // namespace paceline
