#pragma once
// What Proteus takes for noise in the RTT (Meng, Schapira, Godfrey, SIGCOMM 2020; docs/reference.md 5.4): acknowledgements that come in
// bursts, slopes that a line explains badly, and trends and deviations no larger than usual.

#include <algorithm>
#include <array>
#include <cmath>

#include "cca/monitor_intervals.hh"

namespace paceline {

// Acknowledgements held back and released together carry the wait in their RTTs.
class AckBursts {
 public:
  // Is the RTT of this ACK worth looking at?
  bool reliable(Time now, Duration rtt, Duration srtt) {
    const double gap = std::max(1.0, static_cast<double>((now - last_ack_).ns) * 1e-3);  // microseconds
    bool good = false;
    if (acks_ >= 2) {
      const double ratio = std::max(gap, last_gap_) / std::min(gap, last_gap_);
      if (acks_ == 2) average_ratio_ = ratio;
      if (ratio > kBurst * average_ratio_) {
        burst_ = true;
      } else if (burst_) {
        burst_ = !(rtt > last_rtt_ && last_rtt_ < srtt);
      } else {
        good = true;
      }
      average_ratio_ += kGain * (ratio - average_ratio_);
    }
    acks_ = std::min(acks_ + 1, 3);
    last_ack_ = now;
    last_gap_ = gap;
    last_rtt_ = rtt;
    return good;
  }

 private:
  static constexpr double kBurst = 50;
  static constexpr double kGain = 0.1;

  int acks_{};
  Time last_ack_{};
  double last_gap_{};
  double average_ratio_{};
  Duration last_rtt_{};
  bool burst_{};
};

class RttNoise {
 public:
  // What counts of an interval's RTTs.
  struct Signal {
    double slope{};      // seconds per second, never negative
    double deviation{};  // microseconds
  };

  Signal judge(const MonitorInterval& interval, bool starting) {
    const LineFit& line = interval.rtt;
    const double slope = interval.rtt_slope();
    const double deviation = line.deviation();
    // A line that misses its points by more than it rises explains nothing.
    slope_counts_ = deviation_counts_ = line.count() >= 2 && line.residual() / line.mean() < std::abs(slope);
    if (line.count() >= 2) {
      remember(line.mean());
      if (remembered_ == kHistory) {
        judge_trend();
        judge_deviation(deviation);
      }
    }
    Signal signal{.slope = slope_counts_ ? std::max(0.0, slope) : 0, .deviation = deviation_counts_ ? deviation : 0};
    if (starting) {
      // A thousandth of a second over the interval
      if (signal.slope < 1e-3 / interval.duration().to_seconds()) signal.slope = 0;
      signal.deviation = 0;
    }
    return signal;
  }

 private:
  static constexpr std::size_t kHistory = 6;  // intervals
  static constexpr double kGain = 0.1;
  static constexpr double kTrendGate = 2;          // deviations from the usual trend
  static constexpr double kDeviationGate = 4;      // and from the usual deviation
  static constexpr double kLeastDeviation = 1000;  // microseconds
  static constexpr double kTinyShare = 0.01;       // of the least trend: everything is learnt again
  static constexpr double kNothing = 1e-6;
  static constexpr double kRelearn = 0.95;  // share of intervals that deviated

  void remember(double mean_rtt) {
    std::shift_left(means_.begin(), means_.end(), 1);
    means_.back() = mean_rtt;
    remembered_ = std::min(remembered_ + 1, kHistory);
  }

  // The trend over the last intervals, in microseconds per interval, against what is usual.
  void judge_trend() {
    LineFit line;
    for (std::size_t i = 0; i < kHistory; ++i) line.add(static_cast<double>(i), means_[i]);
    const double trend = line.slope();
    if (least_trend_ < kNothing || std::abs(trend) < least_trend_ * kTinyShare) {
      usual_trend_ = 0;
      least_trend_ = trend_deviation_ = std::abs(trend);
      last_trend_ = trend;
      return;
    }
    if (std::abs(trend - usual_trend_) > kTrendGate * trend_deviation_) {
      if (trend > 0) slope_counts_ = true;
      deviation_counts_ = true;
    } else {
      trend_deviation_ += kGain * (std::abs(trend - last_trend_) - trend_deviation_);
      usual_trend_ += kGain * (trend - usual_trend_);
      last_trend_ = trend;
    }
    least_trend_ = std::min(least_trend_, std::abs(trend));
  }

  void judge_deviation(double deviation) {
    deviating_share_ *= 1 - kGain;
    if (usual_deviation_ < kNothing) {
      usual_deviation_ = deviation;
      deviation_spread_ = 0.5 * deviation;
    } else if (deviation > usual_deviation_ + kDeviationGate * deviation_spread_ && deviation > kLeastDeviation) {
      deviation_counts_ = true;
      deviating_share_ += kGain;
    } else {
      deviation_spread_ += kGain * (std::abs(deviation - usual_deviation_) - deviation_spread_);
      usual_deviation_ += kGain * (deviation - usual_deviation_);
    }
    if (deviating_share_ > kRelearn) usual_deviation_ = deviating_share_ = 0;
  }

  bool slope_counts_{};
  bool deviation_counts_{};
  std::array<double, kHistory> means_{};
  std::size_t remembered_{};
  double usual_trend_{};
  double least_trend_{};
  double trend_deviation_{};
  double last_trend_{};
  double usual_deviation_{};
  double deviation_spread_{};
  double deviating_share_{};
};

}  // namespace paceline
