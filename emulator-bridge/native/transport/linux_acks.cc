#include "transport/linux_acks.hh"

#include <algorithm>

namespace paceline {
namespace {

constexpr Duration kLeastWait = Duration::millis(40);     // TCP_ATO_MIN, TCP_DELACK_MIN
constexpr Duration kLongestWait = Duration::millis(500);  // HZ / 2
constexpr Duration kLeastRto = Duration::millis(200);     // TCP_RTO_MIN

constexpr int kSacksAtOnce = 3;                         // TCP_FASTRETRANS_THRESH
constexpr int kMostHeld = 44;                           // tcp_comp_sack_nr
constexpr Duration kLongestHold = Duration::millis(1);  // tcp_comp_sack_delay_ns
constexpr int64_t kHoldOfRtt = 20;                      // a twentieth of it

// Half of tcp_rmem's first 128 KiB is room for data; what a packet takes leaves five eighths of them. The limit: 6 MiB.
constexpr Bytes kFirstWindow{65'535};
constexpr Bytes kFirstLargestWindow{81'920};
constexpr Bytes kLargestWindow{int64_t{6} << 20};
constexpr int64_t kFirstUsedPackets = 10;
constexpr int64_t kGrowthPackets = 2;

}  // namespace

LinuxAcks::LinuxAcks(Duration rtt)
    : rtt_{rtt},
      rto_{rtt + std::max(rtt * 2, kLeastRto)},
      window_{kFirstWindow},
      largest_window_{kFirstLargestWindow},
      used_{kMtu * kFirstUsedPackets} {}

bool LinuxAcks::on_next(Bytes size, int unacknowledged, Time now) {
  if (last_.is_never()) {
    quick_ = kQuickAcks;
    wait_ = kLeastWait;
  } else if (const Duration gap = now - last_; gap <= kLeastWait / 2) {
    wait_ = wait_ / 2 + kLeastWait / 2;
  } else if (gap < wait_) {
    wait_ = std::min(wait_ / 2 + gap, rto_);
  } else if (gap > rto_) {
    quick_ = std::max(quick_, kQuickAcks);
  }
  last_ = now;
  grow_window(size, now);
  return unacknowledged > 1 || quick_ > 0;
}

// tcp_rcv_space_adjust() and tcp_grow_window(), without what their memory costs.
void LinuxAcks::grow_window(Bytes size, Time now) {
  using_ += size;
  if (round_end_.is_never()) round_end_ = now + rtt_;
  if (now >= round_end_) {
    if (using_ > used_) {
      const double growth = (using_ - used_).in_packets(used_);
      const Bytes wanted = Bytes::packets(2 * (1 + 2 * growth), using_);
      largest_window_ = std::max(largest_window_, std::min(wanted, kLargestWindow));
      used_ = using_;
    }
    using_ = Bytes::zero();
    round_end_ = now + rtt_;
  }
  if (window_ >= largest_window_) return;
  window_ = std::min(window_ + size * kGrowthPackets, largest_window_);
  quick_ |= 1;
}

void LinuxAcks::answer_at_once(int acks) {
  quick_ = std::max(quick_, acks);
  wait_ = kLeastWait;
}

bool LinuxAcks::on_hole(uint64_t cumulative, Time now) {
  if (quick_ > 0) return true;
  if (cumulative != hole_) {
    hole_ = cumulative;
    sacks_ = 0;
  }
  if (held_ >= kMostHeld) return true;
  if (sacks_ < kSacksAtOnce) {
    ++sacks_;
    return true;
  }
  ++held_;
  if (held_until_.is_never()) held_until_ = now + std::min(kLongestHold, rtt_ / kHoldOfRtt);
  return false;
}

Duration LinuxAcks::delay() const {
  if (wait_ <= kLeastWait) return kLeastWait;
  return std::min({wait_, std::max(rtt_, kLeastWait), kLongestWait});
}

void LinuxAcks::on_delay_over() { wait_ = std::min(wait_ * 2, rto_); }

void LinuxAcks::sent() {
  if (quick_ > 0) --quick_;
  held_ = 0;
  held_until_ = Time::never();
}

}  // namespace paceline
