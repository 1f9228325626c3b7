#pragma once
// Verus' delay profile: which delay a window leads to. Points are what was seen; once a second a smooth curve is laid through
// them (docs/reference.md 6.1: 15 windows per node, fewer while the profile is short, and a penalty of 10^2).

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "cca/smoothing_spline.hh"

namespace paceline {

class VerusProfile {
 public:
  static constexpr int kMostPackets = 40'000;
  static constexpr double kMemory = 0.875;

  VerusProfile() : points_(kMostPackets + 1, kEmpty), highest_(kMostPackets + 1), spline_{kMostPackets / kPerNode} {}

  void clear() {
    std::fill(points_.begin(), points_.end(), kEmpty);
    most_ = 0;
    fitted_ = false;
  }

  void add(int window, double delay_ms) {
    window = std::clamp(window, 0, kMostPackets);
    float& point = points_[static_cast<std::size_t>(window)];
    point = point == kEmpty ? static_cast<float>(delay_ms)
                            : static_cast<float>(kMemory * static_cast<double>(point) + (1 - kMemory) * delay_ms);
    most_ = std::max(most_, window);
  }

  // Forgets what was seen with windows of `window` packets and more.
  void drop_from(int window) {
    for (int w = std::max(window, 0); w <= most_; ++w) points_[static_cast<std::size_t>(w)] = kEmpty;
    most_ = std::min(most_, std::max(window - 1, 0));
    while (most_ > 0 && points_[static_cast<std::size_t>(most_)] == kEmpty) --most_;
  }

  // Lays the curve anew. False: too few windows were seen.
  bool fit() {
    int per_node = kPerNode;
    while (per_node >= 1 && most_ / per_node < kLeastNodes) --per_node;
    if (per_node < 1) return false;
    const int least = first_point();
    if (least >= most_) return false;
    spline_.begin(static_cast<std::size_t>(most_ / per_node), least, most_);
    for (int w = least; w <= most_; ++w)
      if (seen(w)) spline_.add(w, static_cast<double>(point(w)));
    spline_.finish(kPenalty);
    fitted_ = true;
    fitted_to_ = most_;
    float highest = -INFINITY;
    for (int w = kLeastWindow; w <= fitted_to_; ++w) {
      highest = std::max(highest, static_cast<float>(spline_(w)));
      highest_[static_cast<std::size_t>(w)] = highest;
    }
    return true;
  }

  [[nodiscard]] bool fitted() const { return fitted_; }
  [[nodiscard]] int most() const { return most_; }

  // The delay that a window leads to; none if the curve does not exist and this window was never seen.
  [[nodiscard]] std::optional<double> delay(double window) const {
    if (fitted_) return spline_(window);
    const int w = std::clamp(static_cast<int>(window), 0, kMostPackets);
    if (!seen(w)) return std::nullopt;
    return static_cast<double>(point(w));
  }

  // The largest window whose delay does not exceed `delay_ms`; none if even the largest the profile knows does not.
  [[nodiscard]] std::optional<int> window(double delay_ms) const {
    return fitted_ ? window_of_curve(delay_ms) : window_of_points(delay_ms);
  }

 private:
  static constexpr float kEmpty = -1;
  static constexpr int kPerNode = 15;
  static constexpr int kLeastNodes = 5;
  static constexpr double kPenalty = 100;
  static constexpr int kLeastWindow = 2;

  [[nodiscard]] float point(int w) const { return points_[static_cast<std::size_t>(w)]; }
  [[nodiscard]] bool seen(int w) const { return point(w) != kEmpty; }
  [[nodiscard]] int first_point() const {
    int w = 0;
    while (w < most_ && !seen(w)) ++w;
    return w;
  }

  [[nodiscard]] std::optional<int> window_of_curve(double delay_ms) const {
    const auto begin = highest_.begin() + kLeastWindow;
    const auto end = highest_.begin() + fitted_to_ + 1;
    const auto above = std::upper_bound(begin, end, static_cast<float>(delay_ms));
    if (above != end) return static_cast<int>(above - highest_.begin()) - 1;
    const double slope = spline_.end_slope();
    const double last = spline_(fitted_to_);
    if (slope <= 0) return std::nullopt;
    const double beyond = fitted_to_ + std::floor(std::max(delay_ms - last, 0.0) / slope);
    if (beyond >= kMostPackets) return std::nullopt;
    return static_cast<int>(beyond);
  }

  // Before there is a curve: the smallest window that was seen to lead beyond it, less one. If none was, the delay is lowered
  // in steps of 2 ms until one was.
  [[nodiscard]] std::optional<int> window_of_points(double delay_ms) const {
    double highest = 0;
    for (int w = kLeastWindow; w <= most_; ++w) highest = std::max(highest, static_cast<double>(point(w)));
    if (highest <= 0) return std::nullopt;
    if (highest <= delay_ms) delay_ms -= 2 * (std::floor((delay_ms - highest) / 2) + 1);
    int w = kLeastWindow;
    while (static_cast<double>(point(w)) <= delay_ms) ++w;
    return w - 1;
  }

  std::vector<float> points_;
  std::vector<float> highest_;  // of the curve up to each window
  SmoothingSpline spline_;
  int most_{};
  int fitted_to_{};
  bool fitted_{};
};

}  // namespace paceline
