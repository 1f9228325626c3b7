#pragma once
// GCC's delay side (WebRTC inter_arrival.cc, trendline_estimator.cc): does the one-way delay grow? All times in ms.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "cca/line_fit.hh"

namespace paceline::gcc {

enum class Usage : uint8_t { normal, overuse, underuse };

// Packets that were sent within 5 ms of each other, or that a held-up path let go together, count as one; what is compared is how far apart
// two such groups were sent and arrived.
class PacketGroups {
 public:
  struct Step {
    double sent{};
    double arrived{};
  };

  std::optional<Step> add(double sent, double arrived) {
    if (!current_.any) {
      current_ = {true, sent, sent, arrived, arrived};
      return {};
    }
    if (sent < current_.first_sent) return {};
    std::optional<Step> step;
    if (begins_next(sent, arrived)) {
      if (before_.any) {
        step = Step{current_.last_sent - before_.last_sent, current_.last_arrived - before_.last_arrived};
        if (step->arrived < 0) {  // overtaken
          if (++reordered_ >= kMostReordered) *this = {};
          return {};
        }
        reordered_ = 0;
      }
      before_ = current_;
      current_ = {true, sent, sent, arrived, arrived};
    }
    current_.last_sent = std::max(current_.last_sent, sent);
    current_.last_arrived = arrived;
    return step;
  }

 private:
  static constexpr double kLength = 5;
  static constexpr double kBurst = 5;           // gaps between arrivals within a burst
  static constexpr double kLongestBurst = 100;  // from its first arrival on
  static constexpr int kMostReordered = 3;

  struct Group {
    bool any{};
    double first_sent{};
    double last_sent{};
    double first_arrived{};
    double last_arrived{};
  };

  [[nodiscard]] bool begins_next(double sent, double arrived) const {
    const double apart = sent - current_.last_sent;
    const double gap = arrived - current_.last_arrived;
    const bool burst = apart <= 0 || (gap < apart && gap <= kBurst && arrived - current_.first_arrived < kLongestBurst);
    return !burst && sent - current_.first_sent > kLength;
  }

  Group current_{};
  Group before_{};
  int reordered_{};
};

// The slope of the smoothed delay over the last groups, and an adaptive threshold that says when it counts.
class Trendline {
 public:
  void add(const PacketGroups::Step& step, double arrived) {
    steps_ = std::min(steps_ + 1, kMostSteps);
    if (steps_ == 1) first_arrived_ = updated_ = arrived;
    delay_ += step.arrived - step.sent;
    smoothed_ = kSmoothing * smoothed_ + (1 - kSmoothing) * delay_;
    points_[next_] = {arrived - first_arrived_, smoothed_};
    next_ = (next_ + 1) % kPoints;
    filled_ = std::min(filled_ + 1, kPoints);
    detect(filled_ == kPoints ? slope() : slope_, step.sent, arrived);
  }

  [[nodiscard]] Usage usage() const { return usage_; }
  [[nodiscard]] double trend() const { return trend_; }  // ms, to be compared with the threshold
  [[nodiscard]] double threshold() const { return threshold_; }

 private:
  static constexpr std::size_t kPoints = 20;
  static constexpr double kSmoothing = 0.9;
  static constexpr double kGain = 4;
  static constexpr int kMostSteps = 60;  // by so many the slope is multiplied
  static constexpr double kFirstThreshold = 12.5;
  static constexpr double kLeastThreshold = 6;
  static constexpr double kMostThreshold = 600;
  static constexpr double kUp = 0.0087;  // per ms
  static constexpr double kDown = 0.039;
  static constexpr double kSpike = 15;         // further above the threshold than this it does not adapt
  static constexpr double kLongestStep = 100;  // ms
  static constexpr double kOveruseTime = 10;   // ms of sending

  struct Point {
    double x{};
    double y{};
  };

  [[nodiscard]] double slope() const {
    LineFit line;
    for (const Point& p : points_) line.add(p.x, p.y);
    return line.slope();
  }

  void detect(double slope, double sent, double now) {
    if (steps_ < 2) return;
    trend_ = steps_ * slope * kGain;
    if (trend_ > threshold_) {
      over_for_ = over_count_ == 0 ? sent / 2 : over_for_ + sent;
      ++over_count_;
      if (over_for_ > kOveruseTime && over_count_ > 1 && slope >= slope_) {
        over_for_ = 0;
        over_count_ = 0;
        usage_ = Usage::overuse;
      }
    } else {
      over_count_ = 0;
      usage_ = trend_ < -threshold_ ? Usage::underuse : Usage::normal;
    }
    slope_ = slope;
    adapt(now);
  }

  // Slowly up when the trend is above it and fast down when below, so that a flow that fills queues does not starve this one.
  void adapt(double now) {
    const double size = std::abs(trend_);
    if (size <= threshold_ + kSpike) {
      const double gain = size < threshold_ ? kDown : kUp;
      threshold_ += gain * (size - threshold_) * std::clamp(now - updated_, 0.0, kLongestStep);
      threshold_ = std::clamp(threshold_, kLeastThreshold, kMostThreshold);
    }
    updated_ = now;
  }

  int steps_{};
  double first_arrived_{};
  double delay_{};
  double smoothed_{};
  std::array<Point, kPoints> points_{};
  std::size_t next_{};
  std::size_t filled_{};
  double slope_{};
  double trend_{};
  double threshold_{kFirstThreshold};
  double updated_{};
  double over_for_{};
  int over_count_{};
  Usage usage_{Usage::normal};
};

}  // namespace paceline::gcc
