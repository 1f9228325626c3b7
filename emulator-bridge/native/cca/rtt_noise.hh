#pragma once
// What Proteus takes for noise in the RTT (Meng, Schapira, Godfrey, SIGCOMM 2020; docs/reference.md 5.4): acknowledgements that come in
// bursts, slopes that a line explains badly, and trends and deviations no larger than usual.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cca/monitor_intervals.hh"

namespace paceline {

// Acknowledgements held back and released together carry the wait in their RTTs. Whether one of them did is seen when the
// next has come: the gaps before and after it differ.
class AckBursts {
 public:
  // Now that one with this RTT has come: was the RTT before it worth looking at?
  bool previous_is_reliable(Time now, Duration rtt, Duration srtt) {
    const double after = any_ ? std::max(kLeastGap, static_cast<double>((now - last_).ns) * 1e-3) : 0;
    const bool good = before_ > 0 && judge(std::max(before_, after) / std::min(before_, after), rtt);
    any_ = true;
    last_ = now;
    before_ = after;
    last_rtt_ = rtt;
    last_srtt_ = srtt;
    return good;
  }

  // A loss was reported instead. The authors' program takes that for a gap of zero, against which no later gap stands out: from
  // the first loss on bursts are no longer seen.
  void note_loss() {
    usual_ratio_ = std::numeric_limits<double>::infinity();
    before_ = 0;
  }

 private:
  static constexpr double kBurst = 50;
  static constexpr double kGain = 0.1;
  static constexpr double kLeastGap = 8;  // microseconds; a program reads no two packets in the same moment

  bool judge(double ratio, Duration next_rtt) {
    if (usual_ratio_ == 0) usual_ratio_ = ratio;
    bool good = false;
    if (ratio > kBurst * usual_ratio_) {
      burst_ = true;
    } else if (burst_) {
      burst_ = !(next_rtt >= last_rtt_ && last_rtt_ < last_srtt_);  // equal: on a path without any jitter
    } else {
      good = true;
    }
    usual_ratio_ = usual_ratio_ * (1 - kGain) + ratio * kGain;
    return good;
  }

  bool any_{};
  Time last_{};
  double before_{};  // the gap, in microseconds; zero: not known
  double usual_ratio_{};
  Duration last_rtt_{};
  Duration last_srtt_{};
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
    // RTTs that spread by more than they rise say nothing. (The paper measures the spread around the line. The authors' program
    // means to, but multiplies a packet's number with a slope in seconds per second: its line is flat.)
    slope_counts_ = deviation_counts_ = line.count() >= 2 && deviation / line.mean() < std::abs(slope);
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
