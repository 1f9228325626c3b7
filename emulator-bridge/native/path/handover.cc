// Handover: again and again the link is interrupted for a while. What comes meanwhile is forwarded to the new cell and leaves at the
// end, or it is lost.

#include <algorithm>

#include "core/ring.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Handover final : public PathElement {
 public:
  Handover(const ElementSetup& setup, const Params& params)
      : random_{setup.random},
        every_s_{params.number("every_s")},
        interruption_{Duration::seconds(params.number("interruption_ms") / 1e3)},
        at_random_{params.flag("at_random")},
        forwards_{params.choice("packets") == "forwarded"},
        begin_{Time::zero() + gap()} {}

  [[nodiscard]] Time next() const override { return waiting_.empty() ? Time::never() : begin_ + interruption_; }

  void enter(const Packet& packet, Time now, Onward& onward) override {
    reach(now);
    if (now < begin_) {
      onward.pass(packet, now);
    } else if (forwards_) {
      waiting_.push(packet);
    } else {
      onward.lose(packet, now);
    }
  }

  void advance(Time now, Onward& onward) override {
    if (next() > now) return;
    for (const Time end = begin_ + interruption_; !waiting_.empty();) {
      const Packet packet = waiting_.front();
      waiting_.pop();
      onward.pass(packet, end);
    }
  }

  [[nodiscard]] std::size_t held() const override { return waiting_.size(); }

  void sample(Time now, Duration, std::span<float> values) override {
    const double before = interrupted_ms_;
    interrupted_ms_ = interrupted_ms(now);
    values[0] = static_cast<float>(interrupted_ms_ - before);
  }
  void sum_up(Time now, std::span<double> values) override {
    values[1] = interrupted_ms(now) / 1e3;
    values[0] = static_cast<double>(over_) + (now > begin_ ? 1 : 0);
  }

 private:
  // Leaves behind what is over.
  void reach(Time now) {
    for (; now >= begin_ + interruption_; ++over_) begin_ = begin_ + interruption_ + gap();
  }
  // So far, that under way included.
  double interrupted_ms(Time now) {
    reach(now);
    const Duration under_way = std::max(now - begin_, Duration::zero());
    return static_cast<double>(over_) * interruption_.to_millis() + under_way.to_millis();
  }
  Duration gap() { return Duration::seconds(at_random_ ? random_.exponential(every_s_) : every_s_); }

  Random random_;
  double every_s_;
  Duration interruption_;
  bool at_random_;
  bool forwards_;
  Time begin_;  // of the interruption that is under way or comes next
  Ring<Packet> waiting_{64};
  uint64_t over_{};  // interruptions
  double interrupted_ms_{};
};

const RegisterElement handover{{
    .id = "handover",
    .label = "Handover",
    .summary =
        "Again and again nothing passes for a while. What comes meanwhile is forwarded to the new cell and leaves at "
        "the end, or is lost.",
    .source = "3GPP TS 38.300 section 9.2.3 (data forwarding), TS 38.133 (interruption times)",
    .params =
        {
            {.name = "every_s",
             .label = "Every",
             .unit = "s",
             .initial = 20,
             .min = 0.1,
             .max = 86'400,
             .help = "From the end of one interruption to the next, and from the run's beginning to the first."},
            {.name = "interruption_ms",
             .label = "Interruption",
             .unit = "ms",
             .initial = 50,
             .min = 0,
             .max = 60'000,
             .help =
                 "How long nothing passes. About 50 ms for a handover within LTE or 5G, up to seconds where the radio "
                 "link fails first."},
            {.name = "at_random",
             .label = "At random times",
             .type = ParamType::boolean,
             .unit = "",
             .help = "The time between interruptions is exponentially distributed with this mean; otherwise it is "
                     "constant."},
            {.name = "packets",
             .label = "Packets meanwhile",
             .type = ParamType::choice,
             .unit = "",
             .choices = {"forwarded", "lost"},
             .help = "Forwarded: they leave all at once, in order, when the interruption ends."},
        },
    .columns = {{.name = "interrupted_ms",
                 .label = "interruption",
                 .unit = "ms",
                 .help = "How much of the interval nothing passed."}},
    .figures = {{.name = "interruptions", .label = "interruptions", .unit = "", .help = "Begun so far."},
                {.name = "interrupted_s", .label = "interrupted", .unit = "s", .help = "All of them together."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Handover>(setup, params); },
}};

}  // namespace
}  // namespace paceline
