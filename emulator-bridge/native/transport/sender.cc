#include "transport/sender.hh"

#include <algorithm>

#include "transport/quic.hh"

namespace paceline {
namespace {

// Linux' net.ipv4.tcp_pacing_ss_ratio and tcp_pacing_ca_ratio.
constexpr double kSlowStartPacing = 2.0;
constexpr double kPacing = 1.2;

EcnMark mark_of(const Needs& needs, bool answers_marks) {
  if (needs.ecn == Ecn::l4s) return EcnMark::ect1;
  return needs.ecn == Ecn::classic || answers_marks ? EcnMark::ect0 : EcnMark::not_ect;
}

}  // namespace

Sender::Rules Sender::rules_of(Connection& connection, bool quic) {
  if (quic) return Rules{std::in_place_type<QuicRecovery>, connection};
  return Rules{std::in_place_type<TcpRecovery>, connection};
}

Sender::Sender(const SenderSetup& setup, std::unique_ptr<Controller> controller, SenderObserver& observer)
    : c_{.controller = std::move(controller), .observer = &observer, .needs = setup.needs, .mss = setup.mss},
      rules_{rules_of(c_, setup.profile != TransportProfile::tcp)},
      recovery_{by_rules([](auto& rules) -> LossRecovery& { return rules; })},
      answers_marks_{setup.ecn && setup.needs.ecn == Ecn::none && setup.needs.prr},
      quic_{setup.profile != TransportProfile::tcp},
      mark_{mark_of(setup.needs, answers_marks_)},
      flow_{setup.flow},
      receive_window_packets_{static_cast<uint64_t>(setup.receive_window.v / setup.mss.v)},
      next_event_{setup.start},
      opening_{setup.handshake, quic_},
      usage_{setup.profile},
      pacer_{setup.pacing_credit, setup.needs.paced_start},
      source_{setup.source},
      controller_when_open_{setup.controller_when_open},
      start_{setup.start},
      stop_{setup.stop},
      quantum_time_{setup.quantum_time} {
  c_.needs.prr &= !quic_;
  c_.lost.reserve(256);
  if (c_.needs.acked_packets) acked_.reserve(256);
  refresh();
  open_window();
}

void Sender::start(Time now) {
  start_ = Time::never();
  source_.start(now);
  c_.observer->on_start(now);
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
  recovery_.disarm();
  c_.observer->on_stop(now);
}

void Sender::on_channel(const ChannelState& channel) {
  if (!active_) return;
  c_.controller->on_channel(channel);
  refresh();
  open_window();
}

void Sender::refresh() {
  cwnd_ = c_.controller->cwnd();
  ssthresh_ = c_.controller->ssthresh();
  slow_start_ = cwnd_ < ssthresh_;
  refresh_pacing();
}

void Sender::refresh_pacing() {
  Rate rate{};
  if (c_.needs.pacing == Pacing::own) {
    rate = c_.controller->pacing_rate();
  } else if (c_.needs.pacing == Pacing::window && c_.rtt.known()) {
    // A quarter of the window's end in slow start the pace drops, so that the last doubling does not overshoot (Linux
    // tcp_update_pacing_rate).
    const double gain = quic_ ? quic::kPacing : cwnd_.v < ssthresh_.v / 2 ? kSlowStartPacing : kPacing;
    const Bytes window = std::max(cwnd_, c_.mss * static_cast<int64_t>(c_.board.outstanding()));
    rate = Rate::of(window, c_.rtt.srtt()) * gain;
  }
  Bytes quantum = c_.controller->send_quantum();
  if (quantum == Bytes::zero() && quantum_time_ > Duration::zero())
    quantum = std::clamp(rate.bytes_in(quantum_time_), c_.mss * 2, Bytes{65536});
  pacer_.set(rate, quantum);
}

void Sender::tell_phase(Time now, std::string_view name) {
  if (name != phase_name_) c_.observer->on_phase(now, name);
  phase_name_ = name;
}

// What an encoder is to produce: the algorithm's own word where it has one, else what the window or the pacer lets through.
Rate Sender::media_rate() const {
  if (const Rate told = c_.controller->media_rate(); told.bps > 0) return told;
  const Rate paced = c_.needs.pacing == Pacing::own ? pacer_.rate() : Rate::zero();
  if (!c_.rtt.known() || cwnd_ == Bytes::infinite()) return paced;
  const Rate window = Rate::of(cwnd_, c_.rtt.srtt());
  return paced.bps > 0 ? std::min(paced, window) : window;
}

bool Sender::poll_send(Time now, Packet& packet) {
  if (opening_.due()) [[unlikely]]
    return send_opening(now, packet);
  if (!active_) [[unlikely]]
    return settle(now, Time::never());
  if ((force_ || recovery_.probe_due()) && send_forced(now, packet)) [[unlikely]]
    return true;

  const Bytes inflight = c_.board.inflight();
  const bool repair = c_.board.has_lost();
  const Bytes size = repair ? c_.board[c_.board.first_lost()].bytes() : source_.next(c_.mss, now);
  if (size == Bytes::zero()) [[unlikely]] {
    if (inflight + c_.mss <= window_) {
      c_.rate.mark_app_limited(inflight);
      usage_.starved(now);
    }
    return settle(now, source_.ready(c_.mss));
  }
  if (!repair && c_.board.outstanding() >= receive_window_packets_) [[unlikely]]
    return settle(now, Time::never());
  if (inflight + size > window_ || !c_.controller->may_send(now)) return settle(now, Time::never());
  if (!pacer_.allows(now)) return settle(now, pacer_.next());

  if (repair) [[unlikely]] {
    send_again(c_.board.first_lost(), inflight, now, packet);
  } else {
    send_fresh(size, inflight, now, packet);
  }
  return true;
}

[[gnu::always_inline]] inline Segment& Sender::send_first(Bytes size, Bytes inflight, Time now, Packet& packet) {
  const uint64_t sequence = c_.board.next();
  Segment& segment = c_.board.append(size, now, recovery_.oldest());
  transmit<false>(segment, sequence, inflight, now, packet);
  return segment;
}

[[gnu::always_inline]] inline void Sender::send_fresh(Bytes size, Bytes inflight, Time now, Packet& packet) {
  source_.take(size, c_.board.next());
  send_first(size, inflight, now, packet);
}

Segment& Sender::send_early(Bytes size, Time now, Packet& packet) {
  return send_first(size, Bytes::zero(), now, packet);
}

void Sender::send_again(uint64_t sequence, Bytes inflight, Time now, Packet& packet) {
  transmit<true>(c_.board.retransmit(sequence, now, recovery_.oldest()), sequence, inflight, now, packet);
}

// After a timeout the head leaves whatever the window says; so does a loss probe, which prefers new data.
bool Sender::send_forced(Time now, Packet& packet) {
  if (!force_) return send_probe(now, packet);
  force_ = false;
  if (!c_.board.has_lost()) return false;
  send_again(c_.board.first_lost(), c_.board.inflight(), now, packet);
  return true;
}

bool Sender::send_probe(Time now, Packet& packet) {
  const Bytes inflight = c_.board.inflight();
  recovery_.probe_leaves();
  if (c_.board.empty()) return false;
  if (c_.board.has_lost()) {
    if (!by_rules([](const auto& rules) { return rules.repairs_first(); })) return false;
    send_again(c_.board.first_lost(), inflight, now, packet);
    return true;
  }
  if (const Bytes fresh = source_.next(c_.mss, now); fresh > Bytes::zero()) {
    recovery_.probe_of_new_data();
    send_fresh(fresh, inflight, now, packet);
  } else {
    const uint64_t sequence = by_rules([](const auto& rules) { return rules.probed(); });
    recovery_.probe_repeats(sequence);
    send_again(sequence, inflight - c_.board[sequence].bytes(), now, packet);
  }
  recovery_.probe_left();
  return true;
}

template <bool retransmission>
[[gnu::always_inline]] inline void Sender::transmit(Segment& segment, uint64_t sequence, Bytes inflight_before,
                                                    Time now, Packet& packet) {
  const Bytes size = segment.bytes();
  Controller& controller = *c_.controller;
  if (inflight_before == Bytes::zero() && c_.rate.app_limited()) controller.on_idle_restart(now);
  c_.rate.on_send(segment, inflight_before, size, now);
  segment.tag = controller.tag();

  packet.sequence = sequence;
  packet.number = segment.number;
  packet.sent = packet.stamp = now;
  packet.tag = segment.tag;
  packet.size = segment.size;
  packet.flow = flow_;
  // A retransmission of a classic TCP flow cannot be marked (RFC 3168 section 6.1.5).
  packet.ecn = retransmission && !quic_ && mark_ == EcnMark::ect0 ? EcnMark::not_ect : mark_;
  packet.kind = retransmission ? PacketKind::retransmission : PacketKind::data;

  ++c_.counters.sent_packets;
  c_.counters.sent_bytes += size.v;
  c_.counters.retransmitted_packets += retransmission ? 1 : 0;
  controller.on_sent({.now = now,
                      .number = segment.number,
                      .size = size,
                      .retransmission = retransmission,
                      .app_limited = c_.rate.app_limited(),
                      .inflight_before = inflight_before,
                      .inflight = c_.board.inflight()});
  if (c_.needs.pacing == Pacing::own) refresh_pacing();
  pacer_.sent(size, now);
  if (recovery_.phase() == Phase::episode) c_.prr.sent(size);
  by_rules([=](auto& rules) { rules.transmitted(sequence, now); });
}

// Nothing more leaves for now: says so to those who watch the window, sets timers, and finds the next time to look.
bool Sender::settle(Time now, Time wake) {
  const bool limited = c_.board.inflight() + c_.mss > window_;
  if (active_ && (recovery_.sent_since_armed() || limited)) usage_.validate(limited, c_.board.una(), c_.board.next());
  by_rules([now](auto& rules) { rules.arm(now); });
  pacer_.end_burst();
  if (!active_) [[unlikely]] {
    next_event_ = opening_.under_way() ? std::max(now, std::min(opening_.next_event(), stop_)) : start_;
    return false;
  }
  tick_ = c_.controller->next_tick();
  // A deadline that a new estimate moved into the past is due now.
  next_event_ =
      std::max(now, earliest(wake, recovery_.deadline(), tick_, source_.tick(), stop_, opening_.next_event()));
  return false;
}

}  // namespace paceline
