#pragma once
// SCReAM v2's congestion control (Johansson, Ericsson Research; docs/reference.md 9.2): a window for real-time media that grows by a
// packet per round trip, faster when long undisturbed, and takes a queueing delay between half a target and the target for the
// same signal as ECN marks. The media side (encoder control, queues of frames, priorities) is not part of it.

#include <algorithm>
#include <array>

#include "cca/registry.hh"

namespace paceline {

// The least one-way delay of the last minutes, so that what exceeds it is queueing.
class BaseDelay {
 public:
  [[nodiscard]] Duration queueing(Time now, Duration one_way) {
    if (now - slot_began_ >= kSlot) {
      slot_ = (slot_ + 1) % kSlots;
      least_[slot_] = Duration::infinite();
      slot_began_ = now;
    }
    least_[slot_] = std::min(least_[slot_], one_way);
    if (least_[slot_] < base_ || now == slot_began_) base_ = *std::ranges::min_element(least_);
    return one_way - base_;
  }

 private:
  static constexpr std::size_t kSlots = 50;
  static constexpr Duration kSlot = Duration::millis(10'000);

  static constexpr std::array<Duration, kSlots> none() {
    std::array<Duration, kSlots> all{};
    all.fill(Duration::infinite());
    return all;
  }

  std::array<Duration, kSlots> least_{none()};
  std::size_t slot_{};
  Time slot_began_{};
  Duration base_{Duration::infinite()};
};

// How much the queueing delay varies: 1 steady, 0 by 10 ms and more. A varying one makes the window grow more slowly.
class DelayVariation {
 public:
  void sample(double queueing_s, double ceiling_s) {
    least_ = std::min(least_, queueing_s);
    most_ = std::min(ceiling_s, std::max(most_, queueing_s));
  }
  // Every 30 ms or round trip.
  void update() {
    const double spread = std::clamp(most_ - least_, 0.0, 2 * kFull);
    average_ += kGain * (spread - average_);
    most_ *= 1 - kForget;
    least_ += kForget * (most_ - least_);
  }
  [[nodiscard]] double steadiness() const { return std::clamp(1 - average_ / kFull, 0.0, 1.0); }

 private:
  static constexpr double kFull = 0.01;  // seconds
  static constexpr double kGain = 1.0 / 32;
  static constexpr double kForget = 1.0 / 16;

  double least_{1000};
  double most_{};
  double average_{};
};

class Scream final : public Controller {
 public:
  Scream(const Setup& setup, const Params& params);

  void on_sent(const SentPacket& packet) override {
    most_inflight_ = std::max(most_inflight_, as_double(packet.inflight));
  }
  void on_loss(const LossEvent& loss) override;
  void on_timeout(const TimeoutEvent& timeout) override;
  void on_ack(const AckEvent& ack) override;

  [[nodiscard]] Bytes cwnd() const override {
    return Bytes{static_cast<int64_t>(window_ * headroom_)} + (headroom_ > 1 ? mss_ : Bytes::zero());
  }
  [[nodiscard]] Rate media_rate() const override { return {target_bps()}; }
  [[nodiscard]] Rate pacing_rate() const override { return {std::max(kLeastPace, pacing_headroom_ * target_bps())}; }
  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Scream> kInternals;

  enum class Marks : uint8_t { none, classic, l4s };

 private:
  static constexpr double kLeastPackets = 3;
  static constexpr Duration kUnknownRtt = Duration::millis(50);
  static constexpr Duration kReaction = Duration::millis(30);     // between reactions, unless the RTT is shorter
  static constexpr Duration kAlphaPeriod = Duration::millis(10);  // likewise, of the L4S average
  static constexpr Duration kSlowPeriod = Duration::millis(50);   // of the most that was in flight
  static constexpr Duration kAtFirst = Duration::millis(2000);    // during which that is not forgotten
  static constexpr double kVirtualRtt = 0.025;                    // s: shorter round trips grow as slowly as this one
  static constexpr double kDelayGain = 0.25;
  static constexpr double kQuietRtts = 200;  // until growth is fully multiplicative again
  static constexpr double kNearFactor = 8;
  static constexpr double kLeastNear = 0.1;
  static constexpr double kLeastGrowth = 0.25;
  static constexpr double kLeastSteadiness = 0.1;
  static constexpr double kLeastCaution = 0.25;
  static constexpr double kFirstAlpha = 0.1;
  static constexpr double kAlphaUp = 1.0 / 8;
  static constexpr double kAlphaDown = 1.0 / 128;
  static constexpr double kLossAveraging = 0.0025;
  static constexpr double kLossThreshold = 0.01;  // rarer losses without a queue are not congestion
  static constexpr double kLeastPace = 50e3;      // bit/s
  static constexpr double kMargin = 1.1;          // between the window's rate and the target bit rate

  [[nodiscard]] static double as_double(Bytes bytes) { return static_cast<double>(bytes.v); }
  [[nodiscard]] Duration reaction_time() const { return std::min(kReaction, srtt_); }
  [[nodiscard]] double target_bps() const;
  [[nodiscard]] double near() const;
  [[nodiscard]] double caution() const;
  void measure(const AckEvent& ack);
  void update_alpha(const AckEvent& ack);
  bool react(Time now);
  void cut(Time now, double factor);
  void grow(Time now);

  Bytes mss_{};
  double packet_{};  // bytes
  double target_s_{};
  double loss_factor_{};
  double ce_factor_{};
  double increase_{};
  double pacing_headroom_{};
  double inflight_headroom_{};
  double headroom_{};
  Marks marks_{};

  double window_{};        // bytes
  double last_maximum_{};  // where it stood when congestion began
  bool holds_maximum_{};   // until it grows again
  Duration srtt_{kUnknownRtt};

  BaseDelay base_delay_{};
  DelayVariation variation_{};
  double queueing_{};  // seconds, of the last packet
  double queueing_average_{};
  double loss_rate_{};
  double virtual_alpha_{};
  double alpha_{kFirstAlpha};
  uint32_t marked_{};  // packets since alpha was updated
  uint32_t delivered_{};

  double acked_{};  // bytes since the window was updated, without marked ones
  double most_inflight_{};
  double most_inflight_before_{};
  bool lost_{};
  bool ce_{};
  bool congested_before_{};
  Time start_{};
  Time last_reaction_{};  // to any congestion
  Time last_average_{};
  Time last_alpha_{};
  Time last_growth_{};
  Time last_slow_{};
};

}  // namespace paceline
