#include "recorder/sending.hh"

namespace paceline::recorder {

Sending::Sending(Endpoint& endpoint, const Peer& to, uint64_t session, uint64_t rate_bps, Duration duration,
                 uint32_t packet_bytes)
    : endpoint_{endpoint},
      to_{to},
      session_{session},
      payload_bytes_{packet_bytes - to.header_bytes()},
      plan_{rate_bps, duration, packet_bytes} {}

void Sending::step(int64_t now_ns) {
  if (over()) return repeat_end(now_ns);
  if (!start_ns_) start_ns_ = now_ns;
  const Duration now{now_ns - *start_ns_};
  for (uint64_t left = plan_.allowed(now); left > 0;) {
    const Data first{.session = session_, .sequence = plan_.sent(), .sent_ns = now.ns};
    const auto [packets, outcome] = endpoint_.send_data(to_, first, left, payload_bytes_);
    plan_.sent(packets);
    left -= packets;
    if (packets > 0) last_sent_ns_ = now_ns;
    if (outcome == Endpoint::Sent::too_large) too_large_ = stopped_ = true;
    if (outcome == Endpoint::Sent::no_room) ++refused_;
    if (outcome != Endpoint::Sent::all) break;
  }
  next_ns_ = *start_ns_ + plan_.next(now).ns;
  if (over()) next_ns_ = now_ns;
}

void Sending::repeat_end(int64_t now_ns) {
  constexpr int64_t kEvery = 100'000'000;
  endpoint_.send(to_, last_word());
  next_ns_ = now_ns + kEvery;
}

End Sending::last_word() const {
  return {.session = session_,
          .report = {.planned_packets = plan_.passed(),
                     .sent_packets = plan_.sent(),
                     .refused_packets = refused_,
                     .worst_behind_ns = plan_.worst_behind().ns,
                     .sent_for_ns = start_ns_ ? last_sent_ns_ - *start_ns_ : 0},
          .too_large = too_large_ ? uint8_t{1} : uint8_t{0}};
}

}  // namespace paceline::recorder
