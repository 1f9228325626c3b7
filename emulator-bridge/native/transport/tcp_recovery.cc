#include "transport/tcp_recovery.hh"

#include <algorithm>

namespace paceline {
namespace {

// A lone packet's ACK may be held back by a delayed-ACK timer of up to this long (RFC 8985 section 7.2).
constexpr Duration kLonePacketPatience = Duration::millis(200);

}  // namespace

// Smoothing takes the oldest packet, so that the timeout allows for delayed ACKs (RFC 7323 section 4.1; Linux).
void TcpRecovery::smooth(const Ack&, const std::optional<Duration>& rtt, const Progress& progress, Time now) {
  if (!progress.retransmission && !progress.oldest_sent.is_never()) {
    c_.rtt.sample(now - progress.oldest_sent, round_over());
  } else if (rtt) {
    c_.rtt.sample(*rtt, round_over());
  }
}

Recovery TcpRecovery::leave(const Progress& progress, Time now) {
  if (phase_ == Phase::timeout) {
    if (progress.original && may_be_spurious_) {
      take_back_losses();
      end_episode(now);
      return Recovery::undone;
    }
    if (progress.advanced && !progress.original) {
      may_be_spurious_ = false;
      order_.release();
    }
  } else if (!begun_by_marks_ && lost_ > 0 && spurious_ >= lost_) {
    end_episode(now);
    return Recovery::undone;
  }
  if (c_.board.una() < recovery_point_) return Recovery::none;
  end_episode(now);
  return Recovery::exited;
}

// The timeout was spurious (F-RTO): what it gave up is still under way.
void TcpRecovery::take_back_losses() {
  for (uint64_t i = c_.board.una(); i < c_.board.next(); ++i) {
    if (!c_.board[i].has(Segment::kLost)) continue;
    c_.board.take_back(i);
    ++c_.counters.spurious_packets;
  }
  order_.resume();
}

void TcpRecovery::acknowledged(const Progress& progress, Recovery edge, Time now) {
  if (progress.probe_repaired && edge == Recovery::entered) {  // repaired already: the next ACK reports the end
    end_episode(now);
    announce(Recovery::exited);
  }
  // A head whose retransmission is still young keeps its timer when only later data arrives (Linux).
  const bool head_settled =
      progress.newest != nullptr && !c_.board.empty() && progress.newest->sent <= c_.board[c_.board.una()].sent;
  if (progress.advanced || head_settled) {
    timeout_deadline_ = c_.board.empty() ? Time::never() : now + c_.rtt.rto();
    progressed_ = true;
  }
  // RFC 8985 section 7.2: RACK watches over a gap. The last segment, which a probe would repeat, may have arrived.
  if (c_.board.sacked() > 0) [[unlikely]] {
    probe_deadline_ = Time::never();
    probe_due_ = false;
  }
}

bool TcpRecovery::on_timeout(Time now) {
  // The window is reduced once per window of data (Linux tcp_enter_loss).
  const bool repeated =
      phase_ != Phase::open && c_.board.una() < recovery_point_ && (phase_ == Phase::episode || timeouts_in_a_row_ > 0);
  const Duration patience = order_.rtt() + window_.length(c_.board, c_.rtt, phase_ != Phase::open);
  order_.hold();
  c_.lost.clear();
  for (uint64_t i = c_.board.una(); i < c_.board.next(); ++i) {
    Segment& segment = c_.board[i];
    if (!segment.in_flight()) continue;
    // What was sent recently may still arrive: the timeout says nothing about it.
    if (i != c_.board.una() && segment.sent + patience > now) continue;
    c_.give_up(i, segment);
  }
  c_.board.requeue_lost();

  if (phase_ == Phase::open) lost_ = spurious_ = 0;
  lost_ += c_.lost.size();
  phase_ = Phase::timeout;
  recovery_point_ = c_.board.next();
  may_be_spurious_ = true;
  pending_ = Recovery::none;
  probe_out_ = probe_due_ = false;
  probe_deadline_ = reordering_deadline_ = Time::never();
  ++timeouts_in_a_row_;
  return repeated;
}

void TcpRecovery::arm_probe(Time now) {
  if (phase_ != Phase::open || c_.board.empty() || c_.board.sacked() > 0 || c_.board.lost() > 0 || probe_out_) {
    probe_deadline_ = Time::never();
    return;
  }
  Duration wait = c_.rtt.known() ? c_.rtt.srtt() * 2 : RttEstimator::kInitialRto;
  if (c_.board.outstanding() == 1) wait += kLonePacketPatience;
  probe_deadline_ = std::min(now + wait, timeout_deadline_);
}

}  // namespace paceline
