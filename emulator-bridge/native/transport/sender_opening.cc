// How the sender opens its connection, and what data begins with then.

#include <algorithm>

#include "transport/sender.hh"

namespace paceline {

bool Sender::send_opening(Time now, Packet& packet) {
  if (opening_.carries_data() && opening_.at_first()) {
    early_ = source_.next(c_.mss, now);
    if (early_ > Bytes::zero()) source_.take(early_, 0);
  }
  packet.flow = flow_;
  return opening_.poll_send(now, early_, packet);
}

void Sender::on_reply(const Ack& ack, Time now) {
  if (!opening_.on_reply(ack, now)) return;
  const Duration rtt = opening_.rtt();
  latest_rtt_ = rtt;
  c_.rtt.least(rtt);
  c_.rtt.sample(rtt, false);
  if (opening_.holds_data()) {
    if (controller_when_open_) c_.controller = controller_when_open_(now, rtt);
    began_small_ = opening_.was_lost();
    begin_data(now);
    refresh();
    if (early_ > Bytes::zero()) book_early_data(ack, now);
  }
  c_.observer->on_connected(now, now - opening_.began());
}

// What left with the opening packet is on the books from now on. If it did not arrive, it leaves again, and that is no congestion
// (Linux tcp_rcv_fastopen_synack).
void Sender::book_early_data(const Ack& ack, Time now) {
  Packet left{};
  Segment& segment = send_early(early_, now, left);
  segment.sent = opening_.first_sent();
  if (ack.cumulative > 0) return;
  c_.give_up(0, segment);
  c_.lost.clear();
}

}  // namespace paceline
