#include "transport/source.hh"

#include <algorithm>

namespace paceline {
namespace {

// The last packet of a message is at least this long, headers included; the one before it gives up what is missing.
constexpr Bytes kLeastPacket{100};

Bytes packet_of(Bytes left, Bytes mss) {
  if (left <= mss) return left;
  return left < mss + kLeastPacket ? left - kLeastPacket : mss;
}

}  // namespace

void Source::start(Time now) {
  start_ = now;
  if (on_off_) on_off_->start(now);
  if (!messages_) return;
  messages_->schedule.start(now);
  if (messages_->schedule.plan().adapts) tick_ = now;
}

// As a ticker does: the last tick waits for who is late, those before it are gone.
void Source::drop_missed(Bytes mss, Time now) {
  const int64_t due = (rate_.bytes_in(now - start_) - taken_).v / mss.v;
  if (due > 1) taken_ += mss * (due - 1);
}

Bytes Source::next_written(Bytes mss, Time now) {
  if (on_off_) return on_off_->has(mss, now) ? mss : Bytes::zero();
  Messages& m = *messages_;
  if (m.left == Bytes::zero()) {
    if (!m.written.empty()) {
      m.current = m.written.front();
      m.written.pop();
    } else if (tick_.is_never() && m.schedule.next_birth() <= now) {
      m.current = m.schedule.take(Rate::zero());
    } else {
      return Bytes::zero();
    }
    m.left = m.current.bytes;
  }
  return packet_of(m.left, mss);
}

void Source::take_written(Bytes size, uint64_t sequence) {
  if (on_off_) return on_off_->take(size);
  Messages& m = *messages_;
  m.left -= size;
  if (m.left == Bytes::zero()) m.sent.push({.last = sequence, .message = m.current});
}

Time Source::next_write(Bytes mss) const {
  if (on_off_) return on_off_->ready(mss);
  return tick_.is_never() ? messages_->schedule.next_birth() : Time::never();
}

void Source::on_tick(Time now, Rate rate) {
  MessageSchedule& schedule = messages_->schedule;
  while (schedule.next_birth() <= now) messages_->written.push(schedule.take(rate));
  tick_ = schedule.next_birth();
}

void Source::all_below_arrived(uint64_t sequence, Time now) {
  Messages& m = *messages_;
  if (m.sent.empty() || m.sent.front().last >= sequence) return;
  while (!m.sent.empty() && m.sent.front().last < sequence) m.sent.pop();
  if (m.sent.empty() && m.left == Bytes::zero()) m.schedule.all_delivered(now);
}

std::optional<Message> Source::ending_at(uint64_t sequence) const {
  if (!messages_) return std::nullopt;
  const Ring<Sent>& sent = messages_->sent;
  std::size_t low = 0;
  std::size_t high = sent.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (sent.at(middle).last < sequence) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == sent.size() || sent.at(low).last != sequence) return std::nullopt;
  return sent.at(low).message;
}

std::optional<Source::Offered> Source::offered(Time end) const {
  if (!messages_) return std::nullopt;
  return Offered{.messages = messages_->schedule.born_by(end), .due = messages_->schedule.due_by(end)};
}

}  // namespace paceline
