#pragma once
// BBRv1's long-term bandwidth: detects a token-bucket policer by two consecutive intervals with heavy loss and the same
// delivery rate, and then holds that rate for a while (Linux tcp_bbr.c, bbr_lt_bw_*).

#include <cmath>

#include "cca/controller.hh"

namespace paceline {

class BbrPolicer {
 public:
  // What the detector looks at on each ACK.
  struct Sample {
    Time now{};
    Bytes delivered{};  // connection totals
    Bytes lost{};
    bool any_loss{};  // this ACK revealed losses
    bool app_limited{};
    bool round_start{};
    bool probing_bw{};  // steady state: the held rate only ages there
  };

  explicit BbrPolicer(bool enabled) : enabled_{enabled} {}

  [[nodiscard]] bool in_use() const { return in_use_; }
  [[nodiscard]] Rate rate() const { return rate_; }

  // True: the held rate has just expired and gain cycling should start anew.
  [[nodiscard]] bool sample(const Sample& s) {
    if (!enabled_) return false;
    if (in_use_) {
      if (!s.probing_bw || !s.round_start || ++rounds_ < kHoldRounds) return false;
      reset(s);
      return true;
    }
    if (!sampling_) {  // the first loss says that the bucket is empty: sample from there
      if (!s.any_loss) return false;
      begin_interval(s);
      sampling_ = true;
    }
    if (s.app_limited) {
      reset(s);
      return false;
    }
    if (s.round_start) ++rounds_;
    if (rounds_ < kLeastRounds) return false;
    if (rounds_ > 4 * kLeastRounds) {
      reset(s);
      return false;
    }
    if (s.any_loss) end_interval(s);
    return false;
  }

  void reset(const Sample& s) {
    rate_ = Rate::zero();
    in_use_ = sampling_ = false;
    begin_interval(s);
  }

 private:
  static constexpr int kLeastRounds = 4;
  static constexpr int kHoldRounds = 48;
  static constexpr double kLossRatio = 50.0 / 256;  // lost / delivered
  static constexpr double kRateRatio = 1.0 / 8;     // two intervals agree within this share
  static constexpr Rate kRateDifference{4000};      // or within 4 kbit/s

  void begin_interval(const Sample& s) {
    began_ = s.now;
    delivered_ = s.delivered;
    lost_ = s.lost;
    rounds_ = 0;
  }

  void end_interval(const Sample& s) {
    const auto lost = static_cast<double>((s.lost - lost_).v);
    const Bytes delivered = s.delivered - delivered_;
    if (delivered.v <= 0 || lost < kLossRatio * static_cast<double>(delivered.v)) return;
    const Duration elapsed = s.now - began_;
    if (elapsed < Duration::millis(1)) return;
    const Rate rate = Rate::of(delivered, elapsed);
    const double difference = std::abs(rate.bps - rate_.bps);
    if (rate_.bps > 0 && (difference <= kRateRatio * rate_.bps || difference <= kRateDifference.bps)) {
      rate_ = Rate{(rate.bps + rate_.bps) / 2};
      in_use_ = true;
      rounds_ = 0;
      return;
    }
    rate_ = rate;
    begin_interval(s);
  }

  bool enabled_{};
  bool sampling_{};
  bool in_use_{};
  Rate rate_{};
  int rounds_{};
  Time began_{};
  Bytes delivered_{};
  Bytes lost_{};
};

}  // namespace paceline
