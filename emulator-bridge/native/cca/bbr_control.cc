#include "cca/bbr.hh"

namespace paceline {

void Bbr::on_ack(const AckEvent& ack) {
  if (ack.recovery == Recovery::undone) {
    full_pipe_.forget();
    policer_.reset(policer_sample(ack));
  }
  update_bandwidth(ack);
  if (use_aggregation_ && ack.rate.valid && ack.acked_packets > 0) {
    aggregation_.update(ack.now, round_start_, ack.acked_bytes, bandwidth(), mss_ * cwnd_);
  }
  if (mode_ == Mode::probe_bw && phase_is_over(ack)) cycle_.advance(ack.now);
  if (round_start_ && !ack.rate.app_limited) full_pipe_.round(max_bw_.get());
  check_drained(ack);
  update_min_rtt(ack);
  set_gains();
  set_pacing(ack.srtt);
  set_window(ack);
}

void Bbr::on_timeout(const TimeoutEvent& timeout) {
  if (!timeout.repeated) save_window();
  // RFC 9002's persistent congestion leaves a larger window than an RTO
  cwnd_ = tcp_ ? timeout.inflight.v / mss_.v + 1 : kMinWindow;
  stack_ = Stack::timeout;
  full_pipe_.restart();
  round_start_ = true;
  const bool expired = policer_.sample({.now = timeout.now,
                                        .delivered = timeout.delivered,
                                        .lost = timeout.lost,
                                        .any_loss = true,
                                        .app_limited = false,
                                        .round_start = true,
                                        .probing_bw = mode_ == Mode::probe_bw});
  if (expired) enter_probe_bw(timeout.now);
}

void Bbr::on_idle_restart(Time now) {
  idle_restart_ = true;
  aggregation_.restart(now);
  if (mode_ == Mode::probe_bw) {
    pace_ = bandwidth() * margin_;
  } else if (mode_ == Mode::probe_rtt && rest_.over(now)) {
    leave_probe_rtt(now);
  }
}

// 1. Bandwidth: the largest delivery-rate sample of the last ten packet-timed round trips.
void Bbr::update_bandwidth(const AckEvent& ack) {
  round_start_ = false;
  if (!ack.rate.valid) return;
  if (ack.rate.prior_delivered >= next_round_) {
    next_round_ = ack.delivered;
    ++round_;
    round_start_ = true;
    conserving_ = false;
  }
  if (policer_.sample(policer_sample(ack))) enter_probe_bw(ack.now);
  if (!ack.rate.app_limited || ack.rate.rate >= max_bw_.get()) max_bw_.update(round_, ack.rate.rate);
}

BbrPolicer::Sample Bbr::policer_sample(const AckEvent& ack) const {
  return {.now = ack.now,
          .delivered = ack.delivered,
          .lost = ack.lost,
          .any_loss = ack.lost_packets > 0,
          .app_limited = ack.rate.app_limited,
          .round_start = round_start_,
          .probing_bw = mode_ == Mode::probe_bw};
}

// 2. PROBE_BW: when does the current phase of the gain cycle end?
bool Bbr::phase_is_over(const AckEvent& ack) const {
  const bool full_length = ack.now - cycle_.since() > min_rtt_;
  if (pacing_gain_ == 1) return full_length;
  const int64_t inflight = packets_at_next_send(ack, ack.inflight_before);
  if (pacing_gain_ > 1) return full_length && (ack.lost_packets > 0 || inflight >= target_inflight(pacing_gain_));
  return full_length || inflight <= target_inflight(1);
}

void Bbr::enter_probe_bw(Time now) {
  mode_ = Mode::probe_bw;
  cycle_.start(now, random_);
}

// 3. STARTUP ends in DRAIN, which ends when what is in flight fits the path again.
void Bbr::check_drained(const AckEvent& ack) {
  if (mode_ == Mode::startup && full_pipe_.reached()) mode_ = Mode::drain;
  if (mode_ == Mode::drain && packets_at_next_send(ack, ack.inflight) <= target_inflight(1)) enter_probe_bw(ack.now);
}

// 4. Least RTT of the last ten seconds. When none was lower for so long, PROBE_RTT empties the queue to see it; that the same was seen
// again does not count (Linux 1b9e2a8c99a5; the draft lets it).
void Bbr::update_min_rtt(const AckEvent& ack) {
  const bool expired = ack.now > min_rtt_stamp_ + min_rtt_window_;
  if (ack.rtt && (*ack.rtt < min_rtt_ || (expired && !ack.delayed))) {
    min_rtt_ = *ack.rtt;
    min_rtt_stamp_ = ack.now;
  }
  if (expired && !idle_restart_ && mode_ != Mode::probe_rtt) {
    mode_ = Mode::probe_rtt;
    save_window();
    rest_.enter();
  }
  if (mode_ == Mode::probe_rtt) {
    if (!rest_.low()) {
      if (ack.inflight <= mss_ * kMinWindow) {
        rest_.begin(ack.now + probe_rtt_time_);
        next_round_ = ack.delivered;
      }
    } else {
      if (round_start_) rest_.round();
      if (rest_.round_done() && rest_.over(ack.now)) leave_probe_rtt(ack.now);
    }
  }
  if (ack.rate.valid && ack.rate.delivered > Bytes::zero()) idle_restart_ = false;
}

void Bbr::leave_probe_rtt(Time now) {
  min_rtt_stamp_ = now;
  cwnd_ = std::max(cwnd_, prior_cwnd_);
  if (full_pipe_.reached()) {
    enter_probe_bw(now);
  } else {
    mode_ = Mode::startup;
  }
}

void Bbr::set_gains() {
  switch (mode_) {
    case Mode::startup:
      pacing_gain_ = cwnd_gain_ = kHighGain;
      break;
    case Mode::drain:
      pacing_gain_ = kDrainGain;
      cwnd_gain_ = kHighGain;
      break;
    case Mode::probe_bw:
      pacing_gain_ = policer_.in_use() ? 1 : cycle_.gain();
      cwnd_gain_ = steady_cwnd_gain_;
      break;
    case Mode::probe_rtt:
      pacing_gain_ = cwnd_gain_ = 1;
      break;
  }
}

void Bbr::set_pacing(Duration srtt) {
  if (!paced_by_rtt_ && srtt > Duration::zero()) {
    paced_by_rtt_ = true;
    pace_from_window(srtt);
  }
  const Rate rate = bandwidth() * (pacing_gain_ * margin_);
  if (full_pipe_.reached() || rate > pace_) pace_ = rate;
}

void Bbr::set_window(const AckEvent& ack) {
  const int64_t acked = ack.acked_packets;
  if (acked > 0 && !recover_or_restore(ack, acked)) {
    const int64_t surplus =
        full_pipe_.reached() && use_aggregation_
            ? (std::min(aggregation_.extra(), bandwidth().bytes_in(kExtraAckedCap)).v + mss_.v - 1) / mss_.v
            : 0;
    const int64_t target = with_burst_budget(bdp_packets(bandwidth(), cwnd_gain_) + surplus);
    if (full_pipe_.reached()) {
      cwnd_ = std::min(cwnd_ + acked, target);
    } else if (cwnd_ < target || ack.delivered < mss_ * initial_window_) {
      cwnd_ += acked;
    }
    cwnd_ = std::max(cwnd_, kMinWindow);
  }
  if (mode_ == Mode::probe_rtt) cwnd_ = std::min(cwnd_, kMinWindow);
}

// In the first round of loss recovery only what was delivered may be sent again; on the way out the window of before
// returns. True: the window is settled for this ACK.
bool Bbr::recover_or_restore(const AckEvent& ack, int64_t acked) {
  const Stack now = ack.recovery == Recovery::entered || ack.recovery == Recovery::in ? Stack::recovery
                    : ack.recovery == Recovery::timeout                               ? Stack::timeout
                                                                                      : Stack::open;
  if (ack.lost_packets > 0) cwnd_ = std::max<int64_t>(cwnd_ - ack.lost_packets, 1);
  const int64_t inflight = packets(ack.inflight);
  if (now == Stack::recovery && stack_ != Stack::recovery) {
    conserving_ = true;
    next_round_ = ack.delivered;
    cwnd_ = inflight + acked;
  } else if (now == Stack::open && stack_ != Stack::open) {
    cwnd_ = std::max(cwnd_, prior_cwnd_);
    conserving_ = false;
  }
  stack_ = now;
  if (conserving_) cwnd_ = std::max(cwnd_, inflight + acked);
  return conserving_;
}

int64_t Bbr::bdp_packets(Rate bw, double gain) const {
  if (!has_min_rtt()) return kWindowWithoutRtt;
  return static_cast<int64_t>(std::ceil(bw.bps * min_rtt_.to_seconds() * gain / (8 * static_cast<double>(mss_.v))));
}

// Room for one burst each at the sender's pacer, in its host, and at the receiver; even, for delayed ACKs.
int64_t Bbr::with_burst_budget(int64_t window) const {
  window += 3 * segments_at_once();
  window = (window + 1) & ~int64_t{1};
  return mode_ == Mode::probe_bw && cycle_.phase() == 0 ? window + 2 : window;
}

// What will be in flight when the pacer releases the next packet.
int64_t Bbr::packets_at_next_send(const AckEvent& ack, Bytes inflight) const {
  const Duration wait = std::max(ack.next_send - ack.now, Duration::zero());
  const int64_t delivered = bandwidth().bytes_in(wait).v / mss_.v;
  const int64_t level = packets(inflight) + (pacing_gain_ > 1 ? segments_at_once() : 0);
  return std::max<int64_t>(level - delivered, 0);
}

}  // namespace paceline
