// What the sender does when time passes.

#include "transport/sender.hh"

namespace paceline {

void Sender::on_timer(Time now) {
  if (start_ <= now) start(now);
  if (stop_ <= now) stop(now);
  if (opening_.under_way()) opening_.on_timer(now);
  if (!active_) [[unlikely]]
    return;
  if (recovery_.deadline() <= now) by_rules([&](auto& rules) { on_deadline(rules, now); });
  if (tick_ <= now) {
    c_.controller->on_tick(now);
    refresh();
    note_phase(now);
  }
  if (source_.tick() <= now) source_.on_tick(now, media_rate());
  open_window();
}

template <typename R>
void Sender::on_deadline(R& rules, Time now) {
  if (rules.reordering_deadline() <= now) reordering_timeout(rules, now);
  if (rules.probe_deadline() <= now) rules.on_probe_timeout(now);
  if constexpr (R::kTimesOut) {
    if (rules.timeout_deadline() <= now) retransmission_timeout(rules, now);
  }
}

template <typename R>
void Sender::reordering_timeout(R& rules, Time now) {
  const Bytes inflight_before = c_.board.inflight();
  const bool retransmission_lost = rules.detect(now);
  rules.on_reordering_timeout();
  if (c_.lost.empty()) return;
  const bool new_episode = rules.starts_episode(retransmission_lost);
  if (new_episode) {
    rules.enter_episode(now, inflight_before);
    rules.announce(Recovery::entered);
  }
  c_.controller->on_loss(c_.losses(now, inflight_before, new_episode));
  refresh();
  if (new_episode) prr_window_ = c_.prr.window(Bytes::zero(), c_.board.inflight(), ssthresh_, false, c_.mss);
  note_phase(now);
}

void Sender::retransmission_timeout(TcpRecovery& rules, Time now) {
  const Bytes inflight_before = c_.board.inflight();
  const bool repeated = rules.on_timeout(now);
  ++c_.counters.timeouts;
  c_.controller->on_timeout({.now = now,
                             .inflight_before = inflight_before,
                             .inflight = c_.board.inflight(),
                             .delivered = c_.rate.delivered(),
                             .lost = c_.rate.lost(),
                             .repeated = repeated});
  if (!c_.lost.empty()) c_.controller->on_loss(c_.losses(now, inflight_before, false));
  rules.timed_out(now);
  force_ = true;
  refresh();
  c_.observer->on_timeout(now);
  note_phase(now);
}

}  // namespace paceline
