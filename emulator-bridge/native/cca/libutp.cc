#include "cca/libutp.hh"

namespace paceline {

LibUtp::LibUtp(const Setup& setup, const Params& params)
    : packet_{static_cast<double>(setup.mss.v)},
      round_trips_only_{params.choice("delay") == "rtt"},
      target_{Duration::seconds((params.number("target_ms") > 0 ? params.number("target_ms") : 100) * 1e-3)},
      gain_{params.number("gain")},
      delays_{given_or(params, "base_history_min", 13), given_or(params, "filter_len", 3)},
      window_{packet_ * static_cast<double>(given_or(params, "init_cwnd", 1))},
      limited_{setup.now} {}

void LibUtp::on_ack(const AckEvent& ack) {
  if (ack.window_limited) limited_ = ack.now;
  if (ack.rtt) {
    one_way_ = ack.one_way.has_value() && !round_trips_only_;
    const Duration raw = one_way_ ? *ack.one_way : *ack.rtt;
    delays_.add(ack.now, raw);
    drift_.add(ack.now, raw);
  }
  if (!delays_.known() || ack.acked_packets == 0) return;
  Duration delay = delays_.queueing();
  if (ack.rtt) delay = std::min(delay, *ack.rtt);  // a queue cannot be longer than the round trip through it
  delay += drift_.penalty();
  off_target_ = 1 - delay.to_seconds() / target_.to_seconds();

  const auto acked = static_cast<double>(ack.acked_bytes.v);
  const double share = std::min(acked, window_) / std::max(acked, window_);  // of a round trip
  double change = kGainBytes * gain_ * share * off_target_;
  if (change > 0 && ack.now - limited_ > kUnusedAfter) change = 0;
  const double followed = std::max(window_ + change, kLeastWindow);
  if (slow_start_) {
    const double grown = window_ + share * packet_;
    if (grown > ssthresh_) {
      slow_start_ = false;
    } else if (1 - off_target_ > kSlowStartEnds) {
      slow_start_ = false;
      ssthresh_ = window_;
    } else {
      window_ = std::max(grown, followed);
    }
  } else {
    window_ = followed;
  }
  const bool silent = window_ < packet_ && ack.inflight == Bytes::zero();
  resume_ = silent ? ack.now + std::max(ack.srtt + 4 * ack.rttvar, kLeastTimeout) : Time::never();
}

void LibUtp::on_loss(const LossEvent& loss) {
  if (!ever_decayed_ || loss.now - decayed_ >= kBetweenDecays) {
    ever_decayed_ = true;
    decayed_ = loss.now;
    window_ = std::max(window_ / 2, kLeastWindow);
    slow_start_ = false;
    ssthresh_ = window_;
  }
  // Also when the window stays as it is: nothing else will come that could open it.
  if (window_ < packet_ && loss.inflight == Bytes::zero()) resume_ = loss.now + kLeastTimeout;
}

void LibUtp::on_timeout(const TimeoutEvent&) { restart_from_one_packet(); }

// The window had become too small to send anything for the time of a timeout: begin again.
void LibUtp::on_tick(Time) { restart_from_one_packet(); }

LedbatView LibUtp::view() const {
  return {.state = slow_start_ ? 0U : 1U,
          .delays = delays_,
          .target = target_,
          .off_target = off_target_,
          .gain = kGainBytes * gain_ / packet_,
          .one_way = one_way_};
}

}  // namespace paceline
