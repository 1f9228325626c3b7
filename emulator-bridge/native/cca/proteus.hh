#pragma once
// PCC Proteus (Meng, Schapira, Godfrey, SIGCOMM 2020; docs/reference.md 5.4), and what the authors' release calls Vivace: gradient
// ascent that looks at the RTT through a noise filter. A scavenger also minds the RTT's deviation, which grows as soon as
// somebody else's packets share the queue; a hybrid is a scavenger above a rate.

#include <array>
#include <optional>

#include "cca/pcc_gradient.hh"
#include "cca/rtt_noise.hh"

namespace paceline {

enum class ProteusMode : uint8_t { primary, scavenger, hybrid };

struct ProteusSettings {
  ProteusMode mode{ProteusMode::primary};
  VivaceUtility utility{};
  double deviation{};    // per microsecond of RTT deviation
  double switch_mbps{};  // hybrid: scavenges above it
  std::size_t pairs{3};  // of probes
  double eps{0.05};
};

class Proteus final : public PccController {
 public:
  Proteus(const Setup& setup, const Params& params, const ProteusSettings& settings);

  void on_ack(const AckEvent& ack) override;
  void on_loss(const LossEvent& loss) override;

  [[nodiscard]] std::string_view phase() const override { return view_.phase(); }
  void internals(std::span<float> out) const override { gradient_internals().tell(view_, out); }

  static constexpr std::size_t kMostPairs = 4;

 private:
  static constexpr std::size_t kScavengerPairs = 2;
  static constexpr Rate kFirstRate{10 * 1400 * 8 / 0.1};  // ten packets of 1400 B in a supposed RTT of 100 ms
  static constexpr Duration kSupposedRtt = Duration::millis(100);
  static constexpr Duration kLeastRtt = Duration::millis(1);  // for the first rate
  static constexpr double kLeastRate = 0.5;                   // Mbps
  static constexpr double kMostRate = 1e5;                    // Mbps; nothing real is faster
  static constexpr double kLeastStep = 0.5;                   // Mbps
  static constexpr double kBound = 0.05;                      // of the rate, and as much more each time it is reached
  static constexpr double kAmplifierExponent = 1.2;
  static constexpr uint32_t kLeastSamples = 4;   // reliable RTTs of an interval
  static constexpr double kReliableShare = 0.8;  // below it an interval is extended once

  struct Outcome {
    double rate{};
    double utility{};
  };

  struct Arrival {
    AckedPacket packet{};
    std::optional<Duration> rtt{};
    Duration srtt{};
  };

  IntervalPlan next_interval() override;
  bool interval_over(const MonitorInterval& current, Time now) override;
  void on_result(const MonitorInterval& interval) override;
  void after_silence(bool) override { probe_again(); }
  void scale_first_rate(const AckEvent& ack);
  void settle(bool reliable);
  [[nodiscard]] bool scavenging() const {
    return settings_.mode == ProteusMode::scavenger || (settings_.mode == ProteusMode::hybrid && above_switch_);
  }
  [[nodiscard]] std::size_t pairs() const {
    return settings_.mode == ProteusMode::hybrid && above_switch_ ? std::min(settings_.pairs, kScavengerPairs)
                                                                  : settings_.pairs;
  }
  [[nodiscard]] double utility(const MonitorInterval& interval, RttNoise::Signal signal) const;
  void started(const Outcome& outcome);
  void probed();
  void moved(const Outcome& outcome);
  void enter_probing();
  void probe_again();
  void move(double change);
  [[nodiscard]] double bounded_step(double gradient, double amplifier);

  ProteusSettings settings_;
  Random random_;
  AckBursts bursts_{};
  std::optional<Arrival> waiting_{};  // for the next one, which tells what it is worth
  RttNoise noise_{};

  GradientMode mode_{GradientMode::starting};
  double base_{};  // Mbps
  bool rtt_seen_{};
  Duration interval_time_{};
  Outcome last_{};
  int direction_{};
  int rounds_{1};
  int bound_steps_{};
  bool above_switch_{};

  std::size_t launched_{};
  std::size_t finished_{};
  std::array<double, 2 * kMostPairs> plan_{};
  std::array<Outcome, 2 * kMostPairs> outcomes_{};
  GradientView view_{};
};

}  // namespace paceline
