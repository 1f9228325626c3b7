#include "transport/receiver.hh"

#include <algorithm>

namespace paceline {
namespace {

// Linux acknowledges at once when a connection is new (TCP_MAX_QUICKACKS): a sender that begins with one segment is not kept waiting.
constexpr int kQuickAcks = 16;

}  // namespace

Receiver::Receiver(const ReceiverSetup& setup, std::unique_ptr<ReceiverAgent> agent)
    : ack_every_{setup.ack_every},
      quic_{setup.quic},
      ack_delay_{setup.ack_delay},
      max_ranges_{std::min(setup.max_ranges, kMaxAckRanges)},
      agent_{std::move(agent)},
      answering_{setup.handshake, setup.quic},
      quick_acks_{setup.handshake == Handshake::none || setup.quic || setup.linux_rtt ? 0 : kQuickAcks} {
  if (setup.linux_rtt) linux_.emplace(*setup.linux_rtt);
  schedule();
}

bool Receiver::on_packet(const Packet& packet, Time now) {
  if (packet.opens()) [[unlikely]]
    return on_opening(packet, now);
  if (!answering_.open()) [[unlikely]] {
    if (!answering_.can_read()) return false;
    answering_.confirmed();
    schedule();
  }
  return on_data(packet, now);
}

bool Receiver::on_opening(const Packet& packet, Time now) {
  if (packet.kind == PacketKind::last_of_opening) {
    if (answering_.can_read()) answering_.confirmed();
    schedule();
    return false;
  }
  const bool due = answering_.on_opening(packet, now);
  schedule();
  if (packet.kind == PacketKind::opening_with_data) return on_data(packet, now) || due;
  return due;
}

bool Receiver::on_data(const Packet& packet, Time now) {
  echo_sequence_ = packet.sequence;
  echo_number_ = packet.number;
  echo_sent_ = packet.sent;
  echo_received_ = now;
  const bool ce = packet.ecn == EcnMark::ce;
  ce_packets_ += ce ? 1 : 0;
  if (ce && linux_) linux_->on_mark();

  bool due = true;
  if (packet.sequence < cumulative_ || (packet.sequence < highest_ && runs_[packet.sequence] != 0)) {
    ++duplicate_packets_;
    duplicate_ = true;
    if (linux_) linux_->on_copy();
  } else {
    ++received_packets_;
    received_bytes_ += packet.bytes();
    if (packet.sequence == cumulative_ && highest_ <= cumulative_) {  // nothing is missing
      highest_ = ++cumulative_;
      ++unacknowledged_;
      due = linux_ ? linux_->on_next(packet.bytes(), unacknowledged_, now)
                   : unacknowledged_ >= ack_every_ || quick_acks_ > 0;
      if (!due && delayed_ack_.is_never()) {
        delayed_ack_ = now + (linux_ ? linux_->delay() : ack_delay_);
        schedule();
      }
    } else {
      due = on_out_of_order(packet.sequence, now);
    }
  }
  if (agent_) [[unlikely]] {
    agent_->on_packet({.now = now,
                       .sent = packet.sent,
                       .number = packet.number,
                       .size = packet.bytes(),
                       .ce = ce,
                       .tag = packet.tag});
    due |= agent_->wants_ack();
    schedule();
  }
  return due;
}

// Fills a hole or opens one: both are acknowledged at once (RFC 5681 section 4.2), but that Linux holds back some SACKs.
bool Receiver::on_out_of_order(uint64_t sequence, Time now) {
  if (sequence + 1 > highest_) {
    runs_.reserve(cumulative_, sequence + 1);
    for (uint64_t i = highest_; i <= sequence; ++i) runs_[i] = 0;
    highest_ = sequence + 1;
  }
  uint64_t begin = sequence;
  uint64_t end = sequence + 1;
  uint64_t swallowed = UINT64_MAX;
  if (sequence > cumulative_ && runs_[sequence - 1] != 0) begin = runs_[sequence - 1] - 1;
  if (end < highest_ && runs_[end] != 0) {
    swallowed = end;
    end = runs_[end];
  }
  runs_[sequence] = sequence + 1;
  runs_[begin] = end;
  runs_[end - 1] = begin + 1;

  if (begin == cumulative_) {
    cumulative_ = end;
    begin = UINT64_MAX;  // no longer selective
  }
  keep_newest_range(begin, swallowed);
  if (!linux_ || begin == UINT64_MAX || linux_->on_hole(cumulative_, now)) return true;
  schedule();
  return false;
}

void Receiver::keep_newest_range(uint64_t begin, uint64_t swallowed) {
  std::array<uint64_t, kMaxAckRanges> kept{};
  std::size_t count = 0;
  if (begin != UINT64_MAX) kept[count++] = begin;
  for (std::size_t i = 0; i < range_count_ && count < max_ranges_; ++i) {
    const uint64_t old = range_begins_[i];
    if (old != begin && old != swallowed && old >= cumulative_) kept[count++] = old;
  }
  range_begins_ = kept;
  range_count_ = count;
}

bool Receiver::on_timer(Time now) {
  bool due = answering_.on_timer(now);
  if (delayed_ack_ <= now) {
    timer_fired_ = true;
    if (linux_) linux_->on_delay_over();
    due = true;
  }
  if (linux_ && linux_->held_until() <= now) due = true;
  if (agent_ && answering_.open() && agent_->next_tick() <= now) {
    agent_->on_tick(now);
    due |= agent_->wants_ack();
  }
  schedule();
  return due;
}

void Receiver::write_ack(Ack& ack) {
  ack.cumulative = cumulative_;
  ack.echo_sequence = echo_sequence_;
  ack.echo_number = echo_number_;
  ack.echo_sent = echo_sent_;
  ack.received = echo_received_;
  ack.ce_packets = ce_packets_;
  ack.delayed = timer_fired_;
  ack.duplicate = duplicate_;
  ack.quic = quic_;
  const std::size_t ranges =
      std::min(range_count_, duplicate_ ? max_ranges_ - 1 : max_ranges_);  // D-SACK takes a block
  ack.range_count = static_cast<uint8_t>(ranges);
  for (std::size_t i = 0; i < ranges; ++i) ack.ranges[i] = {range_begins_[i], runs_[range_begins_[i]]};
  ack.feedback_size = agent_ ? static_cast<uint8_t>(agent_->feedback(ack.feedback)) : 0;
  ack.reply = 0;
  if (answering_.left() > 0) [[unlikely]] {
    answering_.write(ack);
  } else if (quick_acks_ > 0) {
    --quick_acks_;
  }

  if (linux_) linux_->sent();
  unacknowledged_ = 0;
  timer_fired_ = duplicate_ = false;
  delayed_ack_ = Time::never();
  schedule();
}

void Receiver::schedule() {
  next_event_ = std::min(delayed_ack_, answering_.next_event());
  if (linux_) next_event_ = std::min(next_event_, linux_->held_until());
  if (agent_ && answering_.open()) next_event_ = std::min(next_event_, agent_->next_tick());
}

}  // namespace paceline
