#pragma once
// LEDBAT as BitTorrent's library runs it (libutp, utp_internal.cpp): a window in bytes that may fall below a
// packet, a linear controller of two packets per round trip, and losses answered ten times a second at most.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cca/ledbat.hh"
#include "cca/ledbat_delays.hh"
#include "cca/registry.hh"

namespace paceline {

// How fast the raw one-way delay falls for good, which can only be clocks that drift apart – or a long queue that empties.
class ClockDrift {
 public:
  // To be added to the delay. Slower than 200 ms in 5 s is no drift.
  [[nodiscard]] Duration penalty() const {
    return std::max((Duration::zero() - drift_ - kAllowed) / 7, Duration::zero());
  }

  void add(Time now, Duration raw) {
    if (!started_) {
      started_ = true;
      end_ = now + kSlot;
      offset_ = raw;  // the clocks may be far apart
    }
    sum_ += raw - offset_;
    ++samples_;
    if (now <= end_) return;
    const Duration mean = sum_ / samples_;
    if (known_) drift_ = (drift_ * 7 + (mean - mean_)) / 8;
    known_ = true;
    mean_ = mean;
    end_ += kSlot;
    sum_ = Duration::zero();
    samples_ = 0;
  }

 private:
  static constexpr Duration kSlot = Duration::millis(5000);
  static constexpr Duration kAllowed = Duration::millis(200);

  bool started_{};
  bool known_{};
  Time end_{};
  Duration offset_{};
  Duration sum_{};
  int64_t samples_{};
  Duration mean_{};
  Duration drift_{};
};

class LibUtp final : public Controller {
 public:
  LibUtp(const Setup& setup, const Params& params);

  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;
  void on_tick(Time now) override;
  [[nodiscard]] Time next_tick() const override { return resume_; }
  // Below a packet nothing fits into the window: silence until a timeout's time has passed.
  [[nodiscard]] bool may_send(Time) const override { return window_ >= packet_; }

  [[nodiscard]] Bytes cwnd() const override { return Bytes{static_cast<int64_t>(std::max(window_, packet_))}; }
  [[nodiscard]] Bytes ssthresh() const override {
    return std::isinf(ssthresh_) ? Bytes::infinite() : Bytes{static_cast<int64_t>(std::max(ssthresh_, packet_))};
  }
  [[nodiscard]] std::string_view phase() const override { return kLedbatStates[slow_start_ ? 0 : 1]; }
  void internals(std::span<float> out) const override { ledbat_internals().tell(view(), out); }

 private:
  [[nodiscard]] LedbatView view() const;

  static constexpr double kGainBytes = 3000;  // per round trip without any queue
  static constexpr double kLeastWindow = 10;  // bytes
  static constexpr double kSlowStartEnds = 0.9;
  static constexpr Duration kUnusedAfter = Duration::millis(1000);  // a window that was not the limit for so long stays
  static constexpr Duration kBetweenDecays = Duration::millis(100);
  static constexpr Duration kLeastTimeout = Duration::millis(1000);

  void restart_from_one_packet() {
    window_ = packet_;
    slow_start_ = true;
    resume_ = Time::never();
  }

  double packet_{};  // bytes
  bool round_trips_only_{};
  Duration target_{};
  double gain_{};
  LedbatDelays delays_;
  ClockDrift drift_{};

  double window_{};  // bytes
  double ssthresh_{HUGE_VAL};
  bool slow_start_{true};
  bool one_way_{};
  double off_target_{};
  Time limited_{};  // when the window was last the limit
  Time decayed_{};
  bool ever_decayed_{};
  Time resume_{Time::never()};
};

}  // namespace paceline
