#pragma once
// Two small state machines of BBRv1, of which BBRv2 kept the first: has STARTUP filled the path, and where in the gain cycle is PROBE_BW?

#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

// The path is full when three rounds in a row brought less than 25 % more bandwidth.
class FullPipe {
 public:
  [[nodiscard]] bool reached() const { return reached_; }

  // At the end of each round that the application did not limit.
  void round(Rate max_bw) {
    if (reached_) return;
    if (max_bw >= best_ * kGrowth) {
      best_ = max_bw;
      rounds_ = 0;
      return;
    }
    reached_ = ++rounds_ >= kRounds;
  }

  // Something else than the bandwidth says so.
  void decree() { reached_ = true; }

  // A timeout: compare with nothing, but keep counting.
  void restart() { best_ = Rate::zero(); }

  // A loss that was none may have slowed the growth.
  void forget() {
    best_ = Rate::zero();
    rounds_ = 0;
  }

 private:
  static constexpr double kGrowth = 1.25;
  static constexpr int kRounds = 3;

  Rate best_{};
  int rounds_{};
  bool reached_{};
};

// Pacing gains 1.25 (probe for more), 0.75 (drain what that queued), then six phases of 1.
class GainCycle {
 public:
  explicit GainCycle(double probe_gain) : probe_gain_{probe_gain} {}

  [[nodiscard]] int phase() const { return phase_; }
  [[nodiscard]] Time since() const { return since_; }
  [[nodiscard]] double gain() const { return phase_ == 0 ? probe_gain_ : phase_ == 1 ? 2 - probe_gain_ : 1; }

  // Anywhere but in the draining phase, so that flows do not probe in step.
  void start(Time now, Random& random) {
    phase_ = kPhases - 1 - static_cast<int>(random.below(kPhases - 1));
    advance(now);
  }

  void advance(Time now) {
    phase_ = (phase_ + 1) % kPhases;
    since_ = now;
  }

 private:
  static constexpr int kPhases = 8;

  double probe_gain_{};
  int phase_{};
  Time since_{};
};

}  // namespace paceline
