#include "cca/gcc.hh"

#include <array>

namespace paceline {
namespace {

constexpr double kBits = 8;
constexpr double kMega = 1e6;

// Asks for an acknowledgement of each packet, since arrival times travel in acknowledgements (WebRTC's feedback lists those of all packets).
class EveryPacket final : public ReceiverAgent {
 public:
  void on_packet(const ReceivedPacket&) override {}
  [[nodiscard]] bool wants_ack() const override { return true; }
};

}  // namespace

Gcc::Gcc(const Setup& setup, const Params& params)
    : feedback_period_{Duration::seconds(params.number("feedback_ms") / 1e3)},
      most_{params.number("max_rate_mbps") * kMega},
      pacing_factor_{params.number("pacing_factor")},
      delay_{params.number("start_rate_mbps") * kMega, params.number("decrease"),
             1 + params.number("increase_pct") / 100, ms(setup.now)},
      loss_{params.number("start_rate_mbps") * kMega},
      probes_{params.flag("probing"), params.number("start_rate_mbps") * kMega, most_, ms(setup.now)},
      heard_{setup.now},
      sent_{setup.now},
      next_feedback_{setup.now},
      next_tick_{setup.now + kTick} {}

void Gcc::on_sent(const SentPacket& packet) {
  sent_ = packet.now;
  if (packet.app_limited) paused_ = packet.now;
  probes_.sent(static_cast<double>(packet.size.v) * kBits);
}

void Gcc::on_ack(const AckEvent& ack) {
  if (ack.now - heard_ > kStreamTimeout) {
    groups_ = {};
    trend_ = {};
  }
  heard_ = ack.now;
  if (ack.rtt) rtt_ = *ack.rtt;
  if (ack.srtt > Duration::zero()) srtt_ = ack.srtt;
  for (const AckedPacket& packet : ack.packets) take(packet);
  acked_ += ack.acked_packets;
  if (ack.now < next_feedback_) return;
  feedback(ack.now);
  next_feedback_ = ack.now + feedback_period_;
}

void Gcc::take(const AckedPacket& packet) {
  const double bits = static_cast<double>(packet.size.v) * kBits;
  const double sent = ms(packet.sent);
  const double arrived = sent + ms(packet.one_way);
  received_.add(arrived, bits);
  if (const auto through = probes_.arrived(packet.tag, sent, arrived, bits)) probed_ = through;
  if (packet.retransmission) return;  // which transmission arrived is not known
  if (const auto step = groups_.add(sent, arrived)) trend_.add(*step, arrived);
}

// What WebRTC does at each feedback message of the receiver.
void Gcc::feedback(Time now) {
  if (probed_ && trend_.usage() != gcc::Usage::overuse) {
    delay_.set(*probed_, ms(now));
    loss_.set(*probed_, cap());
  } else {
    delay_.update(trend_.usage(), received_.bps(), ms(srtt_), ms(now));
  }
  probed_.reset();
  loss_.report(now, lost_, lost_ + acked_, srtt_, cap());
  lost_ = acked_ = 0;
  probes_.estimate_is(loss_.target(), ms(now));
}

void Gcc::on_tick(Time now) {
  next_tick_ = now + kTick;
  // The RTT is at least what the oldest unanswered packet waits for.
  if (std::max(Duration::zero(), sent_ - heard_) + rtt_ > kLongRtt) loss_.on_long_rtt(now, cap());
}

std::size_t Gcc::state() const { return probes_.sending() ? 3 : static_cast<std::size_t>(delay_.direction()); }

std::string_view Gcc::phase() const {
  constexpr std::array<std::string_view, 4> kNames{"hold", "increase", "decrease", "probing"};
  return kNames[state()];
}

const Internals<Gcc> Gcc::kInternals{{
    {"state", "rate control", "", [](const Gcc& c) { return c.state(); }, {"hold", "increase", "decrease", "probing"}},
    {"detector",
     "delay detector",
     "",
     [](const Gcc& c) { return c.trend_.usage(); },
     {"normal", "overuse", "underuse"}},
    {"target_rate_mbps", "rate: target", "Mbps", [](const Gcc& c) { return c.loss_.target() / kMega; }},
    {"delay_based_mbps", "rate: that the delay allows", "Mbps", [](const Gcc& c) { return c.delay_.rate() / kMega; }},
    {"received_mbps", "rate: arriving, estimated", "Mbps",
     [](const Gcc& c) { return c.received_.bps().value_or(NAN) / kMega; }},
    {"capacity_mbps", "rate: arriving at overuse, averaged", "Mbps",
     [](const Gcc& c) { return c.delay_.capacity().bps() / kMega; }},
    {"trend_ms", "delay: trend", "ms", [](const Gcc& c) { return c.trend_.trend(); }},
    {"threshold_ms", "delay: threshold of the trend", "ms", [](const Gcc& c) { return c.trend_.threshold(); }},
    {"loss_pct", "loss reported", "%", [](const Gcc& c) { return c.loss_.share() * 100; }},
}};

namespace {

const RegisterCca gcc_cca{{
    .id = "gcc",
    .label = "GCC",
    .family = "media",
    .summary = "The congestion control of WebRTC's video calls: believes that a growing one-way delay means too much "
               "was sent. Backs off to 85 % of what "
               "arrives, and otherwise grows by 8 % per second, more carefully near the rate at which it had to back "
               "off. Losses "
               "count from 10 % on.",
    .source = "WebRTC goog_cc (trendline, AIMD, probing, loss-based v1); draft-ietf-rmcat-gcc-02",
    .identity = {.slot = 6, .marker = "star", .hollow = true},
    .needs =
        {.pacing = Pacing::own, .paced_start = true, .prr = false, .acked_packets = true, .receiver_timestamps = true},
    .params =
        {
            {.name = "start_rate_mbps",
             .label = "Start rate",
             .unit = "Mbps",
             .initial = 0.3,
             .min = 0.03,
             .max = 1000,
             .help = "What it sends until it knows better; probes begin at three times this rate."},
            {.name = "max_rate_mbps",
             .label = "Greatest rate",
             .unit = "Mbps",
             .initial = 1000,
             .min = 0.1,
             .max = 100'000,
             .help = "It never sends nor probes faster; a video call sets the encoder's greatest bit rate here."},
            {.name = "probing",
             .label = "Probing at the start",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Short bursts find the first rate within a second; without them it takes 8 % per second, as the "
                     "draft has "
                     "it."},
            {.name = "pacing_factor",
             .label = "Pace of a frame",
             .unit = "target rates",
             .initial = 2.5,
             .min = 1,
             .max = 5,
             .help =
                 "How much faster than the target rate the packets of a frame leave, so that it does not wait for the "
                 "one before. Counts only where the application keeps to the target, that is pauses at least once a "
                 "second; "
                 "endless data leaves at the target."},
            {.name = "decrease",
             .label = "Rate kept at overuse",
             .unit = "",
             .initial = 0.85,
             .min = 0.5,
             .max = 0.95,
             .help = "Share of the arriving rate to which it backs off when the delay grows."},
            {.name = "increase_pct",
             .label = "Increase",
             .unit = "% per second",
             .initial = 8,
             .min = 1,
             .max = 100,
             .help = "How fast the rate grows while the delay does not, far from the last overuse."},
            {.name = "feedback_ms",
             .label = "Feedback interval",
             .unit = "ms",
             .initial = 50,
             .min = 10,
             .max = 1000,
             .help =
                 "How often the receiver reports and rates change; WebRTC reports every 50 to 250 ms, receivers of the "
                 "older kind (REMB) once a second."},
        },
    .internals = Gcc::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Gcc>(setup, params); },
    .make_receiver_agent = [](const Setup&, const Params&) { return std::make_unique<EveryPacket>(); },
}};

}  // namespace
}  // namespace paceline
