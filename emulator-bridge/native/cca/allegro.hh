#pragma once
// PCC Allegro (Dong, Li, Zarchy, Godfrey, Schapira, NSDI 2015; docs/reference.md 5.2): tries a slightly faster and a slightly
// slower rate in randomised trials, and moves to where more data gets through without exceeding 5 % loss.

#include <array>

#include "cca/pcc.hh"

namespace paceline {

class Allegro final : public PccController {
 public:
  Allegro(const Setup& setup, const Params& params)
      : PccController{setup, params, Rate::mbps(params.number("init_rate_mbps"))},
        random_{setup.random},
        loss_tolerance_{params.number("loss_tolerance")},
        steepness_{params.number("alpha")},
        eps_min_{params.number("eps_min")},
        eps_max_{std::max(eps_min_, params.number("eps_max"))},
        shortest_{params.number("mi_rtt_lo")},
        longest_{std::max(shortest_, params.number("mi_rtt_hi"))},
        latency_{params.flag("latency")},
        base_{rate_},
        eps_{eps_min_} {}

  [[nodiscard]] std::string_view phase() const override { return kModeNames[static_cast<std::size_t>(mode_)]; }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Allegro> kInternals;

  static constexpr std::array<std::string_view, 3> kModeNames{"STARTING", "DECISION", "ADJUSTING"};

 private:
  static constexpr std::size_t kTrials = 4;                    // two pairs
  static constexpr int64_t kLeastPackets = 10;                 // of an interval
  static constexpr Duration kShortPath = Duration::millis(5);  // intervals last at least as long (UDT)
  static constexpr double kLengthMargin = 1.1;                 // UDT: round trip x rate for kLeastPackets, plus 10 %
  static constexpr Rate kLeastRate{8e3};                       // 1 kB/s (kernel)
  static constexpr double kLeastPerRtt = 2;                    // packets
  static constexpr Rate kMostRate = Rate::mbps(1e5);           // nothing real is faster
  static constexpr double kLatencySteepness = 10;              // UDT's latency variant

  enum class Mode : uint8_t { starting, decision, adjusting };

  struct Trial {
    Rate rate{};
    double utility{};
  };

  IntervalPlan next_interval() override;
  void on_result(const MonitorInterval& interval) override;

  // Planned in packets; cut short when the round trip turns out to be much shorter than it was believed to be (after an outage).
  [[nodiscard]] bool interval_over(const MonitorInterval& current, Time now) override {
    return enough_sent(current, now) || (static_cast<int64_t>(current.packets()) >= kLeastPackets &&
                                         now - current.first_sent > std::max(kShortPath, scale(srtt_, longest_)));
  }

  void after_silence(bool repeated) override {
    if (!repeated) base_ = bounded(base_ * 0.5);
    decide_again();
  }

  [[nodiscard]] double utility(const MonitorInterval& interval) const;
  void started(const MonitorInterval& interval, double utility);
  void tried(double utility);
  void adjusted(double utility);
  void decide_again();
  void step(Rate from, double utility);

  [[nodiscard]] IntervalPlan interval_at(Rate rate, bool useful) {
    return {.rate = rate, .useful = useful, .packets = length(rate)};
  }
  [[nodiscard]] int64_t length(Rate rate) {
    if (rate.bytes_in(scale(srtt_, kLengthMargin)) > mss_ * kLeastPackets)
      return std::max(kLeastPackets, packets_in(rate, scale(srtt_, random_.uniform(shortest_, longest_))));
    return std::max(kLeastPackets, packets_in(rate, kShortPath));
  }
  [[nodiscard]] Rate bounded(Rate rate) const {
    const Rate least = Rate::of(scale(mss_, kLeastPerRtt), srtt_);
    return std::clamp(rate, std::max(kLeastRate, std::min(least, kMostRate)), kMostRate);
  }

  Random random_;
  double loss_tolerance_{};
  double steepness_{};
  double eps_min_{};
  double eps_max_{};
  double shortest_{};
  double longest_{};
  bool latency_{};

  Mode mode_{Mode::starting};
  Rate base_{};      // the rate to which trials and steps refer
  Rate previous_{};  // and the one before the last step
  double previous_utility_{};
  bool any_utility_{};
  double previous_rtt_{};  // microseconds

  double eps_{};
  std::array<Rate, kTrials> plan_{};
  std::size_t launched_{};
  std::array<Trial, kTrials> trials_{};
  std::size_t finished_{};

  int direction_{};
  int steps_{};

  // For plots.
  double last_utility_{};
  double last_loss_{};
  double last_length_ms_{};
  uint64_t last_id_{};
  double gradient_{};
};

}  // namespace paceline
