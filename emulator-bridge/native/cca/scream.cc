#include "cca/scream.hh"

#include <cmath>

namespace paceline {
namespace {

Scream::Marks marks_of(const Params& params) {
  const std::string_view name = params.choice("ecn");
  return name == "l4s" ? Scream::Marks::l4s : name == "classic" ? Scream::Marks::classic : Scream::Marks::none;
}

}  // namespace

Scream::Scream(const Setup& setup, const Params& params)
    : mss_{setup.mss},
      packet_{as_double(setup.mss)},
      target_s_{params.number("queue_target_ms") * 1e-3},
      loss_factor_{params.number("loss_factor")},
      ce_factor_{params.number("ce_factor")},
      increase_{params.number("increase")},
      pacing_headroom_{params.number("pacing_headroom")},
      inflight_headroom_{params.number("inflight_headroom")},
      headroom_{params.number("window_headroom")},
      marks_{marks_of(params)},
      window_{kLeastPackets * packet_},
      last_maximum_{1},
      start_{setup.now} {}

void Scream::on_loss(const LossEvent& loss) {
  for (uint32_t i = 0; i < loss.packet_count; ++i)
    loss_rate_ += std::min(kLossAveraging, packet_ / window_ / 2) * (1 - loss_rate_);
  // Single losses without a queue are a radio's, not congestion.
  if (loss.now - last_reaction_ <= srtt_ && congested_before_) return;
  if (loss_rate_ > kLossThreshold || queueing_average_ > target_s_ / 4) lost_ = true;
}

void Scream::on_timeout(const TimeoutEvent& timeout) {
  if (!timeout.repeated) cut(timeout.now, loss_factor_);
}

void Scream::on_ack(const AckEvent& ack) {
  if (ack.srtt > Duration::zero()) srtt_ = ack.srtt;
  measure(ack);
  if (marks_ == Marks::l4s) update_alpha(ack);
  if (ack.now - last_slow_ > kSlowPeriod) {
    last_slow_ = ack.now;
    if (ack.now - start_ > kAtFirst) {
      most_inflight_before_ = most_inflight_;
      most_inflight_ = as_double(ack.inflight);
    }
  }
  const bool reacted = react(ack.now);
  if (reacted || ack.now - last_growth_ > reaction_time()) grow(ack.now);
}

void Scream::measure(const AckEvent& ack) {
  for (const AckedPacket& packet : ack.packets) {
    queueing_ = base_delay_.queueing(ack.now, packet.one_way).to_seconds();
    variation_.sample(queueing_, target_s_);
    loss_rate_ -= std::min(kLossAveraging, packet_ / window_ / 2) * loss_rate_;
  }
  acked_ += std::max(0.0, as_double(ack.acked_bytes) - packet_ * ack.ce_packets);
  ce_ |= ack.ce_packets > 0 && marks_ != Marks::none;
  if (ack.now - last_average_ <= reaction_time()) return;
  last_average_ = ack.now;
  // Down at once, up slowly.
  queueing_average_ =
      queueing_ < queueing_average_ ? queueing_ : queueing_average_ + kDelayGain * (queueing_ - queueing_average_);
  variation_.update();
}

// The share of marked packets, averaged.
void Scream::update_alpha(const AckEvent& ack) {
  marked_ += ack.ce_packets;
  delivered_ += ack.acked_packets;
  if (ack.now - last_alpha_ <= std::min(kAlphaPeriod, srtt_) || delivered_ == 0) return;
  last_alpha_ = ack.now;
  const double share = std::min(1.0, static_cast<double>(marked_) / delivered_);
  if (share >= alpha_) {
    alpha_ += kAlphaUp * (share - alpha_);
  } else {
    alpha_ *= 1 - kAlphaDown;
  }
  marked_ = delivered_ = 0;
}

// Lost packets, marks, or a queueing delay beyond half the target, which counts as marks.
bool Scream::react(Time now) {
  const bool ready = !congested_before_ || now - last_reaction_ > reaction_time();
  const double half = target_s_ / 2;
  const double rtts = std::max(1.0, srtt_.to_seconds() / kReaction.to_seconds());  // reactions per round trip
  virtual_alpha_ = std::clamp((queueing_average_ - half) / half, 0.0, 1.0) / rtts;
  double factor = 1;
  if (lost_) {
    factor = loss_factor_;
  } else if (!ready) {
    return false;
  } else if (ce_) {
    factor = marks_ == Marks::classic ? ce_factor_ : 1 - alpha_ / 2 / rtts * caution();
  } else if (virtual_alpha_ > 0) {
    factor = 1 - virtual_alpha_ / 2 / rtts;
  } else {
    return false;
  }
  lost_ = ce_ = false;
  cut(now, factor);
  return true;
}

// Where it grows slowly it also gives way slowly to L4S marks, so that flows which do neither do not displace it.
double Scream::caution() const {
  if (queueing_ >= target_s_ / 4) return 1;
  return std::max(kLeastGrowth, near()) * std::max(kLeastCaution, variation_.steadiness());
}

void Scream::cut(Time now, double factor) {
  if (!holds_maximum_) last_maximum_ = window_;
  holds_maximum_ = true;
  window_ = std::max(kLeastPackets * packet_, window_ * factor);
  last_reaction_ = now;
  congested_before_ = true;
}

// Small close to where congestion began last time, 1 away from it.
double Scream::near() const {
  const double distance = kNearFactor * (window_ - last_maximum_) / last_maximum_;
  return std::clamp(distance * distance, kLeastNear, 1.0);
}

void Scream::grow(Time now) {
  last_growth_ = now;
  const double quiet =
      congested_before_ ? std::clamp((now - last_reaction_).to_seconds() / (kQuietRtts * srtt_.to_seconds()), 0.0, 1.0)
                        : 1;
  double packets = acked_ / window_;  // one per round trip
  packets *= std::max(kLeastGrowth, near());
  packets *= std::min(1.0, srtt_.to_seconds() / kVirtualRtt);
  packets *= std::max(kLeastSteadiness, variation_.steadiness());
  packets *= 1 + increase_ * window_ / packet_ * quiet * near();
  acked_ = 0;
  const double grown = window_ + packets * packet_;
  // No further than what is in flight gives reason for.
  if (grown > packet_ + inflight_headroom_ * std::max(most_inflight_, most_inflight_before_)) return;
  if (grown > window_) holds_maximum_ = false;
  window_ = grown;
}

// What an encoder should produce. A round trip of more than 200 ms does not slow it further.
double Scream::target_bps() const {
  const double rtt = std::clamp(srtt_.to_seconds() + 0.001, 0.001, 0.2);
  const double few = std::clamp(packet_ / window_ - 0.1, 0.0, 0.2);
  return 8 * window_ / rtt * (1 - few) / kMargin;
}

const Internals<Scream> Scream::kInternals{{
    {"target_rate_mbps", "target bit rate", "Mbps", [](const Scream& c) { return c.target_bps() / 1e6; }},
    {"queueing_ms", "queueing delay, averaged", "ms", [](const Scream& c) { return c.queueing_average_ * 1e3; }},
    {"last_maximum_bytes", "window at the last congestion", "B",
     [](const Scream& c) { return if_known(c.congested_before_, c.last_maximum_); }},
    {"near", "growth: distance from the last congestion", "", [](const Scream& c) { return c.near(); }},
    {"steadiness", "growth: steadiness of the delay", "", [](const Scream& c) { return c.variation_.steadiness(); }},
    {"virtual_alpha", "marks: virtual, from the delay", "", [](const Scream& c) { return c.virtual_alpha_; }},
    {"l4s_alpha", "marks: L4S, averaged", "",
     [](const Scream& c) { return if_known(c.marks_ == Marks::l4s, c.alpha_); }},
    {"loss_rate_pct", "loss rate", "%", [](const Scream& c) { return c.loss_rate_ * 100; }},
}};

namespace {

constexpr Needs kNeeds{
    .pacing = Pacing::own, .paced_start = true, .prr = false, .acked_packets = true, .receiver_timestamps = true};

const RegisterCca scream{{
    .id = "scream",
    .label = "SCReAM v2",
    .family = "media",
    .summary =
        "For video calls and remote driving: believes that the delay above the least seen is a queue, keeps it below a "
        "target of 100 ms, and reacts to ECN marks if the path has them. It tells the encoder what bit rate to "
        "produce.",
    .source = "SCReAM version 2 as in the authors' ScreamV2Tx.cpp (Ericsson Research); version 1: RFC 8298",
    .identity = {.slot = 6, .marker = "star", .hollow = false},
    .needs = kNeeds,
    .needs_with =
        [](const Params& params) {
          Needs needs = kNeeds;
          const Scream::Marks marks = marks_of(params);
          needs.ecn = marks == Scream::Marks::l4s       ? Ecn::l4s
                      : marks == Scream::Marks::classic ? Ecn::classic
                                                        : Ecn::none;
          return needs;
        },
    .params =
        {
            {.name = "queue_target_ms",
             .label = "Queueing target",
             .unit = "ms",
             .initial = 100,
             .min = 10,
             .max = 300,
             .help = "Most queueing delay; it starts to give way at half of it. 60 ms in earlier releases."},
            {.name = "loss_factor",
             .label = "Window kept at loss",
             .unit = "",
             .initial = 0.7,
             .min = 0.1,
             .max = 1,
             .help = "Share of the window that is kept when packets are lost; 1 ignores loss."},
            {.name = "ce_factor",
             .label = "Window kept at a mark",
             .unit = "",
             .initial = 0.9,
             .min = 0.1,
             .max = 1,
             .matters_with = {"ecn", {"classic"}},
             .help = "The same for a classic ECN mark."},
            {.name = "increase",
             .label = "Multiplicative increase",
             .unit = "per round trip",
             .initial = 0.05,
             .min = 0,
             .max = 0.5,
             .help = "How fast the window grows when nothing disturbed it for long; larger ramps up faster and "
                     "overshoots more."},
            {.name = "pacing_headroom",
             .label = "Pacing headroom",
             .unit = "",
             .initial = 1.5,
             .min = 1,
             .max = 5,
             .help = "How much faster than the target bit rate packets leave, so that a large frame is out before the "
                     "next one."},
            {.name = "inflight_headroom",
             .label = "Headroom over what is in flight",
             .unit = "",
             .initial = 2,
             .min = 1,
             .max = 10,
             .help = "How far the window may grow beyond what an encoder that sends little puts in flight."},
            {.name = "window_headroom",
             .label = "Headroom over the window",
             .unit = "",
             .initial = 1,
             .min = 1,
             .max = 5,
             .help = "How many windows may be in flight. The authors' sender allows 1.5 to 3, since an encoder at the "
                     "target bit rate "
                     "sends whole frames at once; a source that always has data would use all of it."},
            {.name = "ecn",
             .label = "ECN",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"off", "classic", "l4s"},
             .help = "Which marks it asks the path for: none, one reduction per mark, or the share of marked packets "
                     "(L4S)."},
        },
    .internals = Scream::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Scream>(setup, params); },
}};

}  // namespace
}  // namespace paceline
