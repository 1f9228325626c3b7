#include "cca/allegro.hh"

#include <cmath>

#include "core/math.hh"

namespace paceline {

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
  const auto sigmoid = [](double steepness, double x) { return 1 / (1 + exact::exp(steepness * x)); };
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

const Internals<Allegro> Allegro::kInternals{{
    {"base_rate_mbps", "base rate", "Mbps", [](const Allegro& c) { return c.base_.to_mbps(); }},
    {"state",
     "state",
     "",
     [](const Allegro& c) { return c.mode_; },
     {Allegro::kModeNames.begin(), Allegro::kModeNames.end()}},
    {"utility", "utility", "", [](const Allegro& c) { return c.last_utility_; }},
    {"mi_loss_pct", "loss of the interval", "%", [](const Allegro& c) { return c.last_loss_ * 100; }},
    {"gradient", "utility gradient", "1/Mbps", [](const Allegro& c) { return c.gradient_; }},
    {"epsilon", "trial step", "", [](const Allegro& c) { return c.eps_; }},
    {"direction", "direction", "", [](const Allegro& c) { return c.direction_ + 1; }, {"down", "none", "up"}},
    {"mi_number", "monitor interval", "", [](const Allegro& c) { return c.last_id_; }},
    {"mi_length_ms", "length of the interval", "ms", [](const Allegro& c) { return c.last_length_ms_; }},
}};

namespace {

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
            PccController::window_param(2),
        },
    .internals = Allegro::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Allegro>(setup, params); },
}};

}  // namespace
}  // namespace paceline
