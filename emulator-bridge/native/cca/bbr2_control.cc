// BBRv2's model of the path and what follows from it: pacing rate and window (google/bbr v2alpha, tcp_bbr2.c).

#include "cca/bbr2.hh"

namespace paceline {
namespace {

Duration seconds_of(const Params& params, std::string_view name) { return Duration::seconds(params.number(name)); }

}  // namespace

Bbr2::Bbr2(const Setup& setup, const Params& params, const Constants& constants)
    : mss_{setup.mss},
      cwnd_{setup.mss * params.integer("init_cwnd")},
      least_rtt_{setup.now, seconds_of(params, "probe_rtt_interval_s")},
      constants_{constants},
      tcp_{setup.profile == TransportProfile::tcp},
      initial_window_{cwnd_},
      startup_gain_{params.number("startup_gain")},
      loss_threshold_{params.number("loss_thresh")},
      beta_{params.number("beta")},
      headroom_{params.number("headroom")},
      probe_rtt_time_{Duration::seconds(params.number("probe_rtt_ms") * 1e-3)},
      random_{setup.random},
      pace_{Rate::of(initial_window_, Duration::millis(1)) * (startup_gain_ * kMargin)},
      quantum_{mss_ * 2},
      marks_{params.choice("ecn") != "off", Duration::seconds(params.number("ecn_max_rtt_ms") * 1e-3)},
      probe_clock_{params.number("probe_wait_base_s"), params.number("probe_wait_rand_s"),
                   params.integer("max_reno_rounds")} {
  aggregation_.restart(setup.now);
  if (setup.handshake_rtt > Duration::zero()) {
    least_rtt_.update(setup.now, setup.handshake_rtt);
    set_pacing(setup.handshake_rtt);
  }
}

void Bbr2::on_ack(const AckEvent& ack) {
  delivered_ = ack.delivered;
  if (ack.recovery == Recovery::undone) undo();
  follow_recovery(ack);
  if (ack.acked_packets == 0) return;
  marks_.count(ack);
  update_round(ack);
  loss_round_start_ = false;
  if (ack.rate.valid) update_signals(ack);
  update_aggregation(ack);
  check_startup_losses(ack);
  check_full_pipe(ack);
  check_drained(ack);
  update_cycle(ack);
  least_rtt_.update(ack.now, ack.rtt, ack.delayed);
  check_probe_rtt(ack);
  if (loss_round_start_) forget_latest(ack, true);
  set_pacing(ack.srtt);
  set_window(ack);
}

void Bbr2::update_round(const AckEvent& ack) {
  round_start_ = ack.rate.valid && ack.rate.prior_delivered >= next_round_;
  if (!round_start_) return;
  next_round_ = ack.delivered;
  probe_clock_.round();
  round_loss_.round(ack.delivered, ack.lost);
  marks_.round(least_rtt_.get());
  if (!pipe_was_filled() && marks_.path_full()) fill_pipe_by_decree();
}

// Bandwidth, and what the latest round trip delivered.
void Bbr2::update_signals(const AckEvent& ack) {
  if (!ack.rate.app_limited || ack.rate.rate >= max_bw_.get()) max_bw_.update(ack.rate.rate);
  loss_in_round_ = loss_in_round_ || ack.lost_packets > 0;
  loss_in_cycle_ = loss_in_cycle_ || ack.lost_packets > 0;
  bw_latest_ = std::max(bw_latest_, ack.rate.rate);
  inflight_latest_ = std::max(inflight_latest_, ack.rate.delivered);
  if (ack.rate.prior_delivered < loss_round_end_) return;
  loss_round_end_ = ack.delivered;
  loss_round_start_ = true;
  if (!probing()) adapt_lower_bounds();
  loss_in_round_ = false;
  marks_.answered();
  forget_latest(ack, false);
}

// After a round with losses: what it delivered, but not below beta of before. Marks reduce by their share.
void Bbr2::adapt_lower_bounds() {
  Bytes marked = Bytes::infinite();
  if (marks_.in_round() && marks_.eligible()) {
    if (inflight_lo_ == Bytes::infinite()) inflight_lo_ = cwnd_;
    marked = scale(inflight_lo_, marks_.keep());
  }
  if (loss_in_round_) {
    if (std::isinf(bw_lo_.bps)) bw_lo_ = max_bw_.get();
    if (inflight_lo_ == Bytes::infinite()) inflight_lo_ = cwnd_;
    bw_lo_ = std::max(bw_latest_, bw_lo_ * beta_);
    inflight_lo_ = std::max(inflight_latest_, scale(inflight_lo_, beta_));
  }
  inflight_lo_ = std::min(inflight_lo_, marked);
}

// v2 starts the new round with this sample at once.
void Bbr2::forget_latest(const AckEvent& ack, bool at_the_end) {
  if (at_the_end) return;
  bw_latest_ = ack.rate.rate;
  inflight_latest_ = ack.rate.delivered;
}

void Bbr2::update_aggregation(const AckEvent& ack) {
  if (!ack.rate.valid) return;
  aggregation_.update(ack.now, round_start_, ack.acked_bytes, bandwidth(), cwnd_, !pipe_was_filled());
}

void Bbr2::on_loss(const LossEvent& loss) {
  delivered_ = loss.delivered;
  if (loss.new_episode) {
    remember();
    recovering_ = fast_recovery_ = true;
  }
  Bytes lost = loss.lost - loss.bytes;
  for (const LostPacket& packet : loss.packets) {
    lost += packet.size;
    if (!loss_in_round_) loss_round_end_ = loss.delivered;
    loss_in_round_ = loss_in_cycle_ = true;
    if (!probe_samples_) continue;
    const Bytes since = lost - packet.lost_at_send;
    if (too_many_losses(since, packet.inflight_at_send))
      inflight_too_high(level_of_loss(packet, since, loss_threshold_), packet.app_limited, loss.now);
  }
}

void Bbr2::on_timeout(const TimeoutEvent& timeout) {
  delivered_ = timeout.delivered;
  if (!timeout.repeated) remember();
  recovering_ = true;
  fast_recovery_ = false;
  forget_full_pipe();
  // the bound is to be cut from the window of before
  if (!probing() && inflight_lo_ == Bytes::infinite()) inflight_lo_ = std::max(cwnd_, prior_cwnd_);
  cwnd_ = tcp_ ? timeout.inflight + mss_ : packets(kMinWindow);
}

void Bbr2::remember() {
  prior_cwnd_ = !recovering_ && state_ != State::probe_rtt ? cwnd_ : std::max(prior_cwnd_, cwnd_);
  before_loss_ = {.bw_lo = bw_lo_, .inflight_lo = inflight_lo_, .inflight_hi = inflight_hi_};
}

// The losses were none: take back what they taught.
void Bbr2::undo() {
  forget_full_pipe();
  loss_in_round_ = false;
  cwnd_ = std::max(cwnd_, prior_cwnd_);
  bw_lo_ = std::max(bw_lo_, before_loss_.bw_lo);
  inflight_lo_ = std::max(inflight_lo_, before_loss_.inflight_lo);
  inflight_hi_ = std::max(inflight_hi_, before_loss_.inflight_hi);
}

void Bbr2::follow_recovery(const AckEvent& ack) {
  const bool was = recovering_;
  fast_recovery_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
  recovering_ = fast_recovery_ || ack.recovery == Recovery::timeout;
  if (was && !recovering_) cwnd_ = std::max(cwnd_, prior_cwnd_);
}

void Bbr2::on_idle_restart(Time now) {
  idle_restart_ = true;
  aggregation_.restart(now);
  if (in_probe_bw()) {
    pace_ = bandwidth() * kMargin;
  } else if (state_ == State::probe_rtt && rest_.over(now)) {
    leave_probe_rtt(now);
  }
}

double Bbr2::pacing_gain() const {
  switch (state_) {
    case State::startup:
      return startup_gain_;
    case State::drain:
      return kDrainGain;
    case State::down:
      return constants_.down_gain;
    case State::up:
      return kUpGain;
    default:
      return 1;
  }
}

double Bbr2::cwnd_gain() const {
  switch (state_) {
    case State::startup:
    case State::drain:
      return constants_.startup_cwnd_gain;
    case State::up:
      return constants_.up_cwnd_gain;
    case State::probe_rtt:
      return kProbeRttCwndGain;
    default:
      return kCwndGain;
  }
}

Bytes Bbr2::bdp(Rate bw, double gain) const {
  if (!least_rtt_.known()) return initial_window_;
  return Bytes{static_cast<int64_t>(bw.bps * least_rtt_.get().to_seconds() * gain / 8)};
}

// Room for the bursts that offloading hosts send, receive and acknowledge at once.
Bytes Bbr2::with_budget(Bytes window) const {
  window = std::max(window, std::max(quantum_ * 3, packets(kMinWindow)));
  return state_ == State::up ? window + packets(kUpExtraPackets) : window;
}

// Leaves room below the bound for others.
Bytes Bbr2::with_headroom() const {
  if (inflight_hi_ == Bytes::infinite()) return inflight_hi_;
  return std::max(inflight_hi_ - std::max(mss_, scale(inflight_hi_, headroom_)), packets(kMinWindow));
}

Bytes Bbr2::inflight_at_next_send(const AckEvent& ack, Bytes inflight) const {
  const Duration wait = std::max(ack.next_send - ack.now, Duration::zero());
  if (pacing_gain() > 1) inflight += quantum_;
  return std::max(inflight - bandwidth().bytes_in(wait), Bytes::zero());
}

void Bbr2::set_pacing(Duration srtt) {
  if (!paced_by_rtt_ && srtt > Duration::zero()) {
    paced_by_rtt_ = true;
    pace_ = Rate::of(cwnd_, srtt) * (startup_gain_ * kMargin);
  }
  const Rate rate = bandwidth() * (pacing_gain() * kMargin);
  if (pipe_was_filled() || rate > pace_) pace_ = rate;
  quantum_ = mss_ * burst_segments(pace_, mss_);
}

void Bbr2::set_window(const AckEvent& ack) {
  const Bytes extra = std::min(aggregation_.extra(), bandwidth().bytes_in(kExtraAckedCap));
  const Bytes target = with_budget(bdp(bandwidth(), cwnd_gain()) + extra);
  if (pipe_was_filled()) {
    cwnd_ = std::min(cwnd_ + ack.acked_bytes, target);
  } else if (cwnd_ < target || cwnd_ < initial_window_ * 2) {
    cwnd_ += ack.acked_bytes;
  }
  cwnd_ = std::max(cwnd_, packets(kMinWindow));
  if (state_ == State::probe_rtt)
    cwnd_ = std::min(cwnd_, std::max(bdp(bandwidth(), kProbeRttCwndGain), packets(kMinWindow)));
  Bytes bound = Bytes::infinite();
  if (state_ == State::cruise || state_ == State::probe_rtt) {
    bound = with_headroom();
  } else if (in_probe_bw()) {
    bound = inflight_hi_;
  }
  cwnd_ = std::min(cwnd_, std::max(std::min(bound, inflight_lo_), packets(kMinWindow)));
}

BbrView Bbr2::view() const {
  return {.state = state_,
          .bw = bandwidth(),
          .max_bw = max_bw_.get(),
          .bw_short = bw_lo_,
          .bw_hi = bw_hi_,
          .inflight_short = inflight_lo_,
          .inflight_long = inflight_hi_,
          .min_rtt_ms = if_known(least_rtt_.known(), least_rtt_.get().to_millis()),
          .pacing_gain = pacing_gain(),
          .extra_acked = aggregation_.extra(),
          .pipe_full = pipe_was_filled(),
          .round_loss = round_loss_.share(),
          .ecn_alpha = if_known(marks_.eligible(), marks_.alpha())};
}

}  // namespace paceline
