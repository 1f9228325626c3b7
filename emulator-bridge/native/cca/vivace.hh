#pragma once
// PCC Vivace as published (Dong, Meng, Zarchy, Arslan, Gilad, Godfrey, Schapira, NSDI 2018, with the mechanics of the authors'
// program of that year; docs/reference.md 5.3): gradient ascent on a utility of rate, RTT slope and loss. As in that program every
// interval runs to its end and every result is looked at, those of intervals that only fill the time too.

#include <array>

#include "cca/pcc_gradient.hh"
#include "cca/vivace_step.hh"

namespace paceline {

class Vivace final : public PccController {
 public:
  Vivace(const Setup& setup, const Params& params);

  [[nodiscard]] std::string_view phase() const override { return view_.phase(); }
  void internals(std::span<float> out) const override { gradient_internals().tell(view_, out); }

 private:
  static constexpr std::size_t kMostProbes = 4;
  static constexpr uint32_t kFiller = 0;  // roles of intervals, of those after them the probes, from kProbe on
  static constexpr uint32_t kStart = 1;   // its result decides whether the start goes on
  static constexpr uint32_t kWaiting = 2;
  static constexpr uint32_t kMoved = 3;
  static constexpr uint32_t kProbe = 4;
  static constexpr uint32_t kRoles = kProbe + kMostProbes;  // a role is counted on top of its round
  static constexpr double kLeastRate = 1.3;                 // Mbps
  static constexpr double kMostRate = 1024;                 // Mbps
  static constexpr double kLeastProbe = 0.5;                // Mbps
  static constexpr int64_t kLeastPackets = 10;              // of an interval
  static constexpr int64_t kMostPackets = 3000;
  static constexpr Duration kUnknownRtt = Duration::millis(100);
  static constexpr Duration kLongRtt = Duration::millis(1000);
  static constexpr Duration kInsteadOfLongRtt = Duration::millis(300);
  static constexpr double kSlopeUnit = 0.02;     // slopes count in multiples of it
  static constexpr double kStartSlope = 0.2;     // ignored below while starting
  static constexpr double kStartLosses = 50;     // packets that an interval may lose unpunished while starting
  static constexpr double kLightLoss = 0.03;     // up to it loss costs the rate and no more
  static constexpr double kSmoothedLoss = 0.01;  // a round of probes that lost less is judged by its average
  static constexpr double kHeavyLoss = 0.05;
  static constexpr double kSuspiciousLosses = 2;  // packets
  static constexpr double kEmergency = 0.5;       // loss that halves the rate at once
  static constexpr double kLargeStep = 0.1;       // of the rate: a larger increase is watched

  struct Result {
    double rate{};
    double sent_mbps{};
    double slope{};
    double lost{};  // packets
    double packets{};
    double utility{};
    [[nodiscard]] double loss() const { return packets > 0 ? lost / packets : 0; }
  };

  IntervalPlan next_interval() override;
  bool interval_over(const MonitorInterval& current, Time now) override { return enough_sent(current, now); }
  void on_result(const MonitorInterval& interval) override;
  // A silence is no result: what arrived and what was lost is known when it ends.
  void on_timeout(const TimeoutEvent&) override {}
  void after_silence(bool) override {}

  [[nodiscard]] double utility(const Result& result) const;
  void forgive_start(Result& result);
  bool stop_at_heavy_loss(const Result& result, uint64_t interval);
  void started(const Result& result);
  void probed();
  void moved(const Result& result);
  void probe();
  void move_by(double change, double from);
  [[nodiscard]] IntervalPlan interval_at(double mbps, uint32_t role);

  Random random_;
  VivaceUtility utility_{};
  double eps_{};
  VivaceStep step_;

  GradientMode mode_{GradientMode::starting};
  double base_{};  // Mbps
  double previous_utility_{-1e9};
  double losses_forgiven_{kStartLosses};
  Duration interval_time_{kUnknownRtt};  // mean RTT of the last interval that was judged
  bool doubled_{};                       // an interval at the doubled rate is under way

  // A round of probes, the interval sent while their results are awaited, and where a watched step leads.
  uint32_t round_{};  // results of an earlier one say nothing
  bool fresh_{};      // it begins with the next interval
  std::size_t probes_{kMostProbes};
  std::size_t launched_{};
  std::size_t finished_{};
  std::array<double, kMostProbes> plan_{};
  std::array<Result, kMostProbes> results_{};
  bool verified_{};  // a suspicious increase was tried a second time

  Result reference_{};
  double change_{};
  double target_{};  // Mbps

  uint64_t stopped_until_{};
  bool stopped_{};
  GradientView view_{};
};

}  // namespace paceline
