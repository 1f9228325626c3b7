// BBRv3's model of the path and what follows from it: pacing rate and window (draft-ietf-ccwg-bbr sections 5.4 to 5.6).

#include "cca/bbr3.hh"

namespace paceline {

Bbr3::Bbr3(const Setup& setup, const Params& params)
    : mss_{setup.mss},
      tcp_{setup.profile == TransportProfile::tcp},
      initial_window_{setup.mss * params.integer("init_cwnd")},
      startup_gain_{params.number("startup_gain")},
      loss_threshold_{params.number("loss_thresh")},
      beta_{params.number("beta")},
      headroom_{params.number("headroom")},
      probe_rtt_time_{Duration::seconds(params.number("probe_rtt_ms") * 1e-3)},
      random_{setup.random},
      cwnd_{initial_window_},
      pace_{Rate::of(initial_window_, Duration::millis(1)) * (startup_gain_ * kMargin)},
      quantum_{mss_ * 2},
      probe_clock_{params.number("probe_wait_base_s"), params.number("probe_wait_rand_s"),
                   params.integer("max_reno_rounds")},
      least_rtt_{setup.now, Duration::seconds(params.number("probe_rtt_interval_s"))} {
  extra_acked_.restart(setup.now);
  if (setup.handshake_rtt > Duration::zero()) {
    least_rtt_.update(setup.now, setup.handshake_rtt);
    set_pacing(setup.handshake_rtt);
  }
}

void Bbr3::on_ack(const AckEvent& ack) {
  delivered_ = ack.delivered;
  if (ack.recovery == Recovery::undone) undo();
  follow_recovery(ack);
  if (ack.acked_packets == 0) return;
  update_latest(ack);
  update_round_and_bandwidth(ack);
  update_aggregation(ack);
  check_startup_done(ack);
  update_cycle(ack);
  least_rtt_.update(ack.now, ack.rtt);
  check_probe_rtt(ack);
  if (loss_round_start_) {  // the newest round starts with this sample
    bw_latest_ = ack.rate.rate;
    inflight_latest_ = ack.rate.delivered;
  }
  bw_ = std::min(max_bw_.get(), bw_short_);
  set_pacing(ack.srtt);
  set_window(ack);
}

void Bbr3::update_latest(const AckEvent& ack) {
  bw_latest_ = std::max(bw_latest_, ack.rate.rate);
  inflight_latest_ = std::max(inflight_latest_, ack.rate.delivered);
  loss_round_start_ = ack.rate.prior_delivered >= loss_round_end_;
  if (loss_round_start_) loss_round_end_ = ack.delivered;
}

void Bbr3::update_round_and_bandwidth(const AckEvent& ack) {
  round_start_ = ack.rate.prior_delivered >= next_round_;
  if (round_start_) {
    next_round_ = ack.delivered;
    ++round_;
    probe_clock_.round();
    round_loss_.round(ack.delivered, ack.lost);
  }
  if (ack.rate.valid && (ack.rate.rate >= max_bw_.get() || !ack.rate.app_limited)) max_bw_.update(ack.rate.rate);
  if (!loss_round_start_) return;
  if (loss_in_round_ && !probing()) {  // short-term bounds: what this round delivered, but not below beta of before
    const Rate bw = std::isinf(bw_short_.bps) ? max_bw_.get() : bw_short_;
    const Bytes inflight = inflight_short_ == Bytes::infinite() ? cwnd_ : inflight_short_;
    bw_short_ = std::max(bw_latest_, bw * beta_);
    inflight_short_ = std::max(inflight_latest_, scale(inflight, beta_));
  }
  loss_in_round_ = false;
}

void Bbr3::update_aggregation(const AckEvent& ack) {
  extra_acked_.update(ack.now, round_, round_start_, full_bw_.ever(), ack.acked_bytes, bw_, cwnd_);
}

void Bbr3::on_loss(const LossEvent& loss) {
  delivered_ = loss.delivered;
  if (loss.new_episode) {
    save_window();
    remember_for_undo();
    recovering_ = true;
    recovery_round_ = round_;
  }
  Bytes lost = loss.lost - loss.bytes;
  for (const LostPacket& packet : loss.packets) {
    lost += packet.size;
    if (packet.number != last_lost_ + 1) ++loss_ranges_;
    last_lost_ = packet.number;
    if (!loss_in_round_) loss_round_end_ = loss.delivered;
    loss_in_round_ = true;
    if (!probe_samples_) continue;
    const Bytes since = lost - packet.lost_at_send;
    if (static_cast<double>(since.v) > loss_threshold_ * static_cast<double>(packet.inflight_at_send.v))
      inflight_too_high(level_of_loss(packet, since, loss_threshold_), packet.app_limited, loss.now);
  }
}

void Bbr3::on_timeout(const TimeoutEvent& timeout) {
  delivered_ = timeout.delivered;
  if (!timeout.repeated) {
    save_window();
    remember_for_undo();
  }
  recovering_ = true;
  recovery_round_ = round_;
  cwnd_ = tcp_ ? timeout.inflight + mss_ : packets(kMinWindow);
}

void Bbr3::follow_recovery(const AckEvent& ack) {
  const bool was = recovering_;
  recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in || ack.recovery == Recovery::timeout;
  if (was && !recovering_) cwnd_ = std::max(cwnd_, prior_cwnd_);
}

void Bbr3::on_idle_restart(Time now) {
  idle_restart_ = true;
  extra_acked_.restart(now);
  if (in_probe_bw()) {
    pace_ = bw_ * kMargin;
  } else if (state_ == State::probe_rtt && rest_.over(now)) {
    leave_probe_rtt(now);
  }
}

void Bbr3::remember_for_undo() {
  before_loss_ = {.state = state_,
                  .bw_short = bw_short_,
                  .inflight_short = inflight_short_,
                  .inflight_long = inflight_long_,
                  .cwnd = cwnd_};
}

// The losses were none: take back what they taught.
void Bbr3::undo() {
  cwnd_ = std::max(cwnd_, std::max(prior_cwnd_, before_loss_.cwnd));
  loss_in_round_ = false;
  full_bw_.restart(Rate::zero());
  bw_short_ = std::max(bw_short_, before_loss_.bw_short);
  inflight_short_ = std::max(inflight_short_, before_loss_.inflight_short);
  inflight_long_ = std::max(inflight_long_, before_loss_.inflight_long);
  if (state_ == State::probe_rtt || state_ == before_loss_.state) return;
  if (before_loss_.state == State::startup) {
    full_bw_.set_ever(false);
    state_ = State::startup;
  } else if (before_loss_.state == State::up) {
    start_refill();
  }
}

double Bbr3::pacing_gain() const {
  switch (state_) {
    case State::startup:
      return startup_gain_;
    case State::drain:
      return kDrainGain;
    case State::down:
      return kDownGain;
    case State::up:
      return kUpGain;
    default:
      return 1;
  }
}

double Bbr3::cwnd_gain() const {
  return state_ == State::up          ? kUpCwndGain
         : state_ == State::probe_rtt ? kProbeRttCwndGain
         : state_ == State::startup   ? kStartupCwndGain
                                      : kCwndGain;
}

Bytes Bbr3::bdp(Rate bw, double gain) const {
  if (!least_rtt_.known()) return initial_window_;
  return Bytes{static_cast<int64_t>(bw.bps * least_rtt_.get().to_seconds() * gain / 8)};
}

// Room for the bursts that offloading hosts send, receive and acknowledge at once.
Bytes Bbr3::with_budget(Bytes window) const {
  window = std::max(window, std::max(quantum_ * (tcp_ ? 3 : 1), packets(kMinWindow)));
  return state_ == State::up ? window + packets(kUpExtraPackets) : window;
}

// Leaves room below the bound for others.
Bytes Bbr3::with_headroom() const {
  if (inflight_long_ == Bytes::infinite()) return inflight_long_;
  return std::max(inflight_long_ - std::max(mss_, scale(inflight_long_, headroom_)), packets(kMinWindow));
}

void Bbr3::set_pacing(Duration srtt) {
  if (!paced_by_rtt_ && srtt > Duration::zero()) {
    paced_by_rtt_ = true;
    pace_ = Rate::of(cwnd_, srtt) * (startup_gain_ * kMargin);
  }
  const Rate rate = bw_ * (pacing_gain() * kMargin);
  if (full_bw_.ever() || rate > pace_) pace_ = rate;
  quantum_ = std::clamp(pace_.bytes_in(Duration::millis(1)), mss_ * 2, kLargestBurst);
}

void Bbr3::set_window(const AckEvent& ack) {
  const Bytes target = with_budget(bdp(bw_, cwnd_gain()) + extra_acked_.get());
  if (full_bw_.ever()) {
    cwnd_ = std::min(cwnd_ + ack.acked_bytes, target);
  } else if (cwnd_ < target || ack.delivered < initial_window_) {
    cwnd_ += ack.acked_bytes;
  }
  cwnd_ = std::max(cwnd_, packets(kMinWindow));
  if (state_ == State::probe_rtt) cwnd_ = std::min(cwnd_, std::max(bdp(bw_, kProbeRttCwndGain), packets(kMinWindow)));
  Bytes bound = Bytes::infinite();
  if (state_ == State::cruise || state_ == State::probe_rtt) {
    bound = with_headroom();
  } else if (in_probe_bw()) {
    bound = inflight_long_;
  }
  bound = std::max(std::min(bound, inflight_short_), packets(kMinWindow));
  cwnd_ = std::min(cwnd_, bound);
}

BbrView Bbr3::view() const {
  return {.state = state_,
          .bw = bw_,
          .max_bw = max_bw_.get(),
          .bw_short = bw_short_,
          .inflight_short = inflight_short_,
          .inflight_long = inflight_long_,
          .min_rtt_ms = if_known(least_rtt_.known(), least_rtt_.get().to_millis()),
          .pacing_gain = pacing_gain(),
          .extra_acked = extra_acked_.get(),
          .pipe_full = full_bw_.ever(),
          .round_loss = round_loss_.share()};  // the draft answers no marks
}

}  // namespace paceline
