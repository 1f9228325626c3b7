#include "cca/vivace.hh"

#include "cca/proteus.hh"

namespace paceline {

namespace {

constexpr double kPublished = 11330;  // weight of the RTT's slope in the program of 2018, and of its successor
constexpr double kRelease = 900;

double latency(const Params& params, double of_profile) {
  const double given = params.number("b_latency");
  return given < 0 ? of_profile : given;
}

}  // namespace

Vivace::Vivace(const Setup& setup, const Params& params)
    : PccController{setup, params, Rate::mbps(params.number("init_rate_mbps"))},
      random_{setup.random},
      utility_{.exponent = params.number("exponent"),
               .latency = latency(params, kPublished),
               .loss = params.number("c_loss")},
      eps_{params.number("eps")},
      step_{params.number("theta0"), params.number("bound0"), params.number("bound_inc")},
      base_{rate_.to_mbps() / 2} {
  view_.base_mbps = base_;
}

IntervalPlan Vivace::interval_at(double mbps, uint32_t role) {
  const Rate rate = Rate::mbps(std::min(mbps, kMostRate));
  return {.rate = rate,
          .role = round_ * kRoles + role,
          .packets = std::clamp(packets_in(rate, interval_time_), kLeastPackets, kMostPackets)};
}

IntervalPlan Vivace::next_interval() {
  switch (mode_) {
    case GradientMode::starting:
      if (doubled_) return interval_at(base_, kFiller);
      doubled_ = true;
      base_ = std::min(base_ * 2, kMostRate);
      view_.base_mbps = base_;
      return interval_at(base_, kStart);
    case GradientMode::probing:
      if (fresh_) {
        fresh_ = false;
        ++round_;
        probes_ = step_.in_trend() ? kMostProbes / 2 : kMostProbes;
        launched_ = finished_ = 0;
      }
      if (launched_ == probes_) return interval_at(base_, kWaiting);
      if (launched_ % 2 == 0) {
        const double sign = random_.chance(0.5) ? 1 : -1;
        const double distance = std::max(eps_ * base_, kLeastProbe);
        plan_[launched_] = base_ + sign * distance;
        plan_[launched_ + 1] = base_ - sign * distance;
      }
      ++launched_;
      return interval_at(plan_[launched_ - 1], kProbe + static_cast<uint32_t>(launched_ - 1));
    case GradientMode::moving:
      if (!fresh_) return interval_at(base_, kFiller);
      fresh_ = false;
      view_.base_mbps = base_ = target_;
      return interval_at(base_, kMoved);
  }
  return {};
}

double Vivace::utility(const Result& result) const {
  const double loss = result.loss();
  VivaceUtility u = utility_;
  if (loss <= kLightLoss) u.loss = std::min(1.0, u.loss);
  return u(result.sent_mbps, std::trunc(result.slope / kSlopeUnit) * kSlopeUnit, loss);
}

void Vivace::on_result(const MonitorInterval& interval) {
  if (interval.rtt.count() > 0) {
    interval_time_ = Duration{static_cast<int64_t>(interval.rtt.mean() * 1e3)};
    if (interval_time_ > kLongRtt) interval_time_ = kInsteadOfLongRtt;
  }
  const uint32_t role = interval.plan.role % kRoles;
  const bool of_this_round = interval.plan.role / kRoles == round_ && !fresh_;
  if (interval.app_limited > 0) {  // it says nothing about its rate
    if (mode_ == GradientMode::starting) base_ *= 0.5;
    if (mode_ == GradientMode::starting || (of_this_round && role >= kMoved)) probe();
    return;
  }
  const double packet = static_cast<double>(mss_.v);
  Result result{.rate = interval.plan.rate.to_mbps(),
                .sent_mbps = interval.sent_rate().to_mbps(),
                .slope = interval.rtt_slope(),
                .lost = static_cast<double>(interval.bytes_lost.v) / packet,
                .packets = static_cast<double>(interval.bytes_sent.v) / packet};
  if (mode_ == GradientMode::starting) forgive_start(result);
  result.utility = utility(result);
  view_.note(interval, result.utility, result.slope);
  // The newest of them stays: what a watched step is compared with.
  if (role == kWaiting) reference_ = result;
  if (stop_at_heavy_loss(result, interval.id)) return;
  if (mode_ == GradientMode::starting) {
    if (role == kStart) started(result);
  } else if (of_this_round && role == kMoved) {
    moved(result);
  } else if (of_this_round && role >= kProbe && mode_ == GradientMode::probing) {
    results_[role - kProbe] = result;
    if (++finished_ == probes_) probed();
  }
}

// The doubling overshoots: small slopes, and few losses of an interval, do not count. Only an interval that lost more uses up the
// allowance; then losses count, and slopes if there were any.
void Vivace::forgive_start(Result& result) {
  const bool forgiven = result.lost <= losses_forgiven_;
  if ((forgiven || losses_forgiven_ > 0) && std::abs(result.slope) < kStartSlope) result.slope = 0;
  if (forgiven) {
    result.lost = 0;
  } else {
    result.lost -= losses_forgiven_;
    losses_forgiven_ = 0;
  }
}

// More than half of it lost: half the rate at once, but once per round trip.
bool Vivace::stop_at_heavy_loss(const Result& result, uint64_t interval) {
  if (result.loss() <= kEmergency) {
    stopped_ = false;
    return false;
  }
  if (stopped_ && interval != stopped_until_) return false;
  stopped_ = true;
  stopped_until_ = intervals_.current().id;
  base_ *= 0.5;
  probe();
  retune(Rate::mbps(base_));
  return true;
}

// At the rate that was too high the interval under way goes on to its end, and what it loses counts.
void Vivace::started(const Result& result) {
  doubled_ = false;
  if (result.utility < previous_utility_) {
    base_ *= 0.5;
    return probe();
  }
  previous_utility_ = result.utility;
}

// A new round of probes around the base rate, from the next interval on.
void Vivace::probe() {
  mode_ = GradientMode::probing;
  fresh_ = true;
  base_ = std::clamp(base_, kLeastRate, kMostRate);
  view_.mode = mode_;
  view_.base_mbps = base_;
}

void Vivace::probed() {
  double lost_up = 0;
  double lost_down = 0;
  double packets = 0;
  const auto is_up = [&](std::size_t i) { return results_[i].rate > results_[i ^ 1U].rate; };
  for (std::size_t i = 0; i < probes_; ++i) {
    (is_up(i) ? lost_up : lost_down) += results_[i].lost;
    packets += results_[i].packets;
  }
  const double loss = (lost_up + lost_down) / packets;
  if (loss <= kSmoothedLoss) {
    for (std::size_t i = 0; i < probes_; ++i) {
      results_[i].lost = loss * results_[i].packets;
      results_[i].utility = utility(results_[i]);
    }
  }
  int votes = 0;
  Result up{};
  Result down{};
  const double pairs = static_cast<double>(probes_) / 2;
  for (std::size_t i = 0; i < probes_; ++i) {
    Result& side = is_up(i) ? up : down;
    side.rate = results_[i].rate;
    side.utility += results_[i].utility / pairs;
    if (!is_up(i)) continue;
    const double difference = results_[i].utility - results_[i ^ 1U].utility;
    votes += difference > 0 ? 1 : difference < 0 ? -1 : 0;
  }
  // Faster is better, and yet much was lost at the slower rate: looked at twice.
  if (votes > 0 && lost_down - lost_up > kSuspiciousLosses && lost_up > 0 && loss >= kHeavyLoss) {
    if (!verified_) {
      votes = 0;
    } else {
      step_.distrust();
    }
    verified_ = !verified_;
  } else {
    verified_ = false;
  }
  if (votes == 0) {
    step_.forget_direction();
    return probe();
  }
  view_.gradient = (up.utility - down.utility) / (up.rate - down.rate);
  move_by(step_.next(base_, view_.gradient), base_);
}

// Small steps and all steps down are made and probed around again; a large increase is watched: the interval after it is
// compared with the one before it.
void Vivace::move_by(double change, double from) {
  view_.step_mbps = change;
  view_.amplifier = step_.amplifier();
  if (change <= kLargeStep * from || from + change >= kMostRate) {
    base_ = from + change;
    probe();
    return retune(Rate::mbps(base_));
  }
  mode_ = view_.mode = GradientMode::moving;
  fresh_ = true;
  target_ = from + change;
  change_ = change;
}

void Vivace::moved(const Result& result) {
  if (result.rate == reference_.rate) return probe();
  view_.gradient = (result.utility - reference_.utility) / (result.rate - reference_.rate);
  const double change = step_.next(base_, view_.gradient);
  const double loss = (result.lost + reference_.lost) / (reference_.packets + result.lost);
  const bool less_loss_at_more = (reference_.rate - result.rate) * (reference_.loss() - result.loss()) < 0;
  if (less_loss_at_more && (std::abs(reference_.lost - result.lost) > kSuspiciousLosses || loss >= kHeavyLoss)) {
    verified_ = true;
    step_.forget_direction();
    return probe();
  }
  const bool turned = change * change_ <= 0;
  if (!turned && change <= kLargeStep * base_) step_.distrust();
  reference_ = result;
  move_by(change, base_);
}

namespace {

ParamSpec profiles_latency() {
  ParamSpec spec = latency_param();
  spec.initial = spec.min = -1;
  spec.help =
      "Cost of an RTT that grows by a second per second; -1 takes the profile's: 11330 in nsdi18, 900 in uspace. 0 is "
      "the "
      "variant that only minds loss, and fills the queue.";
  return spec;
}

const RegisterCca vivace{{
    .id = "vivace",
    .label = "PCC Vivace",
    .family = "learning",
    .summary =
        "Believes nothing about the path and learns: more rate is good, a growing RTT and loss are bad. It probes a "
        "little "
        "above and below its rate and climbs the slope of that utility, in steps that grow while the direction lasts.",
    .source = "Dong, Meng, Zarchy, Arslan, Gilad, Godfrey, Schapira: PCC Vivace: online-learning congestion control, "
              "NSDI 2018; "
              "the authors' program of that year, or their release of 2020 (profile uspace)",
    .identity = {.slot = 4, .marker = "triangle-down", .hollow = false},
    .needs = PccController::kNeeds,
    .params =
        {
            {.name = "profile",
             .label = "Profile",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"nsdi18", "uspace"},
             .help = "nsdi18: as published, with confidence amplifier and dynamic bound; uspace: the authors' later "
                     "release, which "
                     "is Proteus-P's controller with its noise filter."},
            exponent_param(),
            profiles_latency(),
            loss_param(),
            {.name = "eps",
             .label = "Probe step",
             .unit = "",
             .initial = 0.05,
             .min = 0.01,
             .max = 0.3,
             .help = "How far probes lie from the rate, as a share of it; larger sees more clearly and disturbs more."},
            {.name = "theta0",
             .label = "Step per gradient",
             .unit = "Mbps²",
             .initial = 1,
             .min = 0.01,
             .max = 100,
             .matters_with = {"profile", {"nsdi18"}},
             .help = "First step per unit of utility gradient (nsdi18); larger converges faster and overshoots."},
            {.name = "bound0",
             .label = "First bound of a step",
             .unit = "",
             .initial = 0.05,
             .min = 0.01,
             .max = 1,
             .matters_with = {"profile", {"nsdi18"}},
             .help = "Largest first step as a share of the rate (nsdi18)."},
            {.name = "bound_inc",
             .label = "Growth of the bound",
             .unit = "",
             .initial = 0.06,
             .min = 0,
             .max = 1,
             .matters_with = {"profile", {"nsdi18"}},
             .help = "How much the bound grows each time a step reaches it (nsdi18)."},
            {.name = "init_rate_mbps",
             .label = "First rate",
             .unit = "Mbps",
             .initial = 1.6,
             .min = 0.2,
             .max = 1000,
             .matters_with = {"profile", {"nsdi18"}},
             .help = "Rate of the first interval, from which it doubles (nsdi18); raise it to skip the start."},
            PccController::window_param(),
        },
    .internals = gradient_internals().specs(),
    .make = [](const Setup& setup, const Params& params) -> std::unique_ptr<Controller> {
      if (params.choice("profile") == "nsdi18") return std::make_unique<Vivace>(setup, params);
      return std::make_unique<Proteus>(setup, params,
                                       ProteusSettings{.mode = ProteusMode::primary,
                                                       .utility = {.exponent = params.number("exponent"),
                                                                   .latency = latency(params, kRelease),
                                                                   .loss = params.number("c_loss")},
                                                       .eps = params.number("eps")});
    },
}};

}  // namespace
}  // namespace paceline
