#include "transport/quic_recovery.hh"

#include <algorithm>

namespace paceline {

// RFC 9002 section 5.3: what the receiver waited is not the path's.
void QuicRecovery::smooth(const Ack& ack, const std::optional<Duration>& rtt, const Progress&, Time) {
  if (!rtt) return;
  const bool waited = ack.delayed && c_.rtt.known() && *rtt >= c_.rtt.min_rtt() + quic::kMaxAckDelay;
  c_.rtt.sample(waited ? *rtt - quic::kMaxAckDelay : *rtt, round_over());
}

// RFC 9002 section 7.6: of all that was sent over so long a time nothing arrived. Looked for between what had arrived before this
// ACK and the least that it acknowledges.
bool QuicRecovery::collapses(const Progress& progress) const {
  Time first = Time::never();
  Time last{};
  for (const LostPacket& packet : c_.lost) {
    if (!episodes_.newer(packet.number) || packet.number > progress.oldest_number) continue;
    first = std::min(first, packet.sent);
    last = std::max(last, packet.sent);
  }
  return episodes_.any_arrived() && !first.is_never() &&
         last - first > quic::probe_timeout(c_.rtt.srtt(), c_.rtt.rttvar()) * quic::kPersistentCongestion;
}

void QuicRecovery::arm_probe() {
  if (c_.board.inflight_packets() == 0 || !reordering_deadline_.is_never()) {
    probe_deadline_ = Time::never();
    return;
  }
  probe_deadline_ = last_sent_ + timeout();
}

// There must be one in flight.
uint64_t QuicRecovery::probed() const {
  for (uint64_t number = order_.oldest(); number < c_.board.next_number(); ++number) {
    const uint64_t sequence = c_.board.sequence_of(number);
    if (sequence >= c_.board.una() && c_.board[sequence].number == number && c_.board[sequence].in_flight())
      return sequence;
  }
  return c_.board.next() - 1;
}

}  // namespace paceline
