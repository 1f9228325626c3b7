#pragma once
// How much more than bandwidth x time ACKs tend to report at once (Wi-Fi and cellular schedulers, receive offload):
// BBR lets that much extra be in flight (Linux tcp_bbr.c, bbr_update_ack_aggregation).

#include <algorithm>

#include "core/units.hh"

namespace paceline {

class AckAggregation {
 public:
  // Largest surplus of the last five to ten round trips.
  [[nodiscard]] Bytes extra() const { return std::max(extra_[0], extra_[1]); }

  void restart(Time now) {
    epoch_ = now;
    acked_ = Bytes::zero();
  }

  // `filling`: while the pipe is filled, BBRv2 and later remember a round or two only.
  void update(Time now, bool round_start, Bytes acked, Rate bw, Bytes cwnd, bool filling = false) {
    if (round_start && ++rounds_ >= (filling ? 1 : kBucketRounds)) {
      rounds_ = 0;
      bucket_ ^= 1;
      extra_[bucket_] = Bytes::zero();
    }
    Bytes expected = bw.bytes_in(now - epoch_);
    if (acked_ <= expected || acked_ + acked >= kResetBytes) {
      restart(now);
      expected = Bytes::zero();
    }
    acked_ += acked;
    extra_[bucket_] = std::max(extra_[bucket_], std::min(acked_ - expected, cwnd));
  }

 private:
  static constexpr int kBucketRounds = 5;
  static constexpr Bytes kResetBytes = kMtu * (int64_t{1} << 20);  // a quite old epoch

  Time epoch_{};
  Bytes acked_{};
  Bytes extra_[2]{};
  unsigned bucket_{};
  int rounds_{};
};

}  // namespace paceline
