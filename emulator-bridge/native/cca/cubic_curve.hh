#pragma once
// The cubic function of time since the last loss episode, in Linux' integer mechanics and as RFC 9438 writes it
// (RFC 9438 section 4). Windows are in packets, times in seconds.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/math.hh"
#include "core/units.hh"

namespace paceline {

struct CubicConstants {
  double c{0.4};
  double beta{0.7};
  bool fast_convergence{true};
  bool friendliness{true};
};

// The memory of a loss: where the curve's plateau lies and when it is reached.
struct CubicCurve {
  double w_max{};   // window before the last reduction (lowered by fast convergence); 0: no loss yet
  double k{};       // seconds from the epoch's start to the plateau
  double origin{};  // height of the plateau
  bool running{};   // an epoch has begun
  Time epoch_start{};

  void reduce(double cwnd, const CubicConstants& constants) {
    running = false;
    w_max = constants.fast_convergence && cwnd < w_max ? cwnd * (1 + constants.beta) / 2 : cwnd;
  }

  void start(Time now, double cwnd, const CubicConstants& constants) {
    running = true;
    epoch_start = now;
    k = w_max > cwnd ? exact::cbrt((w_max - cwnd) / constants.c) : 0;
    origin = std::max(w_max, cwnd);
  }

  // Height over (or, negative, under) the plateau.
  [[nodiscard]] double above_origin(Duration since_start, const CubicConstants& constants) const {
    const double t = since_start.to_seconds() - k;
    return constants.c * t * t * t;
  }
};

// Linux: every `count` acknowledged packets the window grows by one; `count` comes from the curve and is recomputed
// at most every millisecond (Linux: every jiffy), and every 1/32 s while the window stands still.
class LinuxCubicGrowth {
 public:
  explicit LinuxCubicGrowth(const CubicConstants& constants)
      // 1.875 cwnd acknowledged per packet at beta 0.7; Linux holds it in eighths, rounded down
      : reno_scale_{static_cast<int64_t>(8 * (1 + constants.beta) / 3 / (1 - constants.beta))} {}

  // Acknowledged packets per packet of growth.
  int64_t count(Time now, Duration least_rtt, int64_t cwnd, int64_t acked, CubicCurve& curve,
                const CubicConstants& constants) {
    acked_ += acked;
    if (last_cwnd_ == cwnd && now - updated_ <= Duration::millis(1000) / 32) return count_;
    if (!curve.running || now - updated_ >= Duration::millis(1)) {
      last_cwnd_ = cwnd;
      updated_ = now;
      follow_curve(now, least_rtt, cwnd, acked, curve, constants);
    }
    if (constants.friendliness) keep_up_with_reno(cwnd);
    return count_ = std::max<int64_t>(count_, 2);  // at most half as much again per round trip
  }

  [[nodiscard]] int64_t reno_window() const { return reno_; }

  void reset() { last_cwnd_ = acked_ = reno_ = count_ = 0; }

 private:
  void follow_curve(Time now, Duration least_rtt, int64_t cwnd, int64_t acked, CubicCurve& curve,
                    const CubicConstants& constants) {
    if (!curve.running) {
      curve.start(now, static_cast<double>(cwnd), constants);
      acked_ = acked;
      reno_ = cwnd;
    }
    // one least RTT ahead: where the window should be when these packets are acknowledged
    const auto target = static_cast<int64_t>(curve.origin) +
                        static_cast<int64_t>(curve.above_origin(now - curve.epoch_start + least_rtt, constants));
    count_ = target > cwnd ? cwnd / (target - cwnd) : 100 * cwnd;
    if (curve.w_max == 0 && count_ > 20) count_ = 20;  // no loss known yet: at least 5 % per round trip
  }

  // Window that Reno would have by now; if that is larger, grow at least to it within a round trip.
  void keep_up_with_reno(int64_t cwnd) {
    const int64_t per_packet = std::max<int64_t>(cwnd * reno_scale_ / 8, 1);
    if (acked_ > per_packet) {
      const int64_t steps = (acked_ - 1) / per_packet;
      reno_ += steps;
      acked_ -= steps * per_packet;
    }
    if (reno_ > cwnd) count_ = std::min(count_, cwnd / (reno_ - cwnd));
  }

  int64_t reno_scale_{};
  int64_t last_cwnd_{};
  int64_t acked_{};
  int64_t reno_{};
  int64_t count_{};
  Time updated_{};
};

// RFC 9438 section 4: real-valued windows, looks one smoothed RTT ahead, Reno's rate once its window catches up.
class RfcCubicGrowth {
 public:
  // The window after `acked` packets.
  double grow(Time now, Duration srtt, double cwnd, double acked, CubicCurve& curve, const CubicConstants& constants) {
    if (!curve.running) {
      curve.start(now, cwnd, constants);
      reno_ = cwnd;
    }
    const double alpha = reno_ >= prior_cwnd_ ? 1 : 3 * (1 - constants.beta) / (1 + constants.beta);
    reno_ += alpha * acked / cwnd;
    const Duration elapsed = now - curve.epoch_start;
    if (constants.friendliness && curve.origin + curve.above_origin(elapsed, constants) < reno_)
      return std::max(cwnd, reno_);
    const double target = std::clamp(curve.origin + curve.above_origin(elapsed + srtt, constants), cwnd, 1.5 * cwnd);
    return cwnd + acked * (target - cwnd) / cwnd;
  }

  void reduced_from(double cwnd) { prior_cwnd_ = cwnd; }
  [[nodiscard]] double reno_window() const { return reno_; }

 private:
  double reno_{};
  double prior_cwnd_{};
};

}  // namespace paceline
