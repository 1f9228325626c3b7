#pragma once
// How fast Copa's window moves: the velocity doubles while the window keeps its direction (NSDI 2018, section 2.1), by the
// paper's rule or by those of two implementations that differ from it (docs/reference.md 4.3).

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace paceline {

enum class CopaProfile : uint8_t {
  paper,
  author,  // genericCC, the authors' prototype
  mvfst,   // Meta's QUIC library
};

[[nodiscard]] inline CopaProfile copa_profile(std::string_view name) {
  return name == "author" ? CopaProfile::author : name == "mvfst" ? CopaProfile::mvfst : CopaProfile::paper;
}

class CopaVelocity {
 public:
  // `reset_at_crossing`: start over as soon as the rate crosses its target, not at the end of the round trip (mvfst).
  CopaVelocity(CopaProfile profile, bool reset_at_crossing)
      : profile_{profile}, reset_at_crossing_{reset_at_crossing} {}

  [[nodiscard]] double value() const { return value_; }

  // Slow start is over at this window.
  void start(double cwnd) {
    value_ = 1;
    same_ = 0;
    votes_ = 1;  // slow start went up
    direction_ = 1;
    round_start_cwnd_ = cwnd;
  }

  // With each ACK, before the window moves: which way will it go? `most` as at the end of a round trip.
  void step(bool up, double cwnd, double most) {
    const int wanted = up ? 1 : -1;
    votes_ += wanted;
    if (profile_ == CopaProfile::author && value_ > most) value_ = std::max(value_ / 2, 1.0);
    if (reset_at_crossing_ && wanted != direction_ && value_ > 1) {
      direction_ = wanted;
      value_ = 1;
      same_ = 0;
      round_start_cwnd_ = cwnd;
    }
  }

  // Once per round trip. `most` keeps the window from more than doubling in the next one.
  void round(double cwnd, double most) {
    if (profile_ == CopaProfile::author) {
      if (direction_ * votes_ > 0) {
        value_ *= 2;
      } else {
        value_ = 1;
        direction_ = -direction_;
      }
    } else {
      const int moved = cwnd > round_start_cwnd_ ? 1 : -1;
      if (moved == direction_) {
        if (++same_ >= kRoundsBeforeDoubling) value_ *= 2;
      } else {
        value_ = 1;
        same_ = 0;
      }
      direction_ = moved;
    }
    if (profile_ != CopaProfile::author) value_ = std::clamp(value_, 1.0, std::max(most, 1.0));
    votes_ = 0;
    round_start_cwnd_ = cwnd;
  }

 private:
  // In equilibrium the direction lasts for two and a half round trips: those must not count.
  static constexpr int kRoundsBeforeDoubling = 3;

  CopaProfile profile_{};
  bool reset_at_crossing_{};
  double value_{1};
  int direction_{1};  // 1 up, -1 down
  int same_{};        // round trips in the same direction, after the first
  int64_t votes_{};   // of this round trip's ACKs, up less down
  double round_start_cwnd_{};
};

}  // namespace paceline
