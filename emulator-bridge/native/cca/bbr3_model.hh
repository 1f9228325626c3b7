#pragma once
// Small estimators of BBRv2 and BBRv3 (draft-ietf-ccwg-bbr section 5.5): the largest bandwidth of two probe cycles, whether more
// bandwidth is still to be found, and how bunched acknowledgements arrive.

#include <algorithm>
#include <cstdint>

#include "cca/windowed_filter.hh"
#include "core/units.hh"

namespace paceline {

class MaxBandwidth {
 public:
  [[nodiscard]] Rate get() const { return std::max(cycle_[0], cycle_[1]); }
  void update(Rate rate) { cycle_[current_] = std::max(cycle_[current_], rate); }
  // A probe is over: its samples stay for one more cycle.
  void advance() {
    current_ ^= 1;
    cycle_[current_] = Rate::zero();
  }
  // The same, unless this cycle brought no samples (Linux).
  void advance_if_seen() {
    if (cycle_[current_] > Rate::zero()) advance();
  }

 private:
  Rate cycle_[2]{};
  unsigned current_{};
};

// The pipe is full when three rounds in a row brought less than 25 % more bandwidth. Used by STARTUP once, and by each
// PROBE_UP again.
class FullBandwidth {
 public:
  [[nodiscard]] bool now() const { return now_; }
  [[nodiscard]] bool ever() const { return ever_; }
  void set_ever(bool ever) { ever_ = ever; }

  void restart(Rate from) {
    best_ = from;
    rounds_ = 0;
    now_ = false;
  }

  // At the end of a round that the application did not limit.
  void round(Rate rate) { sample(rate, true); }

  // Growth may show at any time; rounds without it are counted at their ends.
  void sample(Rate rate, bool round_end) {
    if (now_) return;
    if (rate >= best_ * kGrowth) {
      restart(rate);
      return;
    }
    if (!round_end) return;
    now_ = ++rounds_ >= kRounds;
    ever_ = ever_ || now_;
  }

 private:
  static constexpr double kGrowth = 1.25;
  static constexpr int kRounds = 3;

  Rate best_{};
  int rounds_{};
  bool now_{};
  bool ever_{};
};

// How much more than bandwidth x time was acknowledged at once, at most, over ten rounds (one while the pipe is filled).
class ExtraAcked {
 public:
  [[nodiscard]] Bytes get() const { return extra_.get(); }

  void restart(Time now) {
    start_ = now;
    acked_ = Bytes::zero();
  }

  void update(Time now, uint64_t round, bool round_start, bool full, Bytes acked, Rate bw, Bytes cwnd) {
    if (round_start && !full) extra_.reset(round, Bytes::zero());
    Bytes expected = bw.bytes_in(now - start_);
    if (acked_ <= expected) {
      restart(now);
      expected = Bytes::zero();
    }
    acked_ += acked;
    extra_.update(round, std::min(acked_ - expected, cwnd));
  }

 private:
  static constexpr uint64_t kRounds = 10;

  WindowedMax<Bytes> extra_{kRounds};
  Time start_{};
  Bytes acked_{};
};

}  // namespace paceline
