#include "c_abi/foreign_flow.hh"

#include <algorithm>

namespace paceline {
namespace {

// A timer that fires late must not cost the flow its rate: so much lost time the pacer makes up for.
constexpr Duration kPacingCredit = Duration::micros(200);

constexpr uint16_t kGone = Segment::kSacked;  // acknowledged, or declared lost

}  // namespace

ForeignFlow::ForeignFlow(const Descriptor& cca, const Params& params, const Setup& setup)
    : cca_{&cca},
      needs_{needs_of(cca, params)},
      mss_{setup.mss},
      controller_{cca.make(setup, params)},
      pacer_{kPacingCredit, needs_.paced_start} {
  lost_.reserve(256);
  acked_.reserve(256);
  refresh_pacing();
}

void ForeignFlow::sent(Time now, Bytes bytes, uint32_t packets) {
  for (; packets > 1 && bytes > mss_; --packets) {
    transmit(now, mss_);
    bytes -= mss_;
  }
  transmit(now, bytes);
}

void ForeignFlow::transmit(Time now, Bytes size) {
  if (inflight_ == Bytes::zero() && rate_.app_limited()) controller_->on_idle_restart(now);
  segments_.reserve(first_, next_ + 1);
  Segment& segment = segments_[next_];
  segment.size = static_cast<uint16_t>(size.v);
  segment.flags = 0;
  segment.number = next_++;
  segment.sent = now;
  rate_.on_send(segment, inflight_, size, now);
  segment.tag = controller_->tag();
  const Bytes before = inflight_;
  inflight_ += size;
  controller_->on_sent({.now = now,
                        .number = segment.number,
                        .size = size,
                        .app_limited = rate_.app_limited(),
                        .inflight_before = before,
                        .inflight = inflight_});
  refresh_pacing();
  pacer_.sent(size, now);
}

void ForeignFlow::paused(bool nothing_to_send) {
  pacer_.end_burst();
  if (nothing_to_send && inflight_ + mss_ <= controller_->cwnd()) rate_.mark_app_limited(inflight_);
}

// Number of the first packet that left at that time or later.
uint64_t ForeignFlow::first_at(Time sent) const {
  uint64_t low = first_;
  uint64_t high = next_;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (segments_[middle].sent < sent) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// The oldest packet that left then and is still unacknowledged; null when there is none.
Segment* ForeignFlow::outstanding(Time sent) {
  for (uint64_t i = first_at(sent); i < next_ && segments_[i].sent == sent; ++i)
    if (!segments_[i].has(kGone)) return &segments_[i];
  return nullptr;
}

void ForeignFlow::acked(Time sent, Bytes bytes) {
  report_.acked += bytes;
  ++report_.acked_packets;
  rate_.on_delivered(bytes);
  Segment* segment = outstanding(sent);
  if (segment == nullptr) return;  // one of those that the transport did not tell of
  segment->set(kGone);
  if (!report_.any_newest || segment->number > report_.newest.number) report_.newest = *segment;
  report_.any_newest = true;
  if (needs_.acked_packets) {
    acked_.push_back({.number = segment->number,
                      .size = segment->bytes(),
                      .sent = segment->sent,
                      .delivered_at_send = segment->delivered,
                      .tag = segment->tag});
  }
}

void ForeignFlow::lost(Time newest_sent, Bytes bytes, bool persistent) {
  report_.any_loss = true;
  report_.persistent |= persistent;
  report_.newest_lost = std::max(report_.newest_lost, newest_sent);
  report_.lost += bytes;
}

// Every packet that left before the newest lost one and is unacknowledged is lost, too (RFC 9002 section 6.1): of those that
// left together with it, as many as the bytes tell.
void ForeignFlow::collect_losses() {
  int64_t left = report_.lost.v;
  for (uint64_t i = first_; i < next_ && segments_[i].sent <= report_.newest_lost && left > 0; ++i) {
    Segment& segment = segments_[i];
    if (segment.has(kGone)) continue;
    left -= segment.size;
    segment.set(kGone);
    rate_.on_lost(segment.bytes());
    lost_.push_back(lost_packet(segment));
  }
}

// What left long before an acknowledged packet was either reported by now or never will be (packets of a discarded handshake).
void ForeignFlow::forget_before(Time sent) {
  while (first_ < next_ && (segments_[first_].has(kGone) || segments_[first_].sent < sent)) ++first_;
}

std::optional<Duration> ForeignFlow::take_rtt(Time now) {
  const Segment& newest = report_.newest;
  if (!episodes_.newer(newest.number)) return std::nullopt;
  episodes_.arrived(newest.number);
  const Duration rtt = now - newest.sent;
  const bool round_over = newest.number >= rtt_round_end_;
  if (round_over) rtt_round_end_ = next_;
  rtt_.least(rtt);
  rtt_.sample(rtt, round_over);
  return rtt;
}

Recovery ForeignFlow::leave_episode() {
  if (phase_ == Phase::open) return Recovery::none;
  if (report_.any_newest && episodes_.ended_by(report_.newest.number)) {
    phase_ = Phase::open;
    return Recovery::exited;
  }
  return phase_ == Phase::episode ? Recovery::in : Recovery::timeout;
}

// True: they began an episode.
bool ForeignFlow::report_losses(Time now, Bytes inflight_before) {
  const bool new_episode = episodes_.begun_by(first_at(report_.newest_lost + Duration{1}) - 1);
  if (new_episode || report_.persistent) episodes_.begin(next_);
  if (report_.persistent) {
    phase_ = Phase::timeout;
    // Whatever is still in flight: the window restarts at its least (RFC 9002 section 7.6.2).
    controller_->on_timeout({.now = now,
                             .inflight_before = inflight_before,
                             .delivered = rate_.delivered(),
                             .lost = rate_.lost(),
                             .repeated = !new_episode});
  } else if (new_episode) {
    phase_ = Phase::episode;
  }
  controller_->on_loss({.now = now,
                        .bytes = report_.lost,
                        .packet_count = static_cast<uint32_t>(lost_.size()),
                        .packets = lost_,
                        .new_episode = new_episode && !report_.persistent,
                        .inflight_before = inflight_before,
                        .inflight = inflight_,
                        .delivered = rate_.delivered(),
                        .lost = rate_.lost()});
  return new_episode || report_.persistent;
}

void ForeignFlow::settle(Time now, Bytes inflight, bool window_limited) {
  if (report_.acked_packets == 0 && !report_.any_loss) return;
  const Bytes inflight_before = inflight + report_.acked + report_.lost;
  inflight_ = inflight;
  std::optional<Duration> rtt{};
  RateSample sample{};
  if (report_.any_newest) {
    rtt = take_rtt(now);
    rate_.sample(report_.newest, now, rtt_.min_rtt(), sample);
    if (sample.valid) delivery_rate_ = sample.rate;
  }
  Recovery edge = leave_episode();
  if (report_.any_loss) {
    collect_losses();
    if (report_losses(now, inflight_before)) edge = phase_ == Phase::timeout ? Recovery::timeout : Recovery::entered;
  }
  if (report_.acked_packets == 0) {
    if (edge == Recovery::entered) pending_edge_ = edge;
  } else {
    if (pending_edge_ != Recovery::none && edge == Recovery::in) edge = pending_edge_;
    pending_edge_ = Recovery::none;
    report_acks(now, inflight_before, rtt, sample, edge, window_limited);
  }
  refresh_pacing();
  if (report_.any_newest) forget_before(report_.newest.sent - 2 * rtt_.srtt());
  report_ = {};
  acked_.clear();
  lost_.clear();
}

void ForeignFlow::report_acks(Time now, Bytes inflight_before, std::optional<Duration> rtt, const RateSample& sample,
                              Recovery edge, bool window_limited) {
  for (AckedPacket& packet : acked_) packet.rtt = now - packet.sent;
  controller_->on_ack({.now = now,
                       .acked_bytes = report_.acked,
                       .acked_packets = report_.acked_packets,
                       .packets = acked_,
                       .rtt = rtt,
                       .newest_number = report_.newest.number,
                       .next_number = next_,
                       .srtt = rtt_.srtt(),
                       .rttvar = rtt_.rttvar(),
                       .min_rtt = rtt_.min_rtt(),
                       .rate = sample,
                       .delivered = rate_.delivered(),
                       .lost = rate_.lost(),
                       .inflight_before = inflight_before,
                       .inflight = inflight_,
                       .lost_packets = static_cast<uint32_t>(lost_.size()),
                       .window_limited = window_limited,
                       .recovery = edge,
                       .next_send = pacer_.next()});
  if (controller_->limits_itself()) rate_.mark_app_limited(inflight_);
}

void ForeignFlow::tick(Time now) {
  controller_->on_tick(now);
  refresh_pacing();
}

void ForeignFlow::refresh_pacing() {
  if (needs_.pacing == Pacing::own) pacer_.set(controller_->pacing_rate(), controller_->send_quantum());
}

Time ForeignFlow::release(Time now) const {
  if (!controller_->may_send(now)) return Time::never();
  return pacer_.allows(now) ? now : pacer_.next();
}

}  // namespace paceline
