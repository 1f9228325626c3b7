// What the sender does with an acknowledgement.

#include <algorithm>

#include "transport/quic.hh"

#include "transport/sender.hh"

namespace paceline {

inline void Sender::delivered(Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress) {
  progress.bytes += segment.bytes();
  ++progress.packets;
  bool original = false;
  if (segment.has(Segment::kRetransmitted | Segment::kEverLost)) [[unlikely]] {
    const bool before = progress.original;
    progress.original = false;
    delivered_again(segment, sequence, ack, now, progress);
    original = progress.original;
    progress.original |= before;
  } else {
    progress.oldest_sent = std::min(progress.oldest_sent, segment.sent);
    if (sequence < progress.highest_sacked_before) detection_.saw_reordering();
  }
  if (progress.newest == nullptr || segment.number > progress.newest->number) {
    progress.newest = &segment;
    progress.newest_sequence = sequence;
    progress.newest_is_original = original;
  }
  if (quic_) progress.oldest_number = std::min(progress.oldest_number, segment.number);
  if (needs_.acked_packets) {
    acked_.push_back({.number = segment.number,
                      .size = segment.bytes(),
                      .sent = segment.sent,
                      .rtt = now - segment.sent,
                      .one_way = ack.received - segment.sent,
                      .delivered_at_send = segment.delivered,
                      .tag = segment.tag,
                      .retransmission = segment.has(Segment::kRetransmitted)});
  }
}

// A segment of which more than one transmission, or one that was given up, may have arrived. The ACK names the transmission
// that called for it, and whether that was the second to arrive; of others, one that "took" less than the least RTT cannot
// have been the latest.
void Sender::delivered_again(Segment& segment, uint64_t sequence, const Ack& ack, Time now, Progress& progress) {
  const bool repeated = segment.has(Segment::kRetransmitted);
  bool original = !repeated;
  if (repeated) {
    original = ack.echo_sequence == sequence ? ack.duplicate || ack.echo_number < segment.number
                                             : now - segment.sent < rtt_.min_rtt();
    progress.retransmission = true;
  }
  if (segment.has(Segment::kLost)) {  // given up, but here it is
    ++counters_.spurious_packets;
    ++episode_spurious_;
    progress.original = true;
  } else if (segment.has(Segment::kEverLost)) {
    if (!original) return;
    ++counters_.spurious_packets;
    ++counters_.moot_packets;
    ++episode_spurious_;
    progress.original = true;
  } else if (!original && probe_out_ && probe_is_repeat_ && sequence == probed_sequence_) {
    progress.probe_repaired = true;
  }
}

std::optional<Duration> Sender::take_rtt(const Ack& ack, Time now, const Progress& progress) {
  const Segment& newest = *progress.newest;
  std::optional<Duration> rtt{};
  if (ack.echo_sequence == progress.newest_sequence) {
    rtt = now - ack.echo_sent;  // the timestamp says which transmission it was
  } else if (!newest.has(Segment::kRetransmitted)) {
    rtt = now - newest.sent;
  }
  if (rtt) {
    rtt_.least(*rtt);
    latest_rtt_ = *rtt;
    rtts_.add(*rtt, progress.packets);
  }
  if (quic_) {
    if (!rtt) return rtt;
    // RFC 9002 section 5.3: what the receiver waited is not the path's.
    const bool waited = ack.delayed && rtt_.known() && *rtt >= rtt_.min_rtt() + quic::kMaxAckDelay;
    const bool round_over = board_.una() > rtt_round_end_;
    if (round_over) rtt_round_end_ = board_.next();
    rtt_.sample(waited ? *rtt - quic::kMaxAckDelay : *rtt, round_over);
    return rtt;
  }
  // Smoothing takes the oldest packet, so that the timeout allows for delayed ACKs (RFC 7323 section 4.1; Linux).
  const bool once = !progress.retransmission && !progress.oldest_sent.is_never();
  if (const auto smooth = once ? std::optional{now - progress.oldest_sent} : rtt) {
    const bool round_over = board_.una() > rtt_round_end_;
    if (round_over) rtt_round_end_ = board_.next();
    rtt_.sample(*smooth, round_over);
  }
  return rtt;
}

// An acknowledgement that was overtaken knows of fewer marks than its sender does.
uint32_t Sender::newly_marked(const Ack& ack) {
  const auto marks = static_cast<int32_t>(ack.ce_packets - ce_seen_);
  if (marks <= 0) return 0;
  ce_seen_ = ack.ce_packets;
  return static_cast<uint32_t>(marks);
}

void Sender::on_ack(const Ack& ack, Time now) {
  if (ack.reply > 0) [[unlikely]] {
    on_reply(ack, now);
    if (ack.cumulative <= board_.una()) return;
  }
  const Bytes inflight_before = board_.inflight();
  const uint64_t una_before = board_.una();
  Progress progress{};
  progress.highest_sacked_before = board_.highest_sacked();
  acked_.clear();
  const auto take = [&](Segment& segment, uint64_t sequence) { delivered(segment, sequence, ack, now, progress); };
  board_.acknowledge(ack.cumulative, take);
  for (const SegmentRange range : ack.sacked()) board_.acknowledge(range, take);
  const bool advanced = board_.una() != una_before;
  if (advanced) source_.arrived(board_.una(), now);
  counters_.delivered_packets += progress.packets;
  rate_.on_delivered(progress.bytes);

  std::optional<Duration> rtt{};
  RateSample sample{};
  if (progress.newest != nullptr) {
    rtt = take_rtt(ack, now, progress);
    if (!progress.newest_is_original) detection_.delivered(*progress.newest, now - progress.newest->sent);
    sample = rate_.sample(*progress.newest, now, rtt_.min_rtt());
    if (sample.valid) delivery_rate_ = sample.rate;
  }
  if (!active_) return;

  if (advanced || (quic_ && progress.packets > 0)) consecutive_timeouts_ = 0;
  if (ack.duplicate) detection_.unnecessary_retransmission(board_.una(), board_.next());
  Recovery edge = leave_episode(progress, advanced, now);
  const bool retransmission_lost = detect_losses(now);
  const uint32_t marked = newly_marked(ack);
  settle_probe(ack, progress);
  // What was sent during the episode and lost, too, is a new episode (RFC 6675 section 5; Linux tcp_time_to_recover).
  const bool relapsed = !quic_ && edge == Recovery::exited && board_.unrepaired() > 0;
  if (!lost_.empty() || relapsed) {
    const bool new_episode = relapsed || starts_episode(retransmission_lost);
    if (new_episode) {
      enter_episode(now, inflight_before);
      edge = Recovery::entered;
    } else {
      episode_lost_ += lost_.size();
    }
    controller_->on_loss(losses(now, inflight_before, new_episode));
    if (quic_ && persistent_congestion(progress)) {
      collapse(now, inflight_before);
      edge = Recovery::none;
    }
    refresh();
  } else if (answers_marks_ && marked > 0 && phase_ == Phase::open) {
    enter_reduction(now, inflight_before, marked);
    edge = Recovery::entered;
  }
  if (phase_ == Phase::episode && needs_.prr && (progress.packets > 0 || edge == Recovery::entered))
    prr_window_ = prr_.window(progress.bytes, board_.inflight(), ssthresh_, advanced && lost_.empty(), mss_);
  if (edge == Recovery::none) edge = pending_edge_;
  if (edge == Recovery::none && phase_ == Phase::episode) edge = Recovery::in;
  if (edge == Recovery::none && phase_ == Phase::timeout) edge = Recovery::timeout;
  pending_edge_ = Recovery::none;

  if (progress.packets > 0 || marked > 0 || ack.feedback_size > 0 || edge != Recovery::none) {
    controller_->on_ack({.now = now,
                         .acked_bytes = progress.bytes,
                         .acked_packets = progress.packets,
                         .packets = acked_,
                         .rtt = rtt,
                         .one_way = rtt ? std::optional{*rtt - (now - ack.received)} : std::nullopt,
                         .newest_number = progress.newest ? progress.newest->number : 0,
                         .next_number = board_.next_number(),
                         .srtt = rtt_.srtt(),
                         .rttvar = rtt_.rttvar(),
                         .min_rtt = rtt_.min_rtt(),
                         .rate = sample,
                         .delivered = rate_.delivered(),
                         .lost = rate_.lost(),
                         .inflight_before = inflight_before,
                         .inflight = board_.inflight(),
                         .lost_packets = static_cast<uint32_t>(lost_.size()),
                         .window_limited = usage_.limited(slow_start_, cwnd_, mss_, inflight_before, rtt_.srtt(), now),
                         .delayed = ack.delayed,
                         .ce_packets = marked,
                         .recovery = edge,
                         .next_send = pacer_.next(),
                         .feedback = {ack.feedback.data(), ack.feedback_size}});
    refresh();
    if (controller_->limits_itself()) rate_.mark_app_limited(board_.inflight());
    note_phase(now);
  }

  if (progress.newest != nullptr && !progress.newest_is_original)
    largest_acked_ = std::max(largest_acked_, progress.newest->number + 1);
  if (progress.probe_repaired && edge == Recovery::entered &&
      !quic_) {  // repaired already: the next ACK reports the end
    end_episode(now);
    pending_edge_ = Recovery::exited;
  }

  // A head whose retransmission is still young keeps its timer when only later data arrives (Linux).
  const bool head_settled =
      progress.newest != nullptr && !board_.empty() && progress.newest->sent <= board_[board_.una()].sent;
  if (quic_) {
    progressed_ |= progress.packets > 0;
  } else if (advanced || head_settled) {
    rto_deadline_ = board_.empty() ? Time::never() : now + rtt_.rto();
    progressed_ = true;
  }
}

Recovery Sender::leave_episode(const Progress& progress, bool advanced, Time now) {
  if (phase_ == Phase::open) return Recovery::none;
  if (quic_) {  // RFC 9002 section 7.3.2
    const bool later = progress.newest != nullptr && !progress.newest_is_original;
    if (!later || progress.newest->number < recovery_number_) return Recovery::none;
    end_episode(now);
    return Recovery::exited;
  }
  if (phase_ == Phase::timeout) {
    if (progress.original && may_be_spurious_) {
      take_back_losses();
      end_episode(now);
      return Recovery::undone;
    }
    if (advanced && !progress.original) {
      may_be_spurious_ = false;
      detection_.release();
    }
  } else if (!begun_by_marks_ && episode_lost_ > 0 && episode_spurious_ >= episode_lost_) {
    end_episode(now);
    return Recovery::undone;
  }
  if (board_.una() < recovery_point_) return Recovery::none;
  end_episode(now);
  return Recovery::exited;
}

void Sender::end_episode(Time now) {
  phase_ = Phase::open;
  detection_.release();
  detection_.episode_ended();
  observer_->on_recovered(now, episode_lost_);
}

// The timeout was spurious (F-RTO): what it gave up is still under way.
void Sender::take_back_losses() {
  for (uint64_t i = board_.una(); i < board_.next(); ++i) {
    if (!board_[i].has(Segment::kLost)) continue;
    board_.take_back(i);
    ++counters_.spurious_packets;
  }
  detection_.resume();
}

void Sender::settle_probe(const Ack& ack, const Progress& progress) {
  if (!probe_out_) return;
  if (progress.probe_repaired) {
    // The probe arrived and what it repeated did not: one loss, one reduction (RFC 8985 section 7.4).
    --counters_.moot_packets;
    ++counters_.lost_packets;
    rate_.on_lost(probed_.bytes());
    lost_.push_back({.number = probed_.number,
                     .size = probed_.bytes(),
                     .sent = probed_.sent,
                     .tag = probed_.tag,
                     .inflight_at_send = Bytes{probed_.inflight},
                     .lost_at_send = probed_.lost,
                     .delivered_at_send = probed_.delivered,
                     .app_limited = probed_.has(Segment::kAppLimited)});
  }
  if (progress.probe_repaired || ack.duplicate || board_.una() >= probe_end_) probe_out_ = false;
}

bool Sender::detect_losses(Time now) {
  lost_.clear();
  reordering_deadline_ = Time::never();
  if (board_.sacked() == 0 && board_.retransmitted() == 0 && !(quic_ && probe_out_)) {
    detection_.settled(board_.empty() ? board_.next_number() : board_[board_.una()].number);
    return false;
  }
  bool retransmission = false;
  reordering_deadline_ =
      detection_.detect(board_, rtt_, phase_ != Phase::open, now, [&](uint64_t sequence, Segment& segment) {
        retransmission |= segment.has(Segment::kRetransmitted);
        give_up(sequence, segment);
      });
  return retransmission;
}

void Sender::give_up(uint64_t sequence, Segment& segment) {
  board_.declare_lost(sequence);
  rate_.on_lost(segment.bytes());
  ++counters_.lost_packets;
  lost_.push_back({.number = segment.number,
                   .size = segment.bytes(),
                   .sent = segment.sent,
                   .tag = segment.tag,
                   .inflight_at_send = Bytes{segment.inflight},
                   .lost_at_send = segment.lost,
                   .delivered_at_send = segment.delivered,
                   .app_limited = segment.has(Segment::kAppLimited)});
}

// QUIC: losses of what was sent before the last episode began belong to that one, even when it is over.
bool Sender::starts_episode(bool retransmission_lost) const {
  if (phase_ == Phase::timeout) return retransmission_lost;
  if (phase_ != Phase::open) return false;
  return !quic_ || std::ranges::any_of(lost_, [&](const LostPacket& p) { return p.number >= recovery_number_; });
}

// RFC 9002 section 7.6: of all that was sent over so long a time nothing arrived. Looked for between what had arrived before this
// ACK and the least that it acknowledges.
bool Sender::persistent_congestion(const Progress& progress) const {
  Time first = Time::never();
  Time last{};
  for (const LostPacket& packet : lost_) {
    if (packet.number < largest_acked_ || packet.number > progress.oldest_number) continue;
    first = std::min(first, packet.sent);
    last = std::max(last, packet.sent);
  }
  return largest_acked_ > 0 && !first.is_never() &&
         last - first > quic::probe_timeout(rtt_.srtt(), rtt_.rttvar()) * quic::kPersistentCongestion;
}

// Persistent congestion: the window starts again, whatever is in flight, and nothing of the past counts as an episode.
void Sender::collapse(Time now, Bytes inflight_before) {
  ++counters_.timeouts;
  controller_->on_timeout({.now = now,
                           .inflight_before = inflight_before,
                           .inflight = Bytes::zero(),
                           .delivered = rate_.delivered(),
                           .lost = rate_.lost(),
                           .repeated = true});
  if (phase_ == Phase::episode) end_episode(now);
  recovery_number_ = 0;
  observer_->on_timeout(now);
}

void Sender::enter_episode(Time now, Bytes inflight_before) {
  phase_ = Phase::episode;
  recovery_point_ = board_.next();
  recovery_number_ = board_.next_number();
  begun_by_marks_ = false;
  episode_lost_ = lost_.size();
  episode_spurious_ = 0;
  probe_deadline_ = Time::never();
  prr_.enter(inflight_before);
  ++counters_.loss_episodes;
  observer_->on_episode(now, episode_lost_);
}

// As to a loss, and no more than once per round trip (RFC 3168 section 6.1.2; Linux tcp_enter_cwr).
void Sender::enter_reduction(Time now, Bytes inflight_before, uint32_t marks) {
  phase_ = Phase::episode;
  recovery_point_ = board_.next();
  recovery_number_ = board_.next_number();
  begun_by_marks_ = true;
  episode_lost_ = episode_spurious_ = 0;
  prr_.enter(inflight_before);
  observer_->on_marks(now, marks);
  controller_->on_loss(losses(now, inflight_before, true));
  refresh();
}

LossEvent Sender::losses(Time now, Bytes inflight_before, bool new_episode) const {
  Bytes bytes{};
  for (const LostPacket& packet : lost_) bytes += packet.size;
  return {.now = now,
          .bytes = bytes,
          .packet_count = static_cast<uint32_t>(lost_.size()),
          .packets = lost_,
          .new_episode = new_episode,
          .inflight_before = inflight_before,
          .inflight = board_.inflight(),
          .delivered = rate_.delivered(),
          .lost = rate_.lost()};
}

}  // namespace paceline
