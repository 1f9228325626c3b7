// Delayed-feedback oracle (Zeus paper, section 3.2): a sender that is told the channel's present capacity by the base
// station, but like everybody has to wait one way for the news. It shows what any end-to-end algorithm could at best do.

#include <cmath>

#include "cca/registry.hh"

namespace paceline {
namespace {

class Oracle final : public Controller {
 public:
  Oracle(const Setup& setup, const Params& params)
      : mss_{setup.mss},
        base_rtt_{setup.base_rtt},
        queue_aware_{params.choice("knows") == "queue"},
        queue_reference_{Bytes::packets(params.number("queue_packets"), setup.mss)},
        told_{setup.now} {}

  void on_sent(const SentPacket& packet) override { budget_ -= packet.size; }
  void on_ack(const AckEvent&) override {}

  void on_channel(const ChannelState& channel) override {
    capacity_ = channel.capacity;
    if (informed_) budget_ += capacity_.bytes_in(channel.now - told_);
    told_ = channel.now;
    informed_ = true;
  }

  // The sender knows its own bytes in flight: whatever exceeds capacity x base RTT stands in the queue, and is drained by
  // not sending. (Closing a second loop over the reported queue would oscillate: gain 2/RTT with a delay of one RTT.)
  [[nodiscard]] Bytes cwnd() const override {
    return queue_aware_ ? capacity_.bytes_in(base_rtt_) + queue_reference_ + mss_ * 2 : Bytes::infinite();
  }

  // A quarter faster than the capacity lets the window, not the pacer, decide.
  [[nodiscard]] Rate pacing_rate() const override { return queue_aware_ ? capacity_ * 1.25 : Rate::zero(); }

  // Told only a rate, it sends exactly as many bytes as it was told the channel would carry.
  [[nodiscard]] bool may_send(Time) const override { return informed_ && (queue_aware_ || budget_ >= mss_); }

  void internals(std::span<float> out) const override { kInternals.tell(*this, out); }
  static const Internals<Oracle> kInternals;

 private:
  Bytes mss_{};
  Duration base_rtt_{};
  bool queue_aware_{};
  Bytes queue_reference_{};
  Rate capacity_{};
  Time told_{};
  Bytes budget_{};
  bool informed_{};
};

Needs needs(Duration window) {
  return {.pacing = Pacing::own, .prr = false, .channel_state = true, .channel_window = window};
}

const Internals<Oracle> Oracle::kInternals{{
    {"told_mbps", "capacity as told", "Mbps",
     [](const Oracle& c) { return if_known(c.informed_, c.capacity_.to_mbps()); }},
}};

const RegisterCca oracle{{
    .id = "oracle",
    .label = "Oracle",
    .family = "reference",
    .kind = Kind::oracle,
    .summary = "A reference, not an algorithm one could deploy: the base station tells it the capacity of this moment, "
               "and the news "
               "takes half a round trip. What it cannot do, no sender that only sees acknowledgements can.",
    .source = "Zeus, section 3.2 (delayed-feedback oracle)",
    .realtime = false,
    .identity = {.slot = 0, .marker = "diamond", .hollow = true},
    .needs = needs(Duration::millis(5)),
    .needs_with = [](const Params& p) { return needs(Duration::seconds(p.number("window_ms") * 1e-3)); },
    .params =
        {
            {.name = "knows",
             .label = "Knows",
             .type = ParamType::choice,
             .unit = "",
             .initial = 1,
             .choices = {"queue", "rate"},
             .help = "rate: sends at the capacity it is told and never drains what a fall left in the queue, as Zeus "
                     "has it; queue: keeps capacity x base RTT in flight and so drains it."},
            {.name = "window_ms",
             .label = "Averaging",
             .unit = "ms",
             .initial = 5,
             .min = 1,
             .max = 1000,
             .help = "The capacity it is told is the mean of this much past; a trace is bursty at one millisecond."},
            {.name = "queue_packets",
             .label = "Wanted queue",
             .unit = "packets",
             .initial = 0,
             .min = 0,
             .max = 10000,
             .matters_with = {"knows", {"queue"}},
             .help = "Queue it keeps on purpose, so that a rise of the capacity is not wasted; costs that much delay."},
        },
    .internals = Oracle::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Oracle>(setup, params); },
}};

}  // namespace
}  // namespace paceline
