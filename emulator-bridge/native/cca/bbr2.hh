#pragma once
// BBRv2 as Google released it (google/bbr, branch v2alpha, tcp_bbr2.c): BBR's model of bandwidth and least RTT, with bounds on
// what is in flight that losses and congestion marks teach it. BBRv3 in that code base changed a few steps of it, which are
// virtual here; see bbr3_linux.hh.

#include <array>
#include <cmath>
#include <cstdint>

#include "cca/bbr3_model.hh"
#include "cca/bbr_aggregation.hh"
#include "cca/bbr_burst.hh"
#include "cca/bbr_marks.hh"
#include "cca/bbr_phases.hh"
#include "cca/bbr_probing.hh"
#include "cca/bbr_rest.hh"
#include "cca/bbr_view.hh"
#include "cca/registry.hh"

namespace paceline {

class Bbr2 : public Controller {
 public:
  // What differs from release to release and is but a number.
  struct Constants {
    double startup_cwnd_gain{};
    double down_gain{};
    double up_cwnd_gain{};
    int startup_losses{};       // ACKs with losses, in one round
    double ecn_reprobe_gain{};  // of the bound, once marks cease
  };
  static constexpr Constants kV2{.startup_cwnd_gain = 2 / 0.69314718055994531,
                                 .down_gain = 0.75,
                                 .up_cwnd_gain = 2,
                                 .startup_losses = 8,
                                 .ecn_reprobe_gain = 0};

  Bbr2(const Setup& setup, const Params& params, const Constants& constants = kV2);

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

 protected:
  using State = BbrState;

  [[nodiscard]] BbrView view() const;

  // The steps that BBRv3 does in another way.
  virtual void check_full_pipe(const AckEvent& ack);
  [[nodiscard]] virtual bool pipe_was_filled() const { return full_pipe_.reached(); }
  virtual void fill_pipe_by_decree();  // losses or marks end STARTUP
  virtual void forget_full_pipe();
  [[nodiscard]] virtual Bytes startup_bound() const { return inflight_at(max_bw_.get(), 1); }
  [[nodiscard]] virtual bool probe_is_over(const AckEvent& ack);
  virtual void begin_up(const AckEvent&) {}
  virtual void forget_latest(const AckEvent& ack, bool at_the_end);
  [[nodiscard]] virtual Rate upper_bandwidth() const { return bw_hi_; }
  virtual void adapt_upper_bandwidth(const AckEvent& ack, bool safe);

  [[nodiscard]] Bytes bdp(Rate bw, double gain) const;
  [[nodiscard]] Bytes inflight_at(Rate bw, double gain) const { return with_budget(bdp(bw, gain)); }
  [[nodiscard]] Bytes inflight_at_next_send(const AckEvent& ack, Bytes inflight) const;

  Bytes mss_{};
  State state_{State::startup};
  Bytes cwnd_{};
  MaxBandwidth max_bw_{};
  Rate bw_latest_{};
  Bytes inflight_latest_{};
  Bytes inflight_hi_{Bytes::infinite()};
  LeastRtt least_rtt_;
  bool round_start_{};
  Time phase_start_{};

 private:
  static constexpr double kDrainGain = 0.69314718055994531 / 2;
  static constexpr double kUpGain = 1.25;
  static constexpr double kCwndGain = 2;
  static constexpr double kProbeRttCwndGain = 0.5;
  static constexpr double kMargin = 0.99;
  static constexpr int64_t kMinWindow = 4;  // packets
  static constexpr int64_t kUpExtraPackets = 2;
  static constexpr Duration kExtraAckedCap = Duration::millis(100);
  static constexpr Rate kNoRate{HUGE_VAL};

  [[nodiscard]] bool in_probe_bw() const { return state_ >= State::down && state_ <= State::up; }
  [[nodiscard]] bool probing() const {
    return state_ == State::startup || state_ == State::refill || state_ == State::up;
  }
  [[nodiscard]] Rate bandwidth() const { return std::min(std::min(max_bw_.get(), bw_lo_), upper_bandwidth()); }

  // The steps of an ACK.
  void update_round(const AckEvent& ack);
  void update_signals(const AckEvent& ack);
  void adapt_lower_bounds();
  void update_aggregation(const AckEvent& ack);
  void check_startup_losses(const AckEvent& ack);
  void check_drained(const AckEvent& ack);
  [[nodiscard]] bool adapt_upper_bounds(const AckEvent& ack);
  void update_cycle(const AckEvent& ack);
  void check_probe_rtt(const AckEvent& ack);
  void set_pacing(Duration srtt);
  void set_window(const AckEvent& ack);
  void follow_recovery(const AckEvent& ack);
  void undo();

  void start_round() { next_round_ = delivered_; }
  void start_down(Time now);
  void start_cruise();
  void start_refill(uint64_t slope_rounds);
  void start_up(const AckEvent& ack);
  [[nodiscard]] bool refill_if_due(Time now);
  void leave_probe_rtt(Time now);
  [[nodiscard]] bool too_many_losses(Bytes lost, Bytes inflight) const {
    return static_cast<double>(lost.v) > loss_threshold_ * static_cast<double>(inflight.v);
  }
  void inflight_too_high(Bytes level, bool app_limited, Time now);
  void reset_lower_bounds() {
    bw_lo_ = kNoRate;
    inflight_lo_ = Bytes::infinite();
  }
  void remember();

  [[nodiscard]] double pacing_gain() const;
  [[nodiscard]] double cwnd_gain() const;
  [[nodiscard]] Bytes with_budget(Bytes window) const;
  [[nodiscard]] Bytes with_headroom() const;
  [[nodiscard]] Bytes target_inflight() const { return std::min(inflight_at(bandwidth(), 1), cwnd_); }
  [[nodiscard]] Bytes packets(int64_t n) const { return mss_ * n; }

  Constants constants_{};
  bool tcp_{};
  Bytes initial_window_{};
  double startup_gain_{};
  double loss_threshold_{};
  double beta_{};
  double headroom_{};
  Duration probe_rtt_time_{};
  Random random_;

  Rate pace_{};
  Bytes quantum_{};
  Bytes delivered_{};  // connection's total
  Rate bw_lo_{kNoRate};
  Rate bw_hi_{kNoRate};
  Bytes inflight_lo_{Bytes::infinite()};
  AckAggregation aggregation_{};
  FullPipe full_pipe_{};
  CongestionMarks marks_;
  RoundLoss round_loss_{};

  Bytes next_round_{};
  bool loss_in_round_{};
  bool loss_in_cycle_{};
  bool loss_round_start_{};
  Bytes loss_round_end_{};
  int lossy_acks_{};  // in this round

  BbrAckPhase ack_phase_{BbrAckPhase::init};
  bool probe_samples_{};
  ProbeClock probe_clock_;
  BoundSlope slope_{};

 protected:
  bool probe_was_too_high_{};
  bool stopped_risky_probe_{};

 private:
  ProbeRttStay rest_{};
  bool idle_restart_{};
  bool paced_by_rtt_{};

  bool recovering_{};     // losses or a timeout are being repaired
  bool fast_recovery_{};  // losses are
  Bytes prior_cwnd_{};
  struct Undo {
    Rate bw_lo{kNoRate};
    Bytes inflight_lo{Bytes::infinite()};
    Bytes inflight_hi{Bytes::infinite()};
  } before_loss_{};
};

}  // namespace paceline
