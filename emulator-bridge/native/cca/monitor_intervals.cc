#include "cca/monitor_intervals.hh"

#include <algorithm>

namespace paceline {

void MonitorIntervals::begin(const IntervalPlan& plan, const SentPacket& first) {
  if (!intervals_.empty()) {
    MonitorInterval& before = current();
    before.closed =
        std::max(first.now, before.first_sent + Duration{1});  // in the same instant it still lasted a moment
  }
  MonitorInterval& interval = intervals_.push();
  interval = MonitorInterval{};
  interval.plan = plan;
  interval.id = next_id_++;
  interval.first = interval.end = first.number;
  interval.first_sent = first.now;
  useful_ += plan.useful ? 1 : 0;
}

void MonitorIntervals::on_sent(const SentPacket& packet) {
  MonitorInterval& interval = current();
  packets_.reserve(intervals_.front().first, packet.number + 1);
  packets_[packet.number] = {static_cast<uint32_t>(interval.id), static_cast<uint16_t>(packet.size.v), Fate::pending};
  next_number_ = packet.number + 1;
  interval.end = next_number_;
  interval.last_sent = packet.now;
  interval.bytes_sent += packet.size;
  ++interval.pending;
  interval.app_limited += packet.app_limited ? 1 : 0;
}

MonitorInterval* MonitorIntervals::owner(uint64_t number) {
  if (intervals_.empty() || number < intervals_.front().first || number >= next_number_) return nullptr;
  return &intervals_.at(packets_[number].interval - static_cast<uint32_t>(intervals_.front().id));
}

void MonitorIntervals::on_loss(const LossEvent& loss) {
  for (const LostPacket& packet : loss.packets) {
    MonitorInterval* interval = owner(packet.number);
    if (interval == nullptr || packets_[packet.number].fate != Fate::pending) continue;
    packets_[packet.number].fate = Fate::lost;
    interval->bytes_lost += packet.size;
    --interval->pending;
  }
}

void MonitorIntervals::on_ack(const AckEvent& ack) {
  Time newest{};
  for (const AckedPacket& packet : ack.packets) {
    newest = std::max(newest, packet.sent);
    settle(packet, ack.rtt, true);
  }
  write_off_superseded(newest, ack.srtt);
}

void MonitorIntervals::on_arrived(const AckedPacket& packet, std::optional<Duration> rtt, bool reliable,
                                  Duration srtt) {
  settle(packet, rtt, reliable);
  write_off_superseded(packet.sent, srtt);
}

void MonitorIntervals::settle(const AckedPacket& packet, std::optional<Duration> rtt, bool reliable) {
  MonitorInterval* interval = owner(packet.number);
  if (interval == nullptr) return;
  Fate& fate = packets_[packet.number].fate;
  if (fate == Fate::settled) return;
  if (fate == Fate::lost) {  // given up wrongly
    interval->bytes_lost -= packet.size;
  } else {
    --interval->pending;
  }
  fate = Fate::settled;
  interval->bytes_acked += packet.size;
  if (!rtt) return;
  ++interval->rtts;
  if (reliable)
    interval->rtt.add((packet.sent - interval->first_sent).to_seconds(), static_cast<double>(rtt->ns) * 1e-3);
}

// A loss probe repeats a packet under a new number and nobody hears of the old one again. What was sent two round trips before a
// packet that has arrived is not under way any more.
void MonitorIntervals::write_off_superseded(Time newest_sent, Duration srtt) {
  if (intervals_.empty()) return;
  MonitorInterval& oldest = intervals_.front();
  if (!oldest.is_closed() || oldest.pending == 0 || newest_sent - oldest.last_sent < srtt * 2) return;
  for (uint64_t number = oldest.first; number < oldest.end; ++number) {
    Packet& packet = packets_[number];
    if (packet.fate != Fate::pending) continue;
    packet.fate = Fate::settled;
    oldest.bytes_sent -= Bytes{packet.size};
  }
  oldest.pending = 0;
}

const MonitorInterval* MonitorIntervals::finished() {
  while (intervals_.size() > 1 && !intervals_.front().plan.useful) intervals_.pop();
  if (intervals_.empty()) return nullptr;
  const MonitorInterval& oldest = intervals_.front();
  return oldest.is_closed() && oldest.plan.useful && oldest.pending == 0 ? &oldest : nullptr;
}

void MonitorIntervals::abandon() {
  for (std::size_t i = 0; i < intervals_.size(); ++i) intervals_.at(i).plan.useful = false;
  useful_ = 0;
}

}  // namespace paceline
