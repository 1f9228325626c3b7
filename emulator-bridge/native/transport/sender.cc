#include "transport/sender.hh"

#include <algorithm>

#include "transport/quic.hh"

namespace paceline {
namespace {

// Linux' net.ipv4.tcp_pacing_ss_ratio and tcp_pacing_ca_ratio.
constexpr double kSlowStartPacing = 2.0;
constexpr double kPacing = 1.2;

}  // namespace

Sender::Sender(const SenderSetup& setup, std::unique_ptr<Controller> controller, SenderObserver& observer)
    : controller_{std::move(controller)},
      observer_{&observer},
      needs_{setup.needs},
      answers_marks_{setup.ecn && setup.needs.ecn == Ecn::none && setup.needs.prr},
      mss_{setup.mss},
      receive_window_{setup.receive_window},
      quic_{setup.profile != TransportProfile::tcp},
      flow_{setup.flow},
      next_event_{setup.start},
      detection_{quic_},
      usage_{setup.profile},
      pacer_{setup.pacing_credit, needs_.paced_start},
      source_{setup.source},
      opening_{setup.handshake, quic_},
      controller_when_open_{setup.controller_when_open},
      start_{setup.start},
      stop_{setup.stop},
      quantum_time_{setup.quantum_time} {
  needs_.prr &= !quic_;
  lost_.reserve(256);
  if (needs_.acked_packets) acked_.reserve(256);
  refresh();
}

void Sender::start(Time now) {
  start_ = Time::never();
  source_.start(now);
  observer_->on_start(now);
  if (opening_.wanted()) opening_.begin(now);
  if (!opening_.holds_data()) begin_data(now);
}

void Sender::begin_data(Time now) {
  active_ = true;
  note_phase(now);
}

void Sender::stop(Time now) {
  active_ = false;
  opening_.stop();
  stop_ = Time::never();
  rto_deadline_ = probe_deadline_ = reordering_deadline_ = Time::never();
  observer_->on_stop(now);
}

void Sender::on_channel(const ChannelState& channel) {
  if (!active_) return;
  controller_->on_channel(channel);
  refresh();
}

void Sender::refresh() {
  cwnd_ = controller_->cwnd();
  ssthresh_ = controller_->ssthresh();
  slow_start_ = cwnd_ < ssthresh_;
  refresh_pacing();
}

void Sender::refresh_pacing() {
  Rate rate{};
  if (needs_.pacing == Pacing::own) {
    rate = controller_->pacing_rate();
  } else if (needs_.pacing == Pacing::window && rtt_.known()) {
    // A quarter of the window's end in slow start the pace drops, so that the last doubling does not overshoot (Linux
    // tcp_update_pacing_rate).
    const double gain = quic_ ? quic::kPacing : cwnd_.v < ssthresh_.v / 2 ? kSlowStartPacing : kPacing;
    const Bytes window = std::max(cwnd_, mss_ * static_cast<int64_t>(board_.outstanding()));
    rate = Rate::of(window, rtt_.srtt()) * gain;
  }
  Bytes quantum = controller_->send_quantum();
  if (quantum == Bytes::zero() && quantum_time_ > Duration::zero())
    quantum = std::clamp(rate.bytes_in(quantum_time_), mss_ * 2, Bytes{65536});
  pacer_.set(rate, quantum);
}

void Sender::note_phase(Time now) {
  const std::string_view name = controller_->phase();
  if (name.data() == phase_name_.data()) return;
  if (name != phase_name_) observer_->on_phase(now, name);
  phase_name_ = name;
}

// What an encoder is to produce: the algorithm's own word where it has one, else what the window or the pacer lets through.
Rate Sender::media_rate() const {
  if (const Rate told = controller_->media_rate(); told.bps > 0) return told;
  const Rate paced = needs_.pacing == Pacing::own ? pacer_.rate() : Rate::zero();
  if (!rtt_.known() || cwnd_ == Bytes::infinite()) return paced;
  const Rate window = Rate::of(cwnd_, rtt_.srtt());
  return paced.bps > 0 ? std::min(paced, window) : window;
}

bool Sender::poll_send(Time now, Packet& packet) {
  if (opening_.due()) [[unlikely]]
    return send_opening(now, packet);
  if (!active_) return settle(now, Time::never());
  if ((force_ || probe_) && send_forced(now, packet)) return true;

  const Bytes inflight = board_.inflight();
  const bool repair = board_.has_lost();
  const Bytes size = repair ? board_[board_.first_lost()].bytes() : source_.next(mss_, now);
  if (size == Bytes::zero()) {
    if (inflight + mss_ <= window()) {
      rate_.mark_app_limited(inflight);
      usage_.starved(now);
    }
    return settle(now, source_.ready(mss_));
  }
  if (!repair && mss_ * static_cast<int64_t>(board_.outstanding() + 1) > receive_window_)
    return settle(now, Time::never());
  if (inflight + size > window() || !controller_->may_send(now)) return settle(now, Time::never());
  if (!pacer_.allows(now)) return settle(now, pacer_.next());

  if (repair) {
    const uint64_t sequence = board_.first_lost();
    transmit(board_.retransmit(sequence, now, detection_.oldest()), sequence, inflight, now, packet);
  } else {
    const uint64_t sequence = board_.next();
    source_.take(size, sequence);
    transmit(board_.append(size, now, detection_.oldest()), sequence, inflight, now, packet);
  }
  return true;
}

// After a timeout the head leaves whatever the window says; so does a loss probe, which prefers new data.
bool Sender::send_forced(Time now, Packet& packet) {
  const Bytes inflight = board_.inflight();
  if (force_) {
    force_ = false;
    if (!board_.has_lost()) return false;
    const uint64_t sequence = board_.first_lost();
    transmit(board_.retransmit(sequence, now, detection_.oldest()), sequence, inflight, now, packet);
    return true;
  }
  probe_ = false;
  if (board_.empty()) return false;
  if (board_.has_lost()) {
    if (!quic_) return false;
    const uint64_t sequence = board_.first_lost();
    transmit(board_.retransmit(sequence, now, detection_.oldest()), sequence, inflight, now, packet);
    return true;
  }
  probe_out_ = true;
  const Bytes fresh = source_.next(mss_, now);
  probe_is_repeat_ = fresh == Bytes::zero();
  if (probe_is_repeat_) {
    // TCP: the last one, whose arrival reveals all losses before it. QUIC: the one that has been under way for longest, so
    // that losses in a row tell how long nothing came through.
    const uint64_t sequence = quic_ ? oldest_in_flight() : board_.next() - 1;
    probed_sequence_ = sequence;
    probed_ = board_[sequence];
    ++counters_.moot_packets;
    transmit(board_.retransmit(sequence, now, detection_.oldest()), sequence, inflight - probed_.bytes(), now, packet);
  } else {
    const uint64_t sequence = board_.next();
    source_.take(fresh, sequence);
    transmit(board_.append(fresh, now, detection_.oldest()), sequence, inflight, now, packet);
  }
  probe_end_ = board_.next();
  return true;
}

void Sender::transmit(Segment& segment, uint64_t sequence, Bytes inflight_before, Time now, Packet& packet) {
  const Bytes size = segment.bytes();
  const bool retransmission = segment.has(Segment::kRetransmitted);
  if (inflight_before == Bytes::zero() && rate_.app_limited()) controller_->on_idle_restart(now);
  rate_.on_send(segment, inflight_before, size, now);
  segment.tag = controller_->tag();

  packet.sequence = sequence;
  packet.number = segment.number;
  packet.sent = now;
  packet.tag = segment.tag;
  packet.size = segment.size;
  packet.flow = flow_;
  packet.ecn = mark_for(retransmission);
  packet.kind = retransmission ? PacketKind::retransmission : PacketKind::data;

  ++counters_.sent_packets;
  counters_.sent_bytes += size.v;
  counters_.retransmitted_packets += retransmission ? 1 : 0;
  controller_->on_sent({.now = now,
                        .number = segment.number,
                        .size = size,
                        .retransmission = retransmission,
                        .app_limited = rate_.app_limited(),
                        .inflight_before = inflight_before,
                        .inflight = board_.inflight()});
  if (needs_.pacing == Pacing::own) refresh_pacing();
  pacer_.sent(size, now);
  if (phase_ == Phase::episode) prr_.sent(size);
  last_sent_ = now;
  if (rto_deadline_.is_never() && !quic_) rto_deadline_ = now + rtt_.rto();
  sent_in_burst_ = true;
}

// The segment whose latest transmission is the oldest that is still in flight. There must be one.
uint64_t Sender::oldest_in_flight() const {
  for (uint64_t number = detection_.oldest(); number < board_.next_number(); ++number) {
    const uint64_t sequence = board_.sequence_of(number);
    if (sequence >= board_.una() && board_[sequence].number == number && board_[sequence].in_flight()) return sequence;
  }
  return board_.next() - 1;
}

// A retransmission of a classic TCP flow cannot be marked (RFC 3168 section 6.1.5).
EcnMark Sender::mark_for(bool retransmission) const {
  if (needs_.ecn == Ecn::l4s) return EcnMark::ect1;
  const bool classic = needs_.ecn == Ecn::classic || answers_marks_;
  return classic && (quic_ || !retransmission) ? EcnMark::ect0 : EcnMark::not_ect;
}

// Nothing more leaves for now: says so to those who watch the window, sets timers, and finds the next time to look.
bool Sender::settle(Time now, Time wake) {
  const bool limited = board_.inflight() + mss_ > window();
  if (active_ && (sent_in_burst_ || limited)) usage_.validate(limited, board_.una(), board_.next());
  if (sent_in_burst_ || progressed_) arm_probe(now);
  sent_in_burst_ = progressed_ = false;
  pacer_.end_burst();
  if (!active_) {
    next_event_ = opening_.under_way() ? std::max(now, std::min(opening_.next_event(), stop_)) : start_;
    return false;
  }
  tick_ = controller_->next_tick();
  // A deadline that a new estimate moved into the past is due now.
  next_event_ = std::max(now, std::min({wake, rto_deadline_, probe_deadline_, reordering_deadline_, tick_,
                                        source_.tick(), stop_, opening_.next_event()}));
  return false;
}

}  // namespace paceline
