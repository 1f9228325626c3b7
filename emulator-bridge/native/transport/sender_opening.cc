// How the sender opens its connection, and what data begins with then.

#include <algorithm>

#include "transport/sender.hh"

namespace paceline {

bool Sender::send_opening(Time now, Packet& packet) {
  if (opening_.carries_data() && opening_.at_first()) {
    early_ = source_.next(mss_, now);
    if (early_ > Bytes::zero()) source_.take(early_, 0);
  }
  packet.flow = flow_;
  return opening_.poll_send(now, early_, packet);
}

void Sender::on_reply(const Ack& ack, Time now) {
  if (!opening_.on_reply(ack, now)) return;
  const Duration rtt = opening_.rtt();
  latest_rtt_ = rtt;
  rtt_.least(rtt);
  rtt_.sample(rtt, false);
  if (opening_.holds_data()) {
    if (controller_when_open_) controller_ = controller_when_open_(now, rtt);
    began_small_ = opening_.was_lost();
    begin_data(now);
    refresh();
    if (early_ > Bytes::zero()) book_early_data(ack, now);
  }
  observer_->on_connected(now, now - opening_.began());
}

// What left with the opening packet is on the books from now on. If it did not arrive, it leaves again, and that is no congestion
// (Linux tcp_rcv_fastopen_synack).
void Sender::book_early_data(const Ack& ack, Time now) {
  Packet left{};
  Segment& segment = board_.append(early_, now, detection_.oldest());
  transmit(segment, 0, Bytes::zero(), now, left);
  segment.sent = opening_.first_sent();
  if (ack.cumulative > 0) return;
  give_up(0, segment);
  lost_.clear();
}

}  // namespace paceline
