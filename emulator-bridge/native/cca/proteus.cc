#include "cca/proteus.hh"

#include "core/math.hh"

namespace paceline {

Proteus::Proteus(const Setup& setup, const Params& params, const ProteusSettings& settings)
    : PccController{setup, params, kFirstRate},
      settings_{settings},
      random_{setup.random},
      base_{kFirstRate.to_mbps()} {
  view_.base_mbps = base_;
}

// The first rate supposed a round trip of 100 ms.
void Proteus::scale_first_rate(const AckEvent& ack) {
  if (rtt_seen_ || !ack.rtt) return;
  rtt_seen_ = true;
  const Duration rtt = std::max(*ack.rtt, kLeastRtt);
  if (rtt < kSupposedRtt) base_ *= kSupposedRtt.to_seconds() / rtt.to_seconds();
  view_.base_mbps = base_;
}

// Each packet's own RTT is looked at, and counts when the next one has come and told what it is worth.
void Proteus::on_ack(const AckEvent& ack) {
  scale_first_rate(ack);
  note_rtt(ack);
  for (const AckedPacket& packet : ack.packets) {
    settle(ack.rtt && bursts_.previous_is_reliable(ack.now, packet.rtt, ack.srtt));
    waiting_ = {.packet = packet, .rtt = ack.rtt ? std::optional{packet.rtt} : std::nullopt, .srtt = ack.srtt};
  }
  take_results();
}

void Proteus::on_loss(const LossEvent& loss) {
  intervals_.on_loss(loss);
  bursts_.note_loss();
  settle(false);
  take_results();
}

void Proteus::settle(bool reliable) {
  if (!waiting_) return;
  intervals_.on_arrived(waiting_->packet, waiting_->rtt, reliable, waiting_->srtt);
  waiting_.reset();
}

IntervalPlan Proteus::next_interval() {
  interval_time_ = min_rtt_;
  bool useful = srtt_ > Duration::zero() && intervals_.useful() == 0;
  double mbps = base_;
  if (mode_ == GradientMode::probing) {
    useful = launched_ < 2 * pairs();
    if (useful) {
      if (launched_ % 2 == 0) {
        const double sign = random_.chance(0.5) ? 1 : -1;
        plan_[launched_] = base_ * (1 + sign * settings_.eps);
        plan_[launched_ + 1] = base_ * (1 - sign * settings_.eps);
      }
      mbps = plan_[launched_++];
    }
  }
  return {.rate = Rate::mbps(mbps), .useful = useful};
}

// A useful interval lasts a least RTT, and until it has seen enough round trips of its own; a filler until the decision.
bool Proteus::interval_over(const MonitorInterval& current, Time now) {
  if (srtt_ == Duration::zero()) return false;
  if (intervals_.useful() == 0) return true;
  if (!current.plan.useful || current.rtt.count() < kLeastSamples || now - current.first_sent < interval_time_)
    return false;
  if (current.rtt.count() > kReliableShare * current.rtts || current.extended) return true;
  interval_time_ = interval_time_ * 2;
  intervals_.current().extended = true;
  return false;
}

double Proteus::utility(const MonitorInterval& interval, RttNoise::Signal signal) const {
  const double mbps = interval.sent_rate().to_mbps();
  const double primary = settings_.utility(mbps, signal.slope, interval.loss());
  const bool alone =
      settings_.mode == ProteusMode::primary || (settings_.mode == ProteusMode::hybrid && mbps < settings_.switch_mbps);
  return alone ? primary : primary - settings_.deviation * signal.deviation * mbps;
}

void Proteus::on_result(const MonitorInterval& interval) {
  // The application held it back, or it is a single packet: the round says nothing.
  if (!interval.representative() || interval.first_sent == interval.last_sent) return probe_again();
  const RttNoise::Signal signal = noise_.judge(interval, mode_ == GradientMode::starting);
  const Outcome outcome{.rate = interval.plan.rate.to_mbps(), .utility = utility(interval, signal)};
  view_.note(interval, outcome.utility, signal.slope);
  switch (mode_) {
    case GradientMode::starting:
      started(outcome);
      break;
    case GradientMode::probing:
      outcomes_[finished_++] = outcome;
      if (finished_ == 2 * pairs()) probed();
      break;
    case GradientMode::moving:
      moved(outcome);
      break;
  }
  view_.mode = mode_;
  view_.base_mbps = base_;
}

void Proteus::started(const Outcome& outcome) {
  if (outcome.utility > last_.utility) {
    last_ = outcome;
    base_ = std::min(base_ * 2, kMostRate);
  } else {
    base_ *= 0.5;
    enter_probing();
  }
}

void Proteus::enter_probing() {
  mode_ = GradientMode::probing;
  rounds_ = 1;
  launched_ = finished_ = 0;
  if (base_ < kLeastRate) {
    base_ = kLeastRate;
    bound_steps_ = 0;
  }
  above_switch_ = base_ * (1 + settings_.eps) > settings_.switch_mbps;
}

// The same round once more, around the same rate.
void Proteus::probe_again() {
  discard();
  if (mode_ == GradientMode::probing) {
    launched_ = finished_ = 0;
    ++rounds_;
  } else {
    enter_probing();
  }
  view_.mode = mode_;
  view_.base_mbps = base_;
}

void Proteus::probed() {
  const std::size_t n = pairs();
  std::size_t ups = 0;
  for (std::size_t i = 0; i < 2 * n; i += 2) {
    const bool first_faster = outcomes_[i].rate > outcomes_[i + 1].rate;
    const bool first_better = outcomes_[i].utility > outcomes_[i + 1].utility;
    ups += first_faster == first_better ? 1 : 0;
  }
  const std::size_t downs = n - ups;
  // A primary goes up on a majority and down on unanimity; a scavenger the other way round.
  const bool decided = scavenging() ? 2 * downs > n || ups == n : 2 * ups > n || downs == n;
  if (!decided) {
    launched_ = finished_ = 0;
    ++rounds_;
  } else {
    direction_ = ups > downs ? 1 : -1;
    double difference = 0;
    for (std::size_t i = 0; i < 2 * n; i += 2) {
      const Outcome& first = outcomes_[i];
      const Outcome& second = outcomes_[i + 1];
      const Outcome& better = first.utility > second.utility ? first : second;
      const bool up = (first.rate > second.rate) == (first.utility > second.utility);
      if (up != (direction_ > 0)) continue;
      difference += std::abs(first.utility - second.utility);
      last_ = better;
    }
    bound_steps_ = 0;
    rounds_ = 1;
    mode_ = GradientMode::moving;
    view_.gradient = direction_ * difference / static_cast<double>(n) / (2 * settings_.eps * base_);
    base_ *= 1 + direction_ * settings_.eps;
    move(bounded_step(std::abs(view_.gradient), 1));
  }
  // Nothing to gain at the floor: start again.
  if ((rounds_ > 1 || mode_ == GradientMode::moving) && base_ <= kLeastRate) {
    base_ = kLeastRate;
    bound_steps_ = 0;
    rounds_ = 1;
    mode_ = GradientMode::starting;
  }
}

void Proteus::moved(const Outcome& outcome) {
  const double rise = outcome.rate - last_.rate;
  const double gain = outcome.utility - last_.utility;
  if (rise != 0) view_.gradient = gain / rise;
  if (gain * rise * direction_ > 0) {
    ++rounds_;
    const double amplifier = exact::pow((rounds_ + 1) / 2, kAmplifierExponent);
    last_ = outcome;
    return move(bounded_step(std::abs(view_.gradient), amplifier));
  }
  // One step back, not amplified.
  const double step = bounded_step(std::abs(view_.gradient), 1);
  base_ = std::min(base_ - direction_ * step, kMostRate);
  view_.step_mbps = -direction_ * step;
  enter_probing();
}

void Proteus::move(double change) {
  base_ = std::min(base_ + direction_ * change, kMostRate);
  view_.step_mbps = direction_ * change;
  if (base_ < kLeastRate) enter_probing();
}

double Proteus::bounded_step(double gradient, double amplifier) {
  double step = gradient * amplifier;  // 1 Mbps per unit of gradient
  const double bound = base_ * (kBound + kBound * bound_steps_);
  if (step > bound) {
    step = bound;
    ++bound_steps_;
  } else if (bound_steps_ > 0) {
    --bound_steps_;
  }
  view_.amplifier = amplifier;
  return std::max(step, kLeastStep);
}

namespace {

// The three of them differ in the utility and in the number of probes.
std::unique_ptr<Controller> make(ProteusMode mode, const Setup& setup, const Params& params) {
  ProteusSettings settings{.mode = mode,
                           .utility = {.exponent = params.number("exponent"),
                                       .latency = params.number("b_latency"),
                                       .loss = params.number("c_loss")},
                           .pairs = static_cast<std::size_t>(params.integer("probe_pairs"))};
  if (mode != ProteusMode::primary) settings.deviation = params.number("dev_coeff");
  if (mode == ProteusMode::hybrid) settings.switch_mbps = params.number("hybrid_rate_mbps");
  return std::make_unique<Proteus>(setup, params, settings);
}

ParamSpec pairs_param(double initial) {
  return {
      .name = "probe_pairs",
      .label = "Pairs of probes",
      .type = ParamType::integer,
      .unit = "",
      .initial = initial,
      .min = 1,
      .max = static_cast<double>(Proteus::kMostPairs),
      .help = "Probes of a round, in pairs of a faster and a slower one; more of them decide more surely and later."};
}
ParamSpec deviation_param() {
  return {.name = "dev_coeff",
          .label = "Weight of RTT deviation",
          .unit = "1/us",
          .initial = 0.0015,
          .min = 0,
          .max = 0.1,
          .help = "Cost of a microsecond of RTT standard deviation; it is what makes a scavenger give way to others."};
}

constexpr std::string_view kSource =
    "Meng, Schapira, Godfrey: PCC Proteus: scavenger transport and beyond, SIGCOMM 2020; the authors' release of that "
    "year";

const RegisterCca primary{{
    .id = "proteus-p",
    .label = "Proteus-P",
    .family = "learning",
    .summary = "PCC Vivace with a filter that tells a growing queue from jitter: believes nothing about the path, "
               "probes a little "
               "above and below its rate, and climbs a utility of rate, RTT slope and loss. The primary of the Proteus "
               "family.",
    .source = kSource,
    .identity = {.slot = 5, .marker = "plus", .hollow = false},
    .needs = PccController::kNeeds,
    .params = {exponent_param(), latency_param(), loss_param(), pairs_param(3), PccController::window_param()},
    .internals = gradient_internals().specs(),
    .make = [](const Setup& setup, const Params& params) { return make(ProteusMode::primary, setup, params); },
}};

const RegisterCca scavenger{{
    .id = "proteus-s",
    .label = "Proteus-S",
    .family = "learning",
    .summary = "A scavenger for transfers that can wait: like Proteus-P, but it also dislikes an RTT that varies, "
               "which it does as "
               "soon as somebody else's packets share the queue. Then it gives way.",
    .source = kSource,
    .identity = {.slot = 5, .marker = "cross", .hollow = true},
    .needs = PccController::kNeeds,
    .params = {exponent_param(), latency_param(), loss_param(), deviation_param(), pairs_param(2),
               PccController::window_param()},
    .internals = gradient_internals().specs(),
    .make = [](const Setup& setup, const Params& params) { return make(ProteusMode::scavenger, setup, params); },
}};

const RegisterCca hybrid{{
    .id = "proteus-h",
    .label = "Proteus-H",
    .family = "learning",
    .summary =
        "A primary below a rate and a scavenger above it: an application that needs so much and no more, a video say, "
        "defends that and leaves the rest to others.",
    .source = kSource,
    .identity = {.slot = 5, .marker = "diamond", .hollow = false},
    .needs = PccController::kNeeds,
    .params =
        {{.name = "hybrid_rate_mbps",
          .label = "Switching rate",
          .unit = "Mbps",
          .initial = 6,
          .min = 0,
          .max = 10000,
          .help =
              "What the application needs: below it the flow competes, above it it gives way. 0: it always gives way."},
         exponent_param(),
         latency_param(),
         loss_param(),
         deviation_param(),
         pairs_param(3),
         PccController::window_param()},
    .internals = gradient_internals().specs(),
    .make = [](const Setup& setup, const Params& params) { return make(ProteusMode::hybrid, setup, params); },
}};

}  // namespace
}  // namespace paceline
