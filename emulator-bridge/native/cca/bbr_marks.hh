#pragma once
// What Google's BBRv2 and BBRv3 learn from congestion marks on short paths: the share of marked packets per round trip, averaged
// as DCTCP does (google/bbr, branches v2alpha and v3).

#include "cca/controller.hh"

namespace paceline {

class CongestionMarks {
 public:
  // `most_rtt` zero: on paths of any length.
  CongestionMarks(bool enabled, Duration most_rtt) : enabled_{enabled}, most_rtt_{most_rtt} {}

  [[nodiscard]] bool enabled() const { return enabled_; }
  [[nodiscard]] bool eligible() const { return eligible_; }
  [[nodiscard]] double alpha() const { return alpha_; }
  [[nodiscard]] double keep() const { return 1 - alpha_ * kFactor; }  // what a response leaves
  [[nodiscard]] bool too_many() const { return eligible_ && share_ > kTooMany; }
  // Two rounds in a row with most packets marked: the path is full.
  [[nodiscard]] bool path_full() const { return full_rounds_ >= kFullRounds; }
  [[nodiscard]] bool in_round() const { return in_round_; }
  // Marks in this cycle, but none lately.
  [[nodiscard]] bool ceased() const { return eligible_ && in_cycle_ && quiet_rounds_ >= 1; }

  void count(const AckEvent& ack) {
    acked_ += ack.acked_packets;
    marked_ += ack.ce_packets;
    if (ack.ce_packets == 0) return;
    in_round_ = in_cycle_ = true;
    quiet_rounds_ = -1;
  }
  void answered() { in_round_ = false; }
  void new_cycle() { in_cycle_ = false; }

  void round(Duration least_rtt) {
    eligible_ = eligible_ || (enabled_ && (most_rtt_ == Duration::zero() || least_rtt <= most_rtt_));
    if (!eligible_ || acked_ == 0) return;
    share_ = static_cast<double>(marked_) / static_cast<double>(acked_);
    alpha_ += kGain * (share_ - alpha_);
    full_rounds_ = share_ >= kTooMany ? full_rounds_ + 1 : 0;
    if (quiet_rounds_ < 1) ++quiet_rounds_;
    acked_ = marked_ = 0;
  }

 private:
  static constexpr double kGain = 1.0 / 16;
  static constexpr double kFactor = 1.0 / 3;
  static constexpr double kTooMany = 0.5;
  static constexpr int kFullRounds = 2;

  bool enabled_{};
  Duration most_rtt_{};
  bool eligible_{};
  double alpha_{1};
  double share_{};
  uint64_t acked_{};
  uint64_t marked_{};
  int full_rounds_{};
  int quiet_rounds_{};
  bool in_round_{};
  bool in_cycle_{};
};

}  // namespace paceline
