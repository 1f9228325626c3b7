#pragma once
// The two ways of working out PIE's drop probability (RFC 8033, Linux sch_pie.c; Mahimahi's pie_packet_queue). Delays are in seconds.

#include <algorithm>
#include <cstdint>

#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

// Below half the target and 20 % nothing is dropped early, nor while fewer than two full packets wait (RFC 8033 section 4.1).
inline constexpr double kPieQuietProbability = 0.2;
inline constexpr Bytes kPieLeastBacklog{2 * kMtu.v};

// As Linux has it: the delay is what the last packet to leave spent in the queue.
class LinuxPie {
 public:
  static constexpr Duration kPeriod = Duration::millis(15);
  static constexpr bool kMarks = true;

  LinuxPie(double target_s, double max_burst_s) : target_{target_s}, max_burst_{max_burst_s}, burst_{max_burst_s} {}

  // Should this arrival be dropped (or marked)?
  bool decide(Bytes size, Bytes backlog, bool bytewise, Random& random) {
    if (burst_ > 0 || (delay_ < target_ / 2 && probability_ < kPieQuietProbability) || backlog < kPieLeastBacklog)
      return false;
    double p = probability_;
    if (bytewise && size <= kMtu) p *= size.in_packets(kMtu);
    // Drops are spread: none before 0.85 of one is due, one at 8.5 at the latest (RFC 8033 section 5.4).
    accumulated_ = p == 0 ? 0 : accumulated_ + p;
    if (accumulated_ < 0.85) return false;
    if (accumulated_ < 8.5 && !random.chance(p)) return false;
    accumulated_ = 0;
    return true;
  }
  void dropped() { accumulated_ = 0; }

  void departed(Duration sojourn, Bytes, Bytes backlog, Time now) {
    delay_ = backlog == Bytes::zero() ? 0 : sojourn.to_seconds();
    if (!last_departure_.is_never()) burst_ = std::max(0.0, burst_ - (now - last_departure_).to_seconds());
    last_departure_ = now;
  }

  void update(Bytes backlog) {
    constexpr double kAlpha = 0.125;  // per second of delay, RFC 8033 section 4.2
    constexpr double kBeta = 1.25;
    constexpr double kMostStep = 0.02;   // once the probability is 10 %
    constexpr double kHighDelay = 0.25;  // seconds
    constexpr double kDecay = 1.0 / 64;
    if (delay_ == 0 && backlog > Bytes::zero()) return;
    const double before = before_;
    before_ = delay_;
    double step = scaling() * (kAlpha * (delay_ - target_) + kBeta * (delay_ - before));
    if (probability_ >= 0.1) step = std::min(step, kMostStep);
    if (delay_ > kHighDelay) step += kMostStep;
    probability_ = std::clamp(probability_ + step, 0.0, 1.0);
    if (delay_ == 0 && before == 0) {
      probability_ *= 1 - kDecay;
      if (probability_ < kLeast) probability_ = 0;
    }
    if (delay_ < target_ / 2 && before < target_ / 2 && probability_ == 0) {
      burst_ = max_burst_;
      accumulated_ = 0;
      last_departure_ = Time::never();
    }
  }

  [[nodiscard]] double probability() const { return probability_; }

 private:
  static constexpr double kLeast = 0x1.0p-56;  // Linux counts in units of 2^-56

  // Small probabilities move in small steps.
  [[nodiscard]] double scaling() const {
    double scale = 1;
    if (probability_ < 0.1) scale /= 2;
    for (double edge = 1e-2; edge >= 0.9e-6 && probability_ < edge; edge /= 10) scale /= 4;
    return scale;
  }

  double target_;
  double max_burst_;
  double burst_;
  double probability_{};
  double accumulated_{};
  double delay_{};
  double before_{};
  Time last_departure_{Time::never()};
};

// As Mahimahi has it: delay is backlog over an estimated departure rate, all in whole milliseconds, so that the probability moves
// about a thousand times faster than RFC 8033 has it.
class MahimahiPie {
 public:
  static constexpr Duration kPeriod = Duration::millis(30);
  static constexpr bool kMarks = false;

  MahimahiPie(double target_s, double max_burst_s)
      : target_{static_cast<int64_t>(target_s * 1e3 + 0.5)},
        max_burst_{static_cast<int64_t>(max_burst_s * 1e3 + 0.5)} {}

  bool decide(Bytes, Bytes backlog, bool, Random& random) {
    if (burst_ > 0 || (before_ < target_ / 2 && probability_ < kPieQuietProbability) || backlog < kPieLeastBacklog)
      return false;
    return random.chance(probability_);
  }
  void dropped() {}

  void departed(Duration, Bytes size, Bytes backlog, Time now) {
    constexpr int64_t kChunk = 16384;  // bytes per measurement
    if (!measuring_ && backlog.v >= kChunk) {
      measuring_ = true;
      measured_ = 0;
      measured_from_ = now;
    }
    if (!measuring_) return;
    measured_ += size.v;
    const int64_t ms = (now - measured_from_).ns / 1'000'000;
    if (measured_ <= kChunk || ms == 0) return;
    const int64_t rate = measured_ / ms;
    rate_ = rate_ == 0 ? rate : rate_ - rate_ / 8 + rate / 8;
    measuring_ = backlog.v >= kChunk;
    measured_ = 0;
    measured_from_ = now;
    burst_ = std::max<int64_t>(0, burst_ - ms);
  }

  void update(Bytes backlog) {
    constexpr double kAlpha = 0.125;  // per millisecond of delay
    constexpr double kBeta = 1.25;
    constexpr double kDecay = 0.98;
    before_ = delay_;
    delay_ = rate_ > 0 ? backlog.v / rate_ : 0;
    const double slowness = probability_ < 0.01 ? 128 : probability_ < 0.1 ? 32 : 16;
    const double step = kAlpha * static_cast<double>(delay_ - target_) + kBeta * static_cast<double>(delay_ - before_);
    const double unclamped = probability_ + step / slowness;
    probability_ = std::clamp(unclamped, 0.0, 1.0);
    const bool small_backlog = delay_ == 0 && backlog > Bytes::zero();
    if (delay_ == 0 && before_ == 0 && !small_backlog && unclamped <= 1) probability_ *= kDecay;
    burst_ = std::max<int64_t>(0, burst_ - kPeriod.ns / 1'000'000);
    if (probability_ == 0 && delay_ < target_ / 2 && before_ < target_ / 2 && rate_ > 0) {
      measuring_ = false;
      rate_ = 0;
      burst_ = max_burst_;
    }
  }

  [[nodiscard]] double probability() const { return probability_; }

 private:
  int64_t target_;  // ms
  int64_t max_burst_;
  int64_t burst_{};
  double probability_{};
  int64_t delay_{};
  int64_t before_{};
  int64_t rate_{};  // bytes per ms
  bool measuring_{};
  int64_t measured_{};
  Time measured_from_{};
};

}  // namespace paceline
