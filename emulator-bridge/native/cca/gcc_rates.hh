#pragma once
// GCC's rates (WebRTC bitrate_estimator.cc, aimd_rate_control.cc, send_side_bandwidth_estimation.cc): what arrives, what the
// delay allows, and what losses allow. Times in ms, rates in bit/s.

#include <algorithm>
#include <cmath>
#include <optional>

#include "cca/gcc_delay.hh"
#include "cca/time_window.hh"
#include "core/math.hh"
#include "core/units.hh"

namespace paceline::gcc {

// The rate at which packets arrive: windows of 150 ms, weighted down when they differ much from the estimate.
class AckedRate {
 public:
  void add(double arrived, double bits) {
    const double window = estimate_ ? kWindow : kFirstWindow;
    double sample = -1;
    if (any_) {
      const double gap = std::max(0.0, arrived - latest_);
      elapsed_ += gap;
      if (gap > window) {  // silence says nothing about the rate
        bits_ = 0;
        elapsed_ = std::fmod(elapsed_, window);
      }
      if (elapsed_ >= window) {
        sample = bits_ / window;  // kbit/s
        elapsed_ -= window;
        bits_ = 0;
      }
    }
    any_ = true;
    latest_ = std::max(latest_, arrived);
    bits_ += bits;
    if (sample > 0) update(sample);
  }

  [[nodiscard]] std::optional<double> bps() const {
    if (!estimate_) return {};
    return *estimate_ * 1000;
  }

 private:
  static constexpr double kFirstWindow = 500;
  static constexpr double kWindow = 150;
  static constexpr double kUncertainty = 10;
  static constexpr double kDrift = 5;

  void update(double sample) {
    if (!estimate_) {
      estimate_ = sample;
      return;
    }
    const double uncertainty = kUncertainty * std::abs(*estimate_ - sample) / *estimate_;
    const double theirs = uncertainty * uncertainty;
    const double ours = variance_ + kDrift;
    estimate_ = (theirs * *estimate_ + ours * sample) / (theirs + ours);
    variance_ = theirs * ours / (theirs + ours);
  }

  std::optional<double> estimate_{};  // kbit/s
  double variance_{50};
  bool any_{};
  double latest_{};
  double elapsed_{};
  double bits_{};
};

// What arrived whenever the link was overused: near it the rate grows by addition only.
class LinkCapacity {
 public:
  void overused_at(double bps) {
    const double sample = bps / 1000;
    kbps_ = known_ ? (1 - kGain) * kbps_ + kGain * sample : sample;
    known_ = true;
    const double error = kbps_ - sample;
    variance_ = std::clamp((1 - kGain) * variance_ + kGain * error * error / std::max(1.0, kbps_), 0.4, 2.5);
  }
  void forget() { known_ = false; }
  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] double bps() const { return known_ ? kbps_ * 1000 : NAN; }
  [[nodiscard]] bool is_far_below(double bps) const { return known_ && bps / 1000 > kbps_ + 3 * deviation(); }
  [[nodiscard]] bool is_far_above(double bps) const { return known_ && bps / 1000 < kbps_ - 3 * deviation(); }

 private:
  static constexpr double kGain = 0.05;
  [[nodiscard]] double deviation() const { return std::sqrt(variance_ * kbps_); }

  bool known_{};
  double kbps_{};
  double variance_{0.4};  // in units of the average
};

enum class Direction : uint8_t { hold, increase, decrease };

// The delay-based rate: additive or multiplicative increase, multiplicative decrease.
class DelayBased {
 public:
  DelayBased(double start_bps, double decrease, double increase, double now)
      : rate_{start_bps}, received_{start_bps}, decrease_{decrease}, increase_{increase}, changed_{now} {}

  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] Direction direction() const { return direction_; }
  [[nodiscard]] const LinkCapacity& capacity() const { return capacity_; }

  void set(double bps, double now) {
    rate_ = bps;
    changed_ = now;
  }

  // At each feedback.
  void update(Usage usage, std::optional<double> received, double rtt, double now) {
    if (received) received_ = *received;
    if (usage != Usage::overuse) {
      if (usage == Usage::underuse) {
        direction_ = Direction::hold;  // the queue is being emptied
      } else if (direction_ != Direction::increase) {
        direction_ = Direction::increase;
        changed_ = now;
      }
      if (direction_ == Direction::increase) grow(rtt, now);
    } else if (now - changed_ >= std::clamp(rtt, 10.0, 200.0) || received_ < rate_ / 2) {
      if (received) {
        shrink(now);
      } else {
        set(rate_ / 2, now);
      }
      direction_ = Direction::decrease;
    } else if (direction_ == Direction::decrease) {
      direction_ = Direction::hold;
    }
  }

 private:
  static constexpr double kLeastAddition = 4000;  // bit/s per second
  static constexpr double kLeastIncrease = 1000;  // bit/s
  static constexpr double kFramesPerSecond = 30;
  static constexpr double kPacketBits = 1200 * 8;
  static constexpr double kDetectorDelay = 100;  // ms
  static constexpr double kHeadroom = 1.5;       // over what arrives
  static constexpr double kHeadroomBits = 10'000;

  void grow(double rtt, double now) {
    if (capacity_.is_far_below(received_)) capacity_.forget();
    const double time = (now - changed_) / 1000;
    double more = 0;
    if (capacity_.known()) {  // about half a packet per response time
      const double frame = rate_ / kFramesPerSecond;
      const double packet = frame / std::ceil(frame / kPacketBits);
      more = std::max(kLeastAddition, packet * 1000 / ((rtt + kDetectorDelay) * 2)) * time;
    } else {
      more = std::max(kLeastIncrease, rate_ * (exact::pow(increase_, std::min(time, 1.0)) - 1));
    }
    rate_ = std::max(rate_, std::min(rate_ + more, kHeadroom * received_ + kHeadroomBits));
    changed_ = now;
  }

  void shrink(double now) {
    double lower = decrease_ * received_;
    if (lower > rate_ && capacity_.known()) lower = decrease_ * capacity_.bps();
    rate_ = std::min(rate_, lower);
    if (capacity_.is_far_above(received_)) capacity_.forget();
    capacity_.overused_at(received_);
    changed_ = now;
  }

  double rate_;
  double received_;
  double decrease_;
  double increase_;
  double changed_;
  Direction direction_{Direction::hold};
  LinkCapacity capacity_{};
};

// What losses allow: below 2 % of them 8 % more than the least of the last second, above 10 % less by half their share.
class LossBased {
 public:
  explicit LossBased(double start_bps) : target_{start_bps} {}

  [[nodiscard]] double target() const { return target_; }
  [[nodiscard]] double share() const { return share_; }

  void set(double bps, double cap) {
    target_ = std::min(bps, cap);
    history_.clear();
  }

  // One feedback's worth of packets. The target stays below `cap`, the delay-based rate.
  void report(Time now, uint32_t lost, uint32_t packets, Duration rtt, double cap) {
    if (!first_report_) first_report_ = now;
    lost_ += lost;
    packets_ += packets;
    if (packets_ >= kLeastPackets) {
      share_ = std::min(1.0, static_cast<double>(lost_) / packets_);
      lost_ = packets_ = 0;
      reported_ = now;
      decreased_since_report_ = false;
    }
    update(now, rtt, cap);
  }

  // Nothing came back for so long that the RTT counts as longer than 3 s.
  void on_long_rtt(Time now, double cap) {
    if (now - last_decrease_ >= kLongRttPeriod) {
      last_decrease_ = now;
      target_ = std::max(kFloor, target_ * kLongRttFactor);
    }
    target_ = std::clamp(target_, kFloor, std::max(kFloor, cap));
  }

 private:
  static constexpr double kFloor = 5000;
  static constexpr uint32_t kLeastPackets = 20;
  static constexpr double kLow = 0.02;
  static constexpr double kHigh = 0.10;
  static constexpr double kIncrease = 1.08;
  static constexpr double kIncreaseBits = 1000;
  static constexpr Duration kMemory = Duration::millis(1000);
  static constexpr Duration kStartPhase = Duration::millis(2000);
  static constexpr Duration kDecreasePeriod = Duration::millis(300);
  static constexpr Duration kReportLifetime = Duration::millis(6000);
  static constexpr Duration kLongRttPeriod = Duration::millis(1000);
  static constexpr double kLongRttFactor = 0.8;

  void update(Time now, Duration rtt, double cap) {
    double next = target_;
    if (share_ <= 0 && now - *first_report_ < kStartPhase && cap > target_) {
      history_.clear();  // at the start the delay, and probes, are believed
      history_.update(now, kMemory, target_);
      target_ = cap;
      return;
    }
    history_.update(now, kMemory, target_);
    if (reported_ && now - *reported_ < kReportLifetime) {
      if (share_ <= kLow) {
        next = history_.get(target_) * kIncrease + kIncreaseBits;
      } else if (share_ > kHigh && !decreased_since_report_ && now - last_decrease_ >= kDecreasePeriod + rtt) {
        next = target_ * (1 - share_ / 2);
        last_decrease_ = now;
        decreased_since_report_ = true;
      }
    }
    target_ = std::clamp(next, kFloor, std::max(kFloor, cap));
  }

  double target_;
  double share_{};
  uint32_t lost_{};
  uint32_t packets_{};
  bool decreased_since_report_{};
  std::optional<Time> first_report_{};
  std::optional<Time> reported_{};
  Time last_decrease_{Time::zero() - Duration::millis(1'000'000)};
  LeastOver<double> history_{};
};

}  // namespace paceline::gcc
