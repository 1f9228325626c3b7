// PCC Allegro (Dong, Li, Zarchy, Godfrey, Schapira, NSDI 2015; cca-reference 5.2): tries a slightly faster and a slightly
// slower rate in randomised trials, and moves to where more data gets through without exceeding 5 % loss.

#include <array>
#include <cmath>

#include "cca/pcc.hh"

namespace paceline {
namespace {

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

  void internals(std::span<float> out) const override {
    const double values[]{base_.to_mbps(),
                          static_cast<double>(mode_),
                          last_utility_,
                          last_loss_ * 100,
                          gradient_,
                          eps_,
                          static_cast<double>(direction_),
                          static_cast<double>(last_id_),
                          last_length_ms_};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(values[i]);
  }

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
  [[nodiscard]] bool interval_over(const MonitorInterval& current, Time now) const override {
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

IntervalPlan Allegro::next_interval() {
  switch (mode_) {
    case Mode::starting: {
      if (srtt_ == Duration::zero()) return interval_at(base_, false);
      // Each interval sends twice as fast as the one before, without waiting for its result.
      if (intervals_.useful() > 0 || any_utility_) base_ = bounded(base_ * 2);
      return interval_at(base_, true);
    }
    case Mode::decision: {
      if (launched_ == kTrials) return interval_at(base_, false);
      if (launched_ % 2 == 0) {
        const double sign = random_.chance(0.5) ? 1 : -1;
        plan_[launched_] = bounded(base_ * (1 + sign * eps_));
        plan_[launched_ + 1] = bounded(base_ * (1 - sign * eps_));
      }
      return interval_at(plan_[launched_++], true);
    }
    case Mode::adjusting:
      return interval_at(base_, intervals_.useful() == 0);
  }
  return {};
}

// What gets through, unless more than the tolerance is lost; less what is lost. In Mbps.
double Allegro::utility(const MonitorInterval& interval) const {
  const auto sigmoid = [](double steepness, double x) { return 1 / (1 + std::exp(steepness * x)); };
  const double loss = interval.loss();
  double through = interval.delivered_rate().to_mbps() * sigmoid(steepness_, loss - loss_tolerance_);
  const double wasted = interval.sent_rate().to_mbps() * loss;
  if (!latency_) return through - wasted;
  const double rtt = interval.rtt.count() > 0 ? interval.rtt.mean() : previous_rtt_;
  if (previous_rtt_ > 0) through *= sigmoid(kLatencySteepness, 1 - previous_rtt_ / rtt);
  return (through - wasted) / std::max(rtt * 1e-3, 1e-3);
}

void Allegro::on_result(const MonitorInterval& interval) {
  const double u = utility(interval);
  last_utility_ = u;
  last_loss_ = interval.loss();
  last_length_ms_ = interval.duration().to_millis();
  last_id_ = interval.id;
  if (interval.rtt.count() > 0) previous_rtt_ = interval.rtt.mean();
  if (!interval.representative()) {  // held back by something else: it says nothing about its rate
    discard();
    if (mode_ == Mode::starting) base_ = any_utility_ ? previous_ : interval.plan.rate;
    if (mode_ == Mode::adjusting) base_ = previous_;
    decide_again();
    return;
  }
  switch (mode_) {
    case Mode::starting:
      return started(interval, u);
    case Mode::decision:
      return tried(u);
    case Mode::adjusting:
      return adjusted(u);
  }
}

void Allegro::started(const MonitorInterval& interval, double utility) {
  if (any_utility_ && utility <= previous_utility_) {
    discard();
    base_ = previous_;
    decide_again();
    return;
  }
  any_utility_ = true;
  previous_ = interval.plan.rate;
  previous_utility_ = utility;
}

void Allegro::tried(double utility) {
  trials_[finished_] = {plan_[finished_], utility};
  if (++finished_ < kTrials) return;
  // A pair votes for the rate with the higher utility; equal ones for the slower one.
  int votes = 0;
  double faster = 0;
  double slower = 0;
  double distance = 0;
  for (std::size_t i = 0; i < kTrials; i += 2) {
    const bool first_faster = trials_[i].rate > trials_[i + 1].rate;
    const Trial& up = trials_[first_faster ? i : i + 1];
    const Trial& down = trials_[first_faster ? i + 1 : i];
    votes += up.utility > down.utility ? 1 : -1;
    faster += up.utility / 2;
    slower += down.utility / 2;
    distance += (up.rate.to_mbps() - down.rate.to_mbps()) / 2;
  }
  gradient_ = distance > 0 ? (faster - slower) / distance : 0;
  if (votes == 0) {
    eps_ = std::min(eps_ + eps_min_, eps_max_);
    launched_ = finished_ = 0;
    return;
  }
  direction_ = votes > 0 ? 1 : -1;
  const Rate winner = bounded(base_ * (1 + direction_ * eps_));
  eps_ = eps_min_;
  steps_ = 0;
  mode_ = Mode::adjusting;
  step(winner, direction_ > 0 ? faster : slower);
}

void Allegro::adjusted(double utility) {
  const double moved = base_.to_mbps() - previous_.to_mbps();
  if (moved != 0) gradient_ = (utility - previous_utility_) / moved;
  if (utility > previous_utility_ && moved != 0) return step(base_, utility);
  base_ = previous_;
  decide_again();
}

// From a rate whose utility is known, one step further than last time.
void Allegro::step(Rate from, double utility) {
  ++steps_;
  previous_ = from;
  previous_utility_ = utility;
  base_ = bounded(from * (1 + steps_ * eps_min_ * direction_));
}

void Allegro::decide_again() {
  mode_ = Mode::decision;
  direction_ = 0;
  launched_ = finished_ = 0;
  eps_ = eps_min_;
}

const RegisterCca allegro{{
    .id = "allegro",
    .label = "PCC Allegro",
    .family = "learning",
    .summary = "Believes nothing about the path and tries: a little faster and a little slower, twice each in random "
               "order, and "
               "moves to the rate at which more data got through. It does not mind losing up to 5 %.",
    .source =
        "Dong, Li, Zarchy, Godfrey, Schapira: PCC: re-architecting congestion control for consistent high performance, "
        "NSDI 2015, sections 2 and 3",
    .identity = {.slot = 4, .marker = "triangle-down", .hollow = true},
    .needs = PccController::kNeeds,
    .params =
        {
            {.name = "loss_tolerance",
             .label = "Loss tolerance",
             .unit = "",
             .initial = 0.05,
             .min = 0,
             .max = 0.3,
             .help = "Share of lost packets beyond which a rate counts as bad; it is also about how much it loses at a "
                     "full queue."},
            {.name = "alpha",
             .label = "Steepness",
             .unit = "",
             .initial = 100,
             .min = 1,
             .max = 1000,
             .help = "How sharply the utility falls at the loss tolerance; the published value is 100."},
            {.name = "eps_min",
             .label = "Smallest trial step",
             .unit = "",
             .initial = 0.01,
             .min = 0.001,
             .max = 0.1,
             .help = "How far trials lie from the rate at first, as a share of it; larger is faster and coarser."},
            {.name = "eps_max",
             .label = "Largest trial step",
             .unit = "",
             .initial = 0.05,
             .min = 0.001,
             .max = 0.3,
             .help = "How far trials may spread when they contradict each other."},
            {.name = "mi_rtt_lo",
             .label = "Shortest monitor interval",
             .unit = "round trips",
             .initial = 1.5,
             .min = 0.5,
             .max = 10,
             .help = "Intervals are drawn between the shortest and the longest; the paper says 1.7 to 2.2, the "
                     "authors' program "
                     "1.5 to 1.7."},
            {.name = "mi_rtt_hi",
             .label = "Longest monitor interval",
             .unit = "round trips",
             .initial = 1.7,
             .min = 0.5,
             .max = 10,
             .help = "Longer intervals measure more surely and react later."},
            {.name = "latency",
             .label = "Mind the delay",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 0,
             .max = 1,
             .help = "The authors' latency variant: utility falls when the RTT rises, and is counted per millisecond "
                     "of RTT."},
            {.name = "init_rate_mbps",
             .label = "First rate",
             .unit = "Mbps",
             .initial = 1,
             .min = 0.01,
             .max = 1000,
             .help = "Rate of the first interval, from which it doubles; raise it to skip the start."},
            PccController::window_param(),
        },
    .internals = {{.name = "base_rate_mbps", .label = "base rate", .unit = "Mbps"},
                  {.name = "state",
                   .label = "state",
                   .unit = "",
                   .states = {Allegro::kModeNames.begin(), Allegro::kModeNames.end()}},
                  {.name = "utility", .label = "utility", .unit = ""},
                  {.name = "mi_loss_pct", .label = "loss of the interval", .unit = "%"},
                  {.name = "gradient", .label = "utility gradient", .unit = "1/Mbps"},
                  {.name = "epsilon", .label = "trial step", .unit = ""},
                  {.name = "direction", .label = "direction", .unit = ""},
                  {.name = "mi_number", .label = "monitor interval", .unit = ""},
                  {.name = "mi_length_ms", .label = "length of the interval", .unit = "ms"}},
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Allegro>(setup, params); },
}};

}  // namespace
}  // namespace paceline
