#pragma once
// LEDBAT (RFC 6817) and LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus): uses what others leave, by holding the queueing delay
// that it sees at a small target.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "cca/ledbat_delays.hh"
#include "cca/ledbat_internals.hh"
#include "cca/registry.hh"

namespace paceline {

// Of a parameter where zero stands for the profile's own value.
[[nodiscard]] inline int64_t given_or(const Params& params, std::string_view name, int64_t own) {
  const int64_t given = params.integer(name);
  return given > 0 ? given : own;
}

class Ledbat final : public Controller {
 public:
  Ledbat(const Setup& setup, const Params& params);

  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;

  [[nodiscard]] Bytes cwnd() const override { return Bytes::packets(cwnd_, mss_); }
  [[nodiscard]] Bytes ssthresh() const override {
    if (slow_start_) return std::isinf(ssthresh_) ? Bytes::infinite() : Bytes::packets(ssthresh_, mss_);
    return Bytes::packets(std::min(ssthresh_, cwnd_), mss_);
  }

  [[nodiscard]] std::string_view phase() const override { return kLedbatStates[static_cast<std::size_t>(state())]; }
  void internals(std::span<float> out) const override { ledbat_internals().tell(view(), out); }

 private:
  [[nodiscard]] LedbatView view() const;

  // LEDBAT++ (draft section 4): slow start ends at three quarters of the target, the first slowdown comes two round trips
  // later, each holds two packets for two round trips, and the next waits nine times as long as the last one took.
  static constexpr double kPlusSlowStartEnds = 0.75;
  static constexpr int64_t kFreezeRtts = 2;
  static constexpr int64_t kSlowdownShare = 9;
  static constexpr double kMostGainDivisor = 16;
  static constexpr double kSlowStartEnds = 0.9;  // optional slow start of the RFC's profiles, as libutp does it

  enum class State : uint8_t { slow_start, avoidance, recovery, slowdown };

  [[nodiscard]] State state() const {
    return recovering_   ? State::recovery
           : frozen_     ? State::slowdown
           : slow_start_ ? State::slow_start
                         : State::avoidance;
  }

  void sample(const AckEvent& ack);
  void follow_target(const AckEvent& ack);
  void follow_target_plus(const AckEvent& ack);
  void grow_in_slow_start(const AckEvent& ack);
  [[nodiscard]] bool slow_down(const AckEvent& ack);

  Bytes mss_{};
  bool tcp_{};
  bool plus_{};
  bool round_trips_only_{};
  Duration target_{};
  double gain_{};
  double fixed_gain_{};
  double allowed_increase_{};
  double min_cwnd_{};
  bool may_slow_start_{};
  LedbatDelays delays_;

  double cwnd_{};  // packets
  double ssthresh_{HUGE_VAL};
  bool slow_start_{};
  bool recovering_{};
  bool one_way_{};
  double off_target_{};
  double prior_cwnd_{};
  double prior_ssthresh_{};

  bool frozen_{};
  bool slowing_down_{};  // frozen, or on the way back
  Time slowdown_start_{};
  Time freeze_end_{};
  Time next_slowdown_{Time::never()};
};

}  // namespace paceline
