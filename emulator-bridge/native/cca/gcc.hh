#pragma once
// GCC, the congestion control of WebRTC, at the sender (docs/reference.md 9.3). Its parts: gcc_delay.hh finds out whether the delay grows, gcc_rates.hh
// turns that and losses into rates, gcc_probes.hh looks for the rate to begin with.

#include "cca/gcc_delay.hh"
#include "cca/gcc_probes.hh"
#include "cca/gcc_rates.hh"
#include "cca/registry.hh"

namespace paceline {

class Gcc final : public Controller {
 public:
  Gcc(const Setup& setup, const Params& params);

  void on_sent(const SentPacket& packet) override;
  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override { lost_ += loss.packet_count; }
  void on_tick(Time now) override;

  [[nodiscard]] Bytes cwnd() const override { return Bytes::infinite(); }
  [[nodiscard]] Rate media_rate() const override { return {loss_.target()}; }
  [[nodiscard]] Rate pacing_rate() const override {
    return {probes_.sending() ? probes_.rate() : (encoder_keeps_up() ? pacing_factor_ : 1) * loss_.target()};
  }
  [[nodiscard]] uint64_t tag() const override { return probes_.tag(); }
  [[nodiscard]] Time next_tick() const override { return next_tick_; }
  [[nodiscard]] std::string_view phase() const override;
  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Gcc> kInternals;

 private:
  static constexpr Duration kTick = Duration::millis(100);
  static constexpr Duration kStreamTimeout = Duration::millis(2000);
  static constexpr Duration kBacklog = Duration::millis(1000);
  static constexpr Duration kLongRtt = Duration::millis(3000);

  [[nodiscard]] static double ms(Duration d) { return static_cast<double>(d.ns) * 1e-6; }
  [[nodiscard]] static double ms(Time t) { return static_cast<double>(t.ns) * 1e-6; }
  // An encoder that makes what it is told pauses between its frames; endless data would fill the path at more than the target.
  [[nodiscard]] bool encoder_keeps_up() const { return paused_ && sent_ - *paused_ < kBacklog; }
  [[nodiscard]] double cap() const { return std::min(delay_.rate(), most_); }
  [[nodiscard]] std::size_t state() const;
  void take(const AckedPacket& packet);
  void feedback(Time now);

  Duration feedback_period_{};
  double most_{};  // bit/s
  double pacing_factor_{};

  gcc::PacketGroups groups_{};
  gcc::Trendline trend_{};
  gcc::AckedRate received_{};
  gcc::DelayBased delay_;
  gcc::LossBased loss_;
  gcc::StartProbes probes_;
  std::optional<double> probed_{};  // bit/s, since the last feedback

  uint32_t lost_{};  // packets, since the last feedback
  uint32_t acked_{};
  Duration srtt_{};
  Duration rtt_{};
  Time heard_{};
  Time sent_{};
  std::optional<Time> paused_{};  // when the application last had nothing more to send
  Time next_feedback_{};
  Time next_tick_{};
};

}  // namespace paceline
