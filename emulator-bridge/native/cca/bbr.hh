#pragma once
// BBRv1 (Cardwell et al., ACM Queue 2016; Linux net/ipv4/tcp_bbr.c): paces at the largest recent delivery rate, keeps about
// two bandwidth-delay products in flight, and does not take loss for congestion.

#include <array>
#include <cmath>

#include "cca/bbr_aggregation.hh"
#include "cca/bbr_burst.hh"
#include "cca/bbr_phases.hh"
#include "cca/bbr_policer.hh"
#include "cca/bbr_rest.hh"
#include "cca/registry.hh"
#include "cca/windowed_filter.hh"

namespace paceline {

class Bbr final : public Controller {
 public:
  Bbr(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        tcp_{setup.profile == TransportProfile::tcp},
        initial_window_{params.integer("init_cwnd")},
        min_rtt_window_{Duration::seconds(params.number("min_rtt_win_s"))},
        probe_rtt_time_{Duration::seconds(params.number("probe_rtt_ms") * 1e-3)},
        steady_cwnd_gain_{params.number("cwnd_gain")},
        margin_{1 - params.number("pacing_margin_pct") / 100},
        use_aggregation_{params.flag("ack_agg")},
        random_{setup.random},
        max_bw_{static_cast<uint64_t>(params.integer("bw_win_rounds"))},
        policer_{params.flag("lt_bw")},
        cwnd_{initial_window_},
        cycle_{params.number("probe_gain")},
        min_rtt_stamp_{setup.now} {
    pace_from_window(Duration::millis(1));  // Linux' nominal RTT until there is a sample
    aggregation_.restart(setup.now);
    if (setup.handshake_rtt > Duration::zero()) {
      min_rtt_ = setup.handshake_rtt;
      set_pacing(setup.handshake_rtt);
    }
  }

  void on_ack(const AckEvent& ack) override;

  void on_loss(const LossEvent& loss) override {
    if (loss.new_episode) save_window();
  }

  void on_timeout(const TimeoutEvent& timeout) override;
  void on_idle_restart(Time now) override;

  [[nodiscard]] Bytes cwnd() const override { return mss_ * cwnd_; }
  [[nodiscard]] Rate pacing_rate() const override { return pace_; }
  [[nodiscard]] Bytes send_quantum() const override { return mss_ * segments_at_once(); }
  [[nodiscard]] bool limits_itself() const override { return mode_ == Mode::probe_rtt; }

  [[nodiscard]] std::string_view phase() const override { return kModeNames[static_cast<std::size_t>(mode_)]; }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Bbr> kInternals;

  static constexpr std::array<std::string_view, 4> kModeNames{"STARTUP", "DRAIN", "PROBE_BW", "PROBE_RTT"};

 private:
  // 2/ln 2: the least gain that doubles the delivery rate each round trip
  static constexpr double kHighGain = 2.0 / 0.69314718055994531;
  static constexpr double kDrainGain = 1 / kHighGain;
  static constexpr int64_t kMinWindow = 4;  // packets: enough to keep ACKs coming when every second one is held back
  static constexpr int64_t kWindowWithoutRtt = 10;  // packets
  static constexpr Duration kExtraAckedCap = Duration::millis(100);

  enum class Mode : uint8_t { startup, drain, probe_bw, probe_rtt };
  enum class Stack : uint8_t { open, recovery, timeout };  // what the transport was doing at the last ACK

  [[nodiscard]] Rate bandwidth() const { return policer_.in_use() ? policer_.rate() : max_bw_.get(); }
  [[nodiscard]] bool has_min_rtt() const { return min_rtt_ < Duration::infinite(); }

  // The model, in the order in which an ACK updates it.
  void update_bandwidth(const AckEvent& ack);
  [[nodiscard]] BbrPolicer::Sample policer_sample(const AckEvent& ack) const;
  [[nodiscard]] bool phase_is_over(const AckEvent& ack) const;
  void enter_probe_bw(Time now);
  void check_drained(const AckEvent& ack);
  void update_min_rtt(const AckEvent& ack);
  void leave_probe_rtt(Time now);
  void set_gains();
  void pace_from_window(Duration rtt) { pace_ = Rate::of(mss_ * cwnd_, rtt) * (kHighGain * margin_); }

  void set_pacing(Duration srtt);
  void set_window(const AckEvent& ack);
  bool recover_or_restore(const AckEvent& ack, int64_t acked);
  void save_window() {
    prior_cwnd_ = stack_ == Stack::open && mode_ != Mode::probe_rtt ? cwnd_ : std::max(prior_cwnd_, cwnd_);
  }

  [[nodiscard]] int64_t packets(Bytes bytes) const { return (bytes.v + mss_.v - 1) / mss_.v; }

  [[nodiscard]] int64_t bdp_packets(Rate bw, double gain) const;
  [[nodiscard]] int64_t segments_at_once() const { return burst_segments(pace_, mss_); }
  [[nodiscard]] int64_t with_burst_budget(int64_t window) const;
  [[nodiscard]] int64_t target_inflight(double gain) const {
    return with_burst_budget(bdp_packets(max_bw_.get(), gain));
  }

  [[nodiscard]] int64_t packets_at_next_send(const AckEvent& ack, Bytes inflight) const;

  Bytes mss_{};
  bool tcp_{};
  int64_t initial_window_{};
  Duration min_rtt_window_{};
  Duration probe_rtt_time_{};
  double steady_cwnd_gain_{};
  double margin_{};
  bool use_aggregation_{};
  Random random_;

  WindowedMax<Rate> max_bw_;
  AckAggregation aggregation_{};
  BbrPolicer policer_;
  Mode mode_{Mode::startup};
  Stack stack_{Stack::open};
  double pacing_gain_{kHighGain};
  double cwnd_gain_{kHighGain};
  Rate pace_{};
  int64_t cwnd_{};
  int64_t prior_cwnd_{};

  uint64_t round_{};
  Bytes next_round_{};
  bool round_start_{};
  bool conserving_{};
  bool paced_by_rtt_{};
  bool idle_restart_{};

  FullPipe full_pipe_{};
  GainCycle cycle_;

  Duration min_rtt_{Duration::infinite()};
  Time min_rtt_stamp_{};
  ProbeRttStay rest_{};
};

}  // namespace paceline
