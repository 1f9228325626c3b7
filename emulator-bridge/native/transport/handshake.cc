#include "transport/handshake.hh"

#include <algorithm>

#include "transport/quic.hh"
#include "transport/rtt.hh"

namespace paceline {
namespace {

constexpr uint32_t kTcpAck = 52;
// Linux answers a repeated packet of a handshake at most twice a second (net.ipv4.tcp_invalid_ratelimit).
constexpr Duration kLeastBetweenRepeats = Duration::millis(500);

// Linux since 6.5 (net.ipv4.tcp_syn_linear_timeouts): so many repetitions of a SYN do not make it wait longer for the next.
constexpr int kLinearRepeats = 4;

Duration timeout(bool quic, int doublings) {
  const Duration first = quic ? quic::kInitialTimeout : RttEstimator::kInitialRto;
  return std::min(first * (int64_t{1} << std::min(doublings, quic::kMaxTimeoutDoublings)), RttEstimator::kMaxRto);
}

}  // namespace

void Opening::begin(Time now) {
  state_ = State::asking;
  began_ = now;
  due_ = true;
  deadline_ = now;
}

void Opening::on_timer(Time now) {
  if (deadline_ > now || due_) return;
  due_ = true;
  ++repeats_;
}

bool Opening::poll_send(Time now, Bytes early, Packet& packet) {
  if (due_) {
    due_ = false;
    deadline_ = now + timeout(quic_, quic_ ? repeats_ : std::max(0, repeats_ - kLinearRepeats));
    if (repeats_ == 0) first_sent_ = now;
    const bool takes_data = early > Bytes::zero() && repeats_ == 0;
    packet.kind = takes_data ? PacketKind::opening_with_data : PacketKind::opening;
    packet.size = takes_data ? static_cast<uint32_t>(early.v) : quic_ ? kQuicOpening : kTcpOpening;
    packet.number = takes_data ? 0 : static_cast<uint64_t>(repeats_);
  } else if (last_due_) {
    last_due_ = false;
    packet.kind = PacketKind::last_of_opening;
    packet.size = quic_ ? kQuicOpening : kTcpAck;
    packet.number = 0;
  } else {
    return false;
  }
  packet.sequence = 0;
  packet.sent = now;
  packet.tag = 0;
  packet.ecn = EcnMark::not_ect;
  return true;
}

bool Opening::on_reply(const Ack& ack, Time now) {
  if (state_ == State::open && !quic_ && now - last_said_ >= kLeastBetweenRepeats) {
    last_due_ = true;  // the server has not heard, or asks whether this is the connection that it knows
    last_said_ = now;
  }
  if (state_ != State::asking) return false;
  if (pieces_ == 0) {
    rtt_ = now - ack.echo_sent;
    needless_ = ack.echo_sent == first_sent_;
  }
  pieces_ |= static_cast<uint8_t>(1U << ack.reply);
  const int all = quic_ ? kQuicFlight : 1;
  for (int i = 1; i <= all; ++i)
    if ((pieces_ >> i & 1) == 0) return false;
  state_ = State::open;
  due_ = false;
  last_due_ = true;
  deadline_ = Time::never();
  last_said_ = now;
  return true;
}

// Linux echoes the time stamp of the first SYN that came; QUIC acknowledges each packet by its number.
bool Answering::on_opening(const Packet& packet, Time now) {
  if (open_) return false;
  if (!asked_ || quic_) echo_ = packet.sent;
  if (asked_ && !quic_) {
    if (!asked_again_.is_never() && now - asked_again_ < kLeastBetweenRepeats) return false;
    asked_again_ = now;
  }
  asked_ = true;
  answer(now);
  return true;
}

void Answering::answer(Time now) {
  left_ = quic_ ? kQuicFlight : 1;
  deadline_ = now + timeout(quic_, timeouts_);
}

bool Answering::on_timer(Time now) {
  if (deadline_ > now) return false;
  ++timeouts_;
  answer(now);
  return true;
}

void Answering::write(Ack& ack) {
  ack.reply = static_cast<uint8_t>(left_--);
  ack.echo_sent = echo_;
}

}  // namespace paceline
