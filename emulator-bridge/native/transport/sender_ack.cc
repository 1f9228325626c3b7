// What the sender does with an acknowledgement.

#include <algorithm>

#include "transport/sender.hh"

namespace paceline {

template <typename R>
[[gnu::always_inline]] inline void Sender::delivered(R& rules, Segment& segment, uint64_t sequence, const Ack& ack,
                                                     Time now, Progress& progress) {
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
    if (sequence < progress.sacked_before) rules.saw_reordering();
  }
  if (progress.newest == nullptr || segment.number > progress.newest->number) {
    progress.newest = &segment;
    progress.newest_sequence = sequence;
    progress.newest_is_original = original;
  }
  if constexpr (std::is_same_v<R, QuicRecovery>)
    progress.oldest_number = std::min(progress.oldest_number, segment.number);
  if (c_.needs.acked_packets) {
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
                                             : now - segment.sent < c_.rtt.min_rtt();
    progress.retransmission = true;
  }
  if (segment.has(Segment::kLost)) {  // given up, but here it is
    ++c_.counters.spurious_packets;
    recovery_.given_up_wrongly();
    progress.original = true;
  } else if (segment.has(Segment::kEverLost)) {
    if (!original) return;
    ++c_.counters.spurious_packets;
    ++c_.counters.moot_packets;
    recovery_.given_up_wrongly();
    progress.original = true;
  } else if (!original && recovery_.probe_repaired(sequence)) {
    progress.probe_repaired = true;
  }
}

template <typename R>
[[gnu::always_inline]] inline void Sender::take_rtt(R& rules, const Ack& ack, Time now, const Progress& progress) {
  const Segment& newest = *progress.newest;
  event_.rtt.reset();
  if (ack.echo_sequence == progress.newest_sequence) {
    event_.rtt = now - ack.echo_sent;  // the timestamp says which transmission it was
  } else if (!newest.has(Segment::kRetransmitted)) {
    event_.rtt = now - newest.sent;
  }
  if (event_.rtt) {
    c_.rtt.least(*event_.rtt);
    latest_rtt_ = *event_.rtt;
    rtts_.add(*event_.rtt, progress.packets);
  }
  rules.smooth(ack, event_.rtt, progress, now);
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
    open_window();
    if (ack.cumulative <= c_.board.una()) return;
  }
  by_rules([&](auto& rules) { acknowledge(rules, ack, now); });
  open_window();
}

template <typename R>
void Sender::acknowledge(R& rules, const Ack& ack, Time now) {
  const Bytes inflight_before = c_.board.inflight();
  const uint64_t una_before = c_.board.una();
  Progress progress{};
  progress.sacked_before = c_.board.highest_sacked();
  acked_.clear();
  const auto take = [&](Segment& segment, uint64_t sequence) {
    delivered(rules, segment, sequence, ack, now, progress);
  };
  c_.board.acknowledge(ack.cumulative, take);
  for (const SegmentRange range : ack.sacked()) c_.board.acknowledge(range, take);
  progress.advanced = c_.board.una() != una_before;
  if (progress.advanced) source_.arrived(c_.board.una(), now);
  c_.counters.delivered_packets += progress.packets;
  c_.rate.on_delivered(progress.bytes);

  if (progress.newest != nullptr) [[likely]] {
    take_rtt(rules, ack, now, progress);
    if (!progress.newest_is_original) rules.newest_arrived(*progress.newest, now - progress.newest->sent);
    c_.rate.sample(*progress.newest, now, c_.rtt.min_rtt(), event_.rate);
    if (event_.rate.valid) delivery_rate_ = event_.rate.rate;
  } else {
    event_.rtt.reset();
    event_.rate = {};
  }
  if (!active_) return;

  rules.progresses(progress);
  if (ack.duplicate) rules.arrived_again();
  Recovery edge = rules.leave_episode(progress, now);
  const bool retransmission_lost = rules.detect(now);
  const uint32_t marked = newly_marked(ack);
  rules.settle_probe(ack, progress);
  const bool relapsed = rules.relapsed(edge);
  if (!c_.lost.empty() || relapsed) [[unlikely]] {
    edge =
        on_losses(rules, progress, edge, inflight_before, relapsed || rules.starts_episode(retransmission_lost), now);
  } else if (answers_marks_ && marked > 0 && rules.phase() == Phase::open) {
    enter_reduction(rules, now, inflight_before, marked);
    edge = Recovery::entered;
  }
  if (rules.phase() == Phase::episode && c_.needs.prr && (progress.packets > 0 || edge == Recovery::entered))
      [[unlikely]]
    prr_window_ =
        c_.prr.window(progress.bytes, c_.board.inflight(), ssthresh_, progress.advanced && c_.lost.empty(), c_.mss);
  if (edge == Recovery::none) {
    edge = rules.standing();
  } else {
    rules.nothing_pending();
  }

  if (progress.packets > 0 || marked > 0 || ack.feedback_size > 0 || edge != Recovery::none) {
    event_.now = now;
    event_.acked_bytes = progress.bytes;
    event_.acked_packets = progress.packets;
    event_.packets = acked_;
    event_.one_way.reset();
    if (event_.rtt) event_.one_way = *event_.rtt - (now - ack.received);
    event_.newest_number = progress.newest ? progress.newest->number : 0;
    event_.next_number = c_.board.next_number();
    event_.srtt = c_.rtt.srtt();
    event_.rttvar = c_.rtt.rttvar();
    event_.min_rtt = c_.rtt.min_rtt();
    event_.delivered = c_.rate.delivered();
    event_.lost = c_.rate.lost();
    event_.inflight_before = inflight_before;
    event_.inflight = c_.board.inflight();
    event_.lost_packets = static_cast<uint32_t>(c_.lost.size());
    event_.window_limited = usage_.limited(slow_start_, cwnd_, c_.mss, inflight_before, c_.rtt.srtt(), now);
    event_.delayed = ack.delayed;
    event_.ce_packets = marked;
    event_.recovery = edge;
    event_.next_send = pacer_.next();
    event_.feedback = {ack.feedback.data(), ack.feedback_size};
    c_.controller->on_ack(event_);
    refresh();
    if (c_.controller->limits_itself()) c_.rate.mark_app_limited(c_.board.inflight());
    note_phase(now);
  }
  rules.acknowledged(progress, edge, now);
}

template <typename R>
Recovery Sender::on_losses(R& rules, const Progress& progress, Recovery edge, Bytes inflight_before, bool new_episode,
                           Time now) {
  if (new_episode) {
    rules.enter_episode(now, inflight_before);
    edge = Recovery::entered;
  } else {
    rules.more_lost();
  }
  c_.controller->on_loss(c_.losses(now, inflight_before, new_episode));
  if (rules.collapses(progress)) {
    collapse(rules, now, inflight_before);
    edge = Recovery::none;
  }
  refresh();
  return edge;
}

// The window starts again, whatever is in flight.
template <typename R>
void Sender::collapse(R& rules, Time now, Bytes inflight_before) {
  ++c_.counters.timeouts;
  c_.controller->on_timeout({.now = now,
                             .inflight_before = inflight_before,
                             .inflight = Bytes::zero(),
                             .delivered = c_.rate.delivered(),
                             .lost = c_.rate.lost(),
                             .repeated = true});
  if (rules.phase() == Phase::episode) rules.end_episode(now);
  rules.collapse();
  c_.observer->on_timeout(now);
}

template <typename R>
void Sender::enter_reduction(R& rules, Time now, Bytes inflight_before, uint32_t marks) {
  rules.enter_reduction(inflight_before);
  c_.observer->on_marks(now, marks);
  c_.controller->on_loss(c_.losses(now, inflight_before, true));
  refresh();
}

}  // namespace paceline
