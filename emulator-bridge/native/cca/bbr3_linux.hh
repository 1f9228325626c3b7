#pragma once
// BBRv3 as Google released it for Linux (google/bbr, branch v3, tcp_bbr.c): the steps in which it differs from the BBRv2 of the
// same code base. The draft's BBRv3 is in bbr3.hh.

#include "cca/bbr2.hh"
#include "cca/bbr3.hh"

namespace paceline {

class Bbr3Linux final : public Bbr2 {
 public:
  Bbr3Linux(const Setup& setup, const Params& params) : Bbr2{setup, params, kV3} {}

  void internals(std::span<float> out) const override { Bbr3::kInternals.tell(view(), out); }

 private:
  static constexpr Constants kV3{
      .startup_cwnd_gain = 2, .down_gain = 0.91, .up_cwnd_gain = 2.25, .startup_losses = 6, .ecn_reprobe_gain = 0.5};

  // On the current sample, not on the largest; again for each PROBE_UP.
  void check_full_pipe(const AckEvent& ack) override {
    if (ack.rate.valid && !ack.rate.app_limited) full_.sample(ack.rate.rate, round_start_);
  }
  [[nodiscard]] bool pipe_was_filled() const override { return full_.ever(); }
  void fill_pipe_by_decree() override {
    full_.set_ever(true);
    inflight_hi_ = startup_bound();
  }
  void forget_full_pipe() override { full_.restart(Rate::zero()); }
  [[nodiscard]] Bytes startup_bound() const override { return std::max(Bbr2::startup_bound(), inflight_latest_); }

  void begin_up(const AckEvent& ack) override { full_.restart(ack.rate.rate); }
  // When the bandwidth no longer grows, or at the bound that the last probe overstepped.
  [[nodiscard]] bool probe_is_over(const AckEvent& ack) override {
    if (probe_was_too_high_ && inflight_at_next_send(ack, ack.inflight_before) >= inflight_hi_) {
      stopped_risky_probe_ = true;
      return true;
    }
    if (ack.window_limited && cwnd_ >= inflight_hi_) {
      full_.restart(ack.rate.rate);  // the bound, not the path, is what limits the bandwidth
      return false;
    }
    return full_.now();
  }

  // The newest round starts with this sample only when all else has looked at the last one.
  void forget_latest(const AckEvent& ack, bool at_the_end) override {
    if (!at_the_end) return;
    bw_latest_ = ack.rate.rate;
    inflight_latest_ = ack.rate.delivered;
  }

  // There is none: v3 calls bw_hi what v2 calls the largest bandwidth.
  [[nodiscard]] Rate upper_bandwidth() const override { return Rate{HUGE_VAL}; }
  void adapt_upper_bandwidth(const AckEvent&, bool) override {}

  FullBandwidth full_{};
};

}  // namespace paceline
