#pragma once
// BBRv3 (draft-ietf-ccwg-bbr, working copy of August 2026): BBR's model of bandwidth and least RTT, with bounds on what is in
// flight that losses teach it, and a cycle that probes for more only now and then.

#include <cmath>
#include <cstdint>

#include "cca/bbr3_model.hh"
#include "cca/bbr_probing.hh"
#include "cca/bbr_rest.hh"
#include "cca/bbr_view.hh"
#include "cca/registry.hh"

namespace paceline {

class Bbr3 final : public Controller {
 public:
  Bbr3(const Setup& setup, const Params& params);

  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;
  void on_idle_restart(Time now) override;

  [[nodiscard]] Bytes cwnd() const override { return cwnd_; }
  // Never "slow start": whether the window was the limit is asked strictly.
  [[nodiscard]] Bytes ssthresh() const override { return cwnd_; }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }
  [[nodiscard]] Bytes send_quantum() const override { return quantum_; }
  [[nodiscard]] bool limits_itself() const override { return state_ == State::probe_rtt; }

  [[nodiscard]] std::string_view phase() const override { return kBbrStateNames[static_cast<std::size_t>(state_)]; }
  void internals(std::span<float> out) const override { kInternals.tell(view(), out); }
  static const Internals<BbrView> kInternals;

 private:
  static constexpr double kStartupCwndGain = 2;
  static constexpr double kDrainGain = 0.5;
  static constexpr int64_t kDrainRounds = 3;
  static constexpr double kDownGain = 0.9;
  static constexpr double kUpGain = 1.25;
  static constexpr double kCwndGain = 2;
  static constexpr double kUpCwndGain = 2.25;
  static constexpr double kProbeRttCwndGain = 0.5;
  static constexpr double kMargin = 0.99;
  static constexpr int64_t kMinWindow = 4;      // packets
  static constexpr int kStartupLossRanges = 6;  // discontiguous, in one round
  static constexpr int64_t kUpExtraPackets = 2;
  static constexpr Bytes kLargestBurst{64 * 1024};

  using State = BbrState;
  using AckPhase = BbrAckPhase;

  [[nodiscard]] BbrView view() const;
  [[nodiscard]] bool in_probe_bw() const { return state_ >= State::down && state_ <= State::up; }
  [[nodiscard]] bool probing() const {
    return state_ == State::startup || state_ == State::refill || state_ == State::up;
  }

  // The steps of an ACK (draft-ietf-ccwg-bbr; docs/reference.md 3.2, A to M).
  void update_latest(const AckEvent& ack);
  void update_round_and_bandwidth(const AckEvent& ack);
  void update_aggregation(const AckEvent& ack);
  void check_startup_done(const AckEvent& ack);
  void adapt_long_term(const AckEvent& ack);
  void update_cycle(const AckEvent& ack);
  void check_probe_rtt(const AckEvent& ack);
  void leave_probe_rtt(Time now);
  void set_pacing(Duration srtt);
  void set_window(const AckEvent& ack);
  void follow_recovery(const AckEvent& ack);

  void start_down(Time now);
  void start_refill();
  void start_up(const AckEvent& ack);
  void go_down(Time now);
  void start_round() { next_round_ = delivered_; }
  void inflight_too_high(Bytes level, bool app_limited, Time now);
  void undo();
  void remember_for_undo();
  void save_window() {
    prior_cwnd_ = !recovering_ && state_ != State::probe_rtt ? cwnd_ : std::max(prior_cwnd_, cwnd_);
  }
  [[nodiscard]] bool time_to_probe(Time now) const { return probe_clock_.due(now, target_inflight().v / mss_.v); }

  [[nodiscard]] double pacing_gain() const;
  [[nodiscard]] double cwnd_gain() const;
  [[nodiscard]] Bytes bdp(Rate bw, double gain) const;
  [[nodiscard]] Bytes with_budget(Bytes window) const;
  [[nodiscard]] Bytes inflight_at(Rate bw, double gain) const { return with_budget(bdp(bw, gain)); }
  [[nodiscard]] Bytes target_inflight() const { return std::min(bdp(bw_, 1), cwnd_); }
  [[nodiscard]] Bytes with_headroom() const;
  [[nodiscard]] Bytes packets(int64_t n) const { return mss_ * n; }

  Bytes mss_{};
  bool tcp_{};
  Bytes initial_window_{};
  double startup_gain_{};
  double loss_threshold_{};
  double beta_{};
  double headroom_{};
  Duration probe_rtt_time_{};
  Random random_;

  State state_{State::startup};
  Bytes cwnd_{};
  Rate pace_{};
  Bytes quantum_{};
  Bytes delivered_{};  // connection's total

  MaxBandwidth max_bw_{};
  Rate bw_short_{HUGE_VAL};
  Bytes inflight_short_{Bytes::infinite()};
  Bytes inflight_long_{Bytes::infinite()};
  Rate bw_{};
  Rate bw_latest_{};
  Bytes inflight_latest_{};
  ExtraAcked extra_acked_{};
  FullBandwidth full_bw_{};
  RoundLoss round_loss_{};

  uint64_t round_{};
  Bytes next_round_{};
  bool round_start_{};
  bool loss_in_round_{};
  bool loss_round_start_{};
  Bytes loss_round_end_{};
  int loss_ranges_{};
  uint64_t last_lost_{};

  AckPhase ack_phase_{AckPhase::init};
  bool probe_samples_{};
  uint64_t drain_round_{};
  BoundSlope slope_{};
  ProbeClock probe_clock_;
  bool probe_was_too_high_{};
  bool probe_was_cautious_{};

  LeastRtt least_rtt_;
  ProbeRttStay rest_{};
  bool idle_restart_{};
  bool paced_by_rtt_{};

  bool recovering_{};
  uint64_t recovery_round_{};
  Bytes prior_cwnd_{};
  struct Undo {
    State state{State::startup};
    Rate bw_short{HUGE_VAL};
    Bytes inflight_short{Bytes::infinite()};
    Bytes inflight_long{Bytes::infinite()};
    Bytes cwnd{};
  } before_loss_{};
};

}  // namespace paceline
