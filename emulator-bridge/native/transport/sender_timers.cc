// What the sender does when time passes: reordering timer, tail loss probe, retransmission timeout (RFC 8985, RFC 6298), and QUIC's
// probe timeout (RFC 9002 section 6.2).

#include <algorithm>

#include "transport/quic.hh"
#include "transport/sender.hh"

namespace paceline {
namespace {

// A lone packet's ACK may be held back by a delayed-ACK timer of up to this long (RFC 8985 section 7.2).
constexpr Duration kLonePacketPatience = Duration::millis(200);

}  // namespace

void Sender::on_timer(Time now) {
  if (start_ <= now) start(now);
  if (stop_ <= now) stop(now);
  if (opening_.under_way()) opening_.on_timer(now);
  if (!active_) return;
  if (reordering_deadline_ <= now) reordering_timeout(now);
  if (probe_deadline_ <= now) probe_timeout(now);
  if (rto_deadline_ <= now) retransmission_timeout(now);
  if (tick_ <= now) {
    controller_->on_tick(now);
    refresh();
    note_phase(now);
  }
  if (source_.tick() <= now) source_.on_tick(now, media_rate());
}

void Sender::arm_quic_probe() {
  if (board_.inflight_packets() == 0 || !reordering_deadline_.is_never()) {
    probe_deadline_ = Time::never();
    return;
  }
  const Duration wait = rtt_.known() ? quic::probe_timeout(rtt_.srtt(), rtt_.rttvar()) : quic::kInitialTimeout;
  probe_deadline_ = last_sent_ + wait * (int64_t{1} << std::min(consecutive_timeouts_, quic::kMaxTimeoutDoublings));
}

void Sender::arm_probe(Time now) {
  if (quic_) return arm_quic_probe();
  if (phase_ != Phase::open || board_.empty() || board_.sacked() > 0 || board_.lost() > 0 || probe_out_) {
    probe_deadline_ = Time::never();
    return;
  }
  Duration wait = rtt_.known() ? rtt_.srtt() * 2 : RttEstimator::kInitialRto;
  if (board_.outstanding() == 1) wait += kLonePacketPatience;
  probe_deadline_ = std::min(now + wait, rto_deadline_);
}

void Sender::reordering_timeout(Time now) {
  const Bytes inflight_before = board_.inflight();
  const bool retransmission_lost = detect_losses(now);
  progressed_ |= quic_;  // the probe timeout waited for this
  if (lost_.empty()) return;
  const bool new_episode = starts_episode(retransmission_lost);
  if (new_episode) {
    enter_episode(now, inflight_before);
    pending_edge_ = Recovery::entered;
  }
  controller_->on_loss(losses(now, inflight_before, new_episode));
  refresh();
  if (new_episode) prr_window_ = prr_.window(Bytes::zero(), board_.inflight(), ssthresh_, false, mss_);
  note_phase(now);
}

void Sender::probe_timeout(Time now) {
  probe_deadline_ = Time::never();
  probe_ = true;
  if (quic_) {
    ++consecutive_timeouts_;
  } else {
    rto_deadline_ = now + rtt_.rto();
  }
}

void Sender::retransmission_timeout(Time now) {
  const Bytes inflight_before = board_.inflight();
  // The window is reduced once per window of data (Linux tcp_enter_loss).
  const bool repeated = phase_ != Phase::open && board_.una() < recovery_point_ &&
                        (phase_ == Phase::episode || consecutive_timeouts_ > 0);
  const bool in_episode = phase_ != Phase::open;
  detection_.hold();
  lost_.clear();
  for (uint64_t i = board_.una(); i < board_.next(); ++i) {
    Segment& segment = board_[i];
    if (!segment.in_flight()) continue;
    if (i != board_.una() && detection_.recent(segment, board_, rtt_, in_episode, now)) continue;
    give_up(i, segment);
  }
  board_.requeue_lost();

  if (phase_ == Phase::open) episode_lost_ = episode_spurious_ = 0;
  episode_lost_ += lost_.size();
  phase_ = Phase::timeout;
  recovery_point_ = board_.next();
  may_be_spurious_ = true;
  pending_edge_ = Recovery::none;
  probe_out_ = probe_ = false;
  probe_deadline_ = reordering_deadline_ = Time::never();
  ++consecutive_timeouts_;
  ++counters_.timeouts;

  controller_->on_timeout({.now = now,
                           .inflight_before = inflight_before,
                           .inflight = board_.inflight(),
                           .delivered = rate_.delivered(),
                           .lost = rate_.lost(),
                           .repeated = repeated});
  if (!lost_.empty()) controller_->on_loss(losses(now, inflight_before, false));
  rtt_.back_off();
  rto_deadline_ = now + rtt_.rto();
  force_ = true;
  refresh();
  observer_->on_timeout(now);
  note_phase(now);
}

}  // namespace paceline
