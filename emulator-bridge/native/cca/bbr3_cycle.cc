// BBRv3's state machine: what to do next, and when (draft-ietf-ccwg-bbr section 5.3).

#include "cca/bbr3.hh"

namespace paceline {

void Bbr3::start_down(Time now) {
  loss_in_round_ = false;  // the short-term model starts afresh with what follows
  bw_latest_ = Rate::zero();
  inflight_latest_ = Bytes::zero();
  slope_.stop();
  probe_clock_.restart(now, random_);
  ack_phase_ = AckPhase::stopping;
  start_round();
  state_ = State::down;
}

void Bbr3::go_down(Time now) {
  probe_was_too_high_ = false;
  start_down(now);
}

void Bbr3::start_refill() {
  bw_short_ = Rate{HUGE_VAL};
  inflight_short_ = Bytes::infinite();
  slope_.restart();
  probe_was_cautious_ = false;
  ack_phase_ = AckPhase::refilling;
  start_round();
  state_ = State::refill;
}

void Bbr3::start_up(const AckEvent& ack) {
  ack_phase_ = AckPhase::starting;
  start_round();
  full_bw_.restart(ack.rate.rate);
  state_ = State::up;
  slope_.raise(cwnd_, mss_);
}

void Bbr3::check_startup_done(const AckEvent& ack) {
  if (round_start_ && !ack.rate.app_limited && ack.rate.valid) full_bw_.round(ack.rate.rate);
  if (state_ == State::startup && loss_round_start_) {
    const bool lossy =
        static_cast<double>(ack.rate.lost.v) > loss_threshold_ * static_cast<double>(ack.rate.tx_inflight.v);
    if (recovering_ && round_ > recovery_round_ && loss_ranges_ >= kStartupLossRanges && lossy) {
      full_bw_.set_ever(true);
      inflight_long_ = std::max(bdp(bw_, 1), inflight_latest_);
    }
  }
  if (loss_round_start_) loss_ranges_ = 0;
  if (state_ == State::startup && full_bw_.ever()) {
    state_ = State::drain;
    drain_round_ = round_;
  }
  if (state_ == State::drain &&
      (ack.inflight <= inflight_at(max_bw_.get(), 1) || round_ > drain_round_ + static_cast<uint64_t>(kDrainRounds)))
    start_down(ack.now);
}

void Bbr3::adapt_long_term(const AckEvent& ack) {
  if (ack_phase_ == AckPhase::starting && round_start_) ack_phase_ = AckPhase::feedback;
  if (ack_phase_ == AckPhase::stopping && round_start_) {
    probe_samples_ = false;
    ack_phase_ = AckPhase::init;
    if (in_probe_bw() && !ack.rate.app_limited) max_bw_.advance();
    if (in_probe_bw() && probe_was_cautious_ &&
        !probe_was_too_high_) {  // it could have gone further: try again at once
      start_refill();
      return;
    }
  }
  const double lost = static_cast<double>(ack.rate.lost.v);
  if (lost > loss_threshold_ * static_cast<double>(ack.rate.tx_inflight.v)) return;
  if (inflight_long_ == Bytes::infinite()) return;
  inflight_long_ = std::max(inflight_long_, ack.rate.tx_inflight);
  if (state_ != State::up || !ack.window_limited || cwnd_ < inflight_long_) return;
  inflight_long_ += mss_ * slope_.earn(ack.acked_bytes);
  if (round_start_) slope_.raise(cwnd_, mss_);
}

void Bbr3::update_cycle(const AckEvent& ack) {
  if (!full_bw_.ever()) return;
  adapt_long_term(ack);
  switch (state_) {
    case State::down:
      if (time_to_probe(ack.now)) {
        start_refill();
      } else if (ack.inflight <= std::min(with_headroom(), inflight_at(max_bw_.get(), 1))) {
        state_ = State::cruise;
      }
      break;
    case State::cruise:
      if (time_to_probe(ack.now)) start_refill();
      break;
    case State::refill:
      if (round_start_) {
        probe_samples_ = true;
        start_up(ack);
      }
      break;
    case State::up:
      if (probe_was_too_high_ && ack.inflight >= inflight_long_) {
        probe_was_cautious_ = true;
        go_down(ack.now);
      } else if (ack.window_limited && cwnd_ >= inflight_long_) {
        full_bw_.restart(ack.rate.rate);  // the bound, not the path, is what limits the bandwidth
      } else if (full_bw_.now()) {
        go_down(ack.now);
      }
      break;
    default:
      break;
  }
}

// A probe lost too much: what was in flight then is the bound.
void Bbr3::inflight_too_high(Bytes level, bool app_limited, Time now) {
  probe_was_too_high_ = true;
  probe_samples_ = false;
  if (!app_limited) inflight_long_ = std::max(level, scale(target_inflight(), beta_));
  if (state_ == State::up) start_down(now);
}

void Bbr3::check_probe_rtt(const AckEvent& ack) {
  if (state_ != State::probe_rtt && least_rtt_.expired() && !idle_restart_) {
    save_window();
    state_ = State::probe_rtt;
    rest_.enter();
    ack_phase_ = AckPhase::stopping;
    start_round();
  }
  if (state_ == State::probe_rtt) {
    if (!rest_.low()) {
      if (ack.inflight <= std::max(bdp(bw_, kProbeRttCwndGain), packets(kMinWindow))) {
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

void Bbr3::leave_probe_rtt(Time now) {
  least_rtt_.rested(now);
  cwnd_ = std::max(cwnd_, prior_cwnd_);
  bw_short_ = Rate{HUGE_VAL};
  inflight_short_ = Bytes::infinite();
  if (full_bw_.ever()) {
    start_down(now);
    state_ = State::cruise;
  } else {
    state_ = State::startup;
  }
}

}  // namespace paceline
