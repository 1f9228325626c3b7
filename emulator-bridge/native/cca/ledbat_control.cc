#include "cca/ledbat.hh"

namespace paceline {
namespace {

Duration target_of(const Params& params) {
  const double given_ms = params.number("target_ms");
  if (given_ms > 0) return Duration::seconds(given_ms * 1e-3);
  const std::string_view profile = params.choice("profile");
  return Duration::millis(profile == "zeus" ? 25 : profile == "ledbat++" ? 60 : 100);
}

}  // namespace

Ledbat::Ledbat(const Setup& setup, const Params& params)
    : mss_{setup.mss},
      tcp_{setup.profile == TransportProfile::tcp},
      plus_{params.choice("profile") == "ledbat++"},
      round_trips_only_{params.choice("delay") == "rtt" || (params.choice("delay") == "auto" && plus_)},
      target_{target_of(params)},
      gain_{params.number("gain")},
      fixed_gain_{params.number("gain")},
      allowed_increase_{params.number("allowed_increase")},
      min_cwnd_{params.number("min_cwnd")},
      may_slow_start_{plus_ || params.flag("slow_start")},
      delays_{given_or(params, "base_history_min", 10), given_or(params, "filter_len", 4)},
      cwnd_{static_cast<double>(given_or(params, "init_cwnd", 2))},
      slow_start_{may_slow_start_} {}

void Ledbat::on_ack(const AckEvent& ack) {
  recovering_ = ack.recovery == Recovery::entered || ack.recovery == Recovery::in;
  if (ack.recovery == Recovery::undone) {
    cwnd_ = std::max(cwnd_, prior_cwnd_);
    ssthresh_ = std::max(ssthresh_, prior_ssthresh_);
  }
  if (ack.rtt) sample(ack);
  if (!delays_.known() || ack.acked_packets == 0) return;
  const double queueing = delays_.queueing().to_seconds();
  off_target_ = 1 - queueing / target_.to_seconds();
  if (recovering_) return;
  if (plus_ && slow_down(ack)) return;
  if (slow_start_) {
    grow_in_slow_start(ack);
  } else if (plus_) {
    follow_target_plus(ack);
  } else {
    follow_target(ack);
  }
  cwnd_ = std::max(cwnd_, min_cwnd_);
}

void Ledbat::sample(const AckEvent& ack) {
  one_way_ = ack.one_way.has_value() && !round_trips_only_;
  delays_.add(ack.now, one_way_ ? *ack.one_way : *ack.rtt);
  if (plus_) {
    const double base = std::max(delays_.base().to_seconds(), 1e-6);
    gain_ = fixed_gain_ / std::min(kMostGainDivisor, std::ceil(2 * target_.to_seconds() / base));
  }
}

// RFC 6817: a linear controller. At no queue one packet more per round trip, at twice the target one less.
void Ledbat::follow_target(const AckEvent& ack) {
  cwnd_ += gain_ * off_target_ * ack.acked_packets / cwnd_;
  // never far beyond what is really in flight: a flow without data does not gather a window
  cwnd_ = std::min(cwnd_, ack.inflight_before.in_packets(mss_) + allowed_increase_);
}

// LEDBAT++: additive increase below the target, multiplicative decrease above.
void Ledbat::follow_target_plus(const AckEvent& ack) {
  const double per_round = off_target_ >= 0 ? gain_ : std::max(gain_ + cwnd_ * off_target_, -cwnd_ / 2);
  if (per_round > 0 && !ack.window_limited) return;
  cwnd_ += per_round * ack.acked_packets / cwnd_;
}

void Ledbat::grow_in_slow_start(const AckEvent& ack) {
  const bool first = std::isinf(ssthresh_);
  const double ends = plus_ ? kPlusSlowStartEnds : kSlowStartEnds;
  if (first && 1 - off_target_ > ends) {
    slow_start_ = false;
    ssthresh_ = cwnd_;
    if (plus_) next_slowdown_ = ack.now + kFreezeRtts * ack.srtt;
    return;
  }
  if (!ack.window_limited) return;
  cwnd_ = std::min(cwnd_ + (plus_ ? gain_ : 1) * ack.acked_packets, ssthresh_);
  if (cwnd_ >= ssthresh_) slow_start_ = false;
}

// LEDBAT++ lets the queue run empty now and then, so that latecomers see the base delay. True: nothing else happens.
bool Ledbat::slow_down(const AckEvent& ack) {
  if (frozen_) {
    if (ack.now < freeze_end_) return true;
    frozen_ = false;
    slow_start_ = cwnd_ < ssthresh_;
  }
  if (slowing_down_ && !slow_start_) {  // back at the old window, or stopped by a loss on the way
    slowing_down_ = false;
    next_slowdown_ = ack.now + kSlowdownShare * (ack.now - slowdown_start_);
  }
  if (slowing_down_ || ack.now < next_slowdown_) return false;
  slowing_down_ = frozen_ = true;
  slowdown_start_ = ack.now;
  freeze_end_ = ack.now + kFreezeRtts * ack.srtt;
  next_slowdown_ = Time::never();
  ssthresh_ = std::max(cwnd_, min_cwnd_);
  cwnd_ = min_cwnd_;
  return true;
}

void Ledbat::on_loss(const LossEvent& loss) {
  if (!loss.new_episode) return;
  recovering_ = true;
  prior_cwnd_ = cwnd_;
  prior_ssthresh_ = ssthresh_;
  cwnd_ = std::min(cwnd_, std::max(cwnd_ / 2, min_cwnd_));
  ssthresh_ = cwnd_;
  if (plus_ && slow_start_ && !slowing_down_) next_slowdown_ = loss.now;  // the first slow start is over
  slow_start_ = frozen_ = false;
}

void Ledbat::on_timeout(const TimeoutEvent& timeout) {
  recovering_ = false;
  if (!timeout.repeated) {
    prior_cwnd_ = cwnd_;
    prior_ssthresh_ = ssthresh_;
    ssthresh_ = std::max(cwnd_ / 2, min_cwnd_);
  }
  cwnd_ = tcp_ ? 1 : 2;
  slow_start_ = may_slow_start_;
  frozen_ = false;
}

LedbatView Ledbat::view() const {
  return {.state = static_cast<std::size_t>(state()),
          .delays = delays_,
          .target = target_,
          .off_target = off_target_,
          .gain = gain_,
          .one_way = one_way_};
}

}  // namespace paceline
