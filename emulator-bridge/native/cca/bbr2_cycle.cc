// BBRv2's state machine: what to do next, and when (google/bbr v2alpha, tcp_bbr2.c).

#include "cca/bbr2.hh"

namespace paceline {

void Bbr2::start_down(Time now) {
  loss_in_round_ = false;
  marks_.answered();
  bw_latest_ = Rate::zero();
  inflight_latest_ = Bytes::zero();
  slope_.stop();
  probe_clock_.restart(now, random_);
  phase_start_ = now;
  ack_phase_ = BbrAckPhase::stopping;
  start_round();
  state_ = State::down;
}

void Bbr2::start_cruise() {
  if (inflight_lo_ != Bytes::infinite()) inflight_lo_ = std::min(inflight_lo_, inflight_hi_);
  state_ = State::cruise;
}

void Bbr2::start_refill(uint64_t slope_rounds) {
  reset_lower_bounds();
  slope_.restart(slope_rounds);
  stopped_risky_probe_ = false;
  loss_in_cycle_ = false;
  marks_.new_cycle();
  ack_phase_ = BbrAckPhase::refilling;
  start_round();
  state_ = State::refill;
}

void Bbr2::start_up(const AckEvent& ack) {
  ack_phase_ = BbrAckPhase::starting;
  start_round();
  phase_start_ = ack.now;
  state_ = State::up;
  begin_up(ack);
  slope_.raise(cwnd_, mss_);
}

// True: it is time for more. Where marks ceased without a loss, others have left: a first step as large as a share of the bound.
bool Bbr2::refill_if_due(Time now) {
  if (constants_.ecn_reprobe_gain > 0 && marks_.ceased() && !loss_in_cycle_ && !recovering_ &&
      inflight_hi_ != Bytes::infinite()) {
    const double step = inflight_hi_.in_packets(mss_) * constants_.ecn_reprobe_gain;
    start_refill(static_cast<uint64_t>(std::max(std::ilogb(std::max(step, 1.0)), 0)));
    return true;
  }
  if (!probe_clock_.due(now, target_inflight().v / mss_.v)) return false;
  start_refill(0);
  return true;
}

// The path is full when three rounds brought less than a quarter more bandwidth.
void Bbr2::check_full_pipe(const AckEvent& ack) {
  if (round_start_ && !ack.rate.app_limited) full_pipe_.round(max_bw_.get());
}

void Bbr2::fill_pipe_by_decree() {
  full_pipe_.decree();
  inflight_hi_ = startup_bound();
}

void Bbr2::forget_full_pipe() { full_pipe_.forget(); }

// STARTUP also ends when a round of loss recovery shows too many losses, spread over several ACKs.
void Bbr2::check_startup_losses(const AckEvent& ack) {
  if (pipe_was_filled()) return;
  if (ack.lost_packets > 0) ++lossy_acks_;
  if (!loss_round_start_) return;
  if (fast_recovery_ && lossy_acks_ >= constants_.startup_losses &&
      too_many_losses(ack.rate.lost, ack.rate.tx_inflight))
    fill_pipe_by_decree();
  lossy_acks_ = 0;
}

void Bbr2::check_drained(const AckEvent& ack) {
  if (state_ == State::startup && pipe_was_filled()) state_ = State::drain;
  if (state_ == State::drain && inflight_at_next_send(ack, ack.inflight) <= inflight_at(max_bw_.get(), 1))
    start_down(ack.now);
}

// True: it has decided on the next state.
bool Bbr2::adapt_upper_bounds(const AckEvent& ack) {
  if (ack_phase_ == BbrAckPhase::starting && round_start_) ack_phase_ = BbrAckPhase::feedback;
  if (ack_phase_ == BbrAckPhase::stopping && round_start_) {
    probe_samples_ = false;
    ack_phase_ = BbrAckPhase::init;
    if (in_probe_bw() && !ack.rate.app_limited) max_bw_.advance_if_seen();
    // it went up to the bound without harm: try again at once, and beyond
    if (in_probe_bw() && stopped_risky_probe_ && !probe_was_too_high_) {
      start_refill(0);
      return true;
    }
  }
  const bool safe = !too_many_losses(ack.rate.lost, ack.rate.tx_inflight) && !marks_.too_many();
  if (safe || probe_samples_) adapt_upper_bandwidth(ack, safe);
  if (!safe) {
    if (probe_samples_) inflight_too_high(ack.rate.tx_inflight, ack.rate.app_limited, ack.now);
    return false;
  }
  if (inflight_hi_ == Bytes::infinite()) return false;
  inflight_hi_ = std::max(inflight_hi_, ack.rate.tx_inflight);
  if (state_ != State::up) return false;
  if (!ack.window_limited || cwnd_ < inflight_hi_) {
    slope_.forfeit();
    return false;
  }
  inflight_hi_ += packets(slope_.earn(ack.acked_bytes));
  if (round_start_) slope_.raise(cwnd_, mss_);
  return false;
}

// v2 alone: a bandwidth that only marks lower, while probing, and safe samples raise.
void Bbr2::adapt_upper_bandwidth(const AckEvent& ack, bool safe) {
  if (!safe && marks_.too_many()) {
    bw_hi_ = (std::isinf(bw_hi_.bps) ? max_bw_.get() : bw_hi_) * marks_.keep();
  } else if (safe && ack.rate.valid && !std::isinf(bw_hi_.bps)) {
    bw_hi_ = std::max(bw_hi_, ack.rate.rate);
  }
}

void Bbr2::update_cycle(const AckEvent& ack) {
  if (!pipe_was_filled() || adapt_upper_bounds(ack)) return;
  switch (state_) {
    case State::down:
      if (!refill_if_due(ack.now) && ack.inflight_before <= with_headroom() &&
          inflight_at_next_send(ack, ack.inflight_before) <= inflight_at(max_bw_.get(), 1))
        start_cruise();
      break;
    case State::cruise:
      static_cast<void>(refill_if_due(ack.now));
      break;
    case State::refill:
      if (round_start_) {
        probe_samples_ = true;
        start_up(ack);
      }
      break;
    case State::up:
      if (probe_is_over(ack)) {
        probe_was_too_high_ = false;
        start_down(ack.now);
      }
      break;
    default:
      break;
  }
}

// As soon as a queue must have formed, or at the bound that the last probe overstepped.
bool Bbr2::probe_is_over(const AckEvent& ack) {
  const Bytes inflight = inflight_at_next_send(ack, ack.inflight_before);
  if (probe_was_too_high_ && inflight >= inflight_hi_) {
    stopped_risky_probe_ = true;
    return true;
  }
  return ack.now - phase_start_ > least_rtt_.get() && inflight >= inflight_at(max_bw_.get(), kUpGain);
}

// A probe lost too much: what was in flight then is the bound.
void Bbr2::inflight_too_high(Bytes level, bool app_limited, Time now) {
  probe_was_too_high_ = true;
  probe_samples_ = false;  // once per probe
  if (!app_limited) inflight_hi_ = std::max(level, scale(target_inflight(), beta_));
  if (state_ == State::up) start_down(now);
}

void Bbr2::check_probe_rtt(const AckEvent& ack) {
  if (state_ != State::probe_rtt && least_rtt_.expired() && !idle_restart_) {
    prior_cwnd_ = recovering_ ? std::max(prior_cwnd_, cwnd_) : cwnd_;
    state_ = State::probe_rtt;
    rest_.enter();
    ack_phase_ = BbrAckPhase::stopping;
    start_round();
  }
  if (state_ == State::probe_rtt) {
    if (!rest_.low()) {
      if (ack.inflight <= std::max(bdp(bandwidth(), kProbeRttCwndGain), packets(kMinWindow))) {
        rest_.begin(ack.now + probe_rtt_time_);
        start_round();
      }
    } else {
      if (round_start_) rest_.round();
      if (rest_.round_done() && rest_.over(ack.now)) leave_probe_rtt(ack.now);
    }
  }
  if (ack.rate.delivered > Bytes::zero()) idle_restart_ = false;
}

void Bbr2::leave_probe_rtt(Time now) {
  least_rtt_.rested(now);
  cwnd_ = std::max(cwnd_, prior_cwnd_);
  reset_lower_bounds();
  if (pipe_was_filled()) {
    start_down(now);
    start_cruise();
  } else {
    state_ = State::startup;
  }
}

}  // namespace paceline
