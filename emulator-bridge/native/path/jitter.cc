// Jitter: a delay that every packet draws anew, or takes from what was recorded.

#include <algorithm>

#include "path/element_values.hh"
#include "path/held_packets.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Jitter final : public HoldingElement {
 public:
  Jitter(const ElementSetup& setup, const Params& params)
      : random_{setup.random},
        recorded_{setup.recorded},
        mean_ms_{params.number("mean_ms")},
        deviation_ms_{params.number("deviation_ms")},
        distribution_{params.choice("distribution")},
        keeps_order_{params.flag("keep_order")} {}

  void enter(const Packet& packet, Time now, Onward&) override {
    Time until = now + (recorded_ ? recorded_at(now) : Duration::seconds(draw_ms() / 1e3));
    if (keeps_order_) until = last_ = std::max(until, last_);
    delays_.add(until - now);
    hold(packet, until);
  }
  // What was recorded has a clock, as a trace has.
  void hold_clock() override { begin_ = Time::never(); }
  void start_clock(Time now) override { begin_ = now; }
  void sample(Time, Duration, std::span<float> values) override { fill_columns(delays_, values); }
  void sum_up(Time, std::span<double> values) override { fill_figures(delays_, values); }

 private:
  [[nodiscard]] Duration recorded_at(Time now) const {
    return recorded_->at(begin_.is_never() ? Duration::zero() : now - begin_);
  }
  double draw_ms() {
    if (distribution_ == "uniform") return random_.uniform(0, 2 * mean_ms_);
    if (distribution_ == "exponential") return random_.exponential(mean_ms_);
    return std::max(mean_ms_ + deviation_ms_ * random_.normal(), 0.0);
  }

  Random random_;
  std::shared_ptr<const RecordedDelays> recorded_;  // null: drawn
  Time begin_{};                                    // of what was recorded
  double mean_ms_;
  double deviation_ms_;
  std::string_view distribution_;
  bool keeps_order_;
  Time last_{};
  DelayTally delays_{};
};

const RegisterElement jitter{{
    .id = "jitter",
    .label = "Jitter",
    .summary =
        "A delay that every packet draws anew, or that was recorded. Where the order is kept, no packet leaves before "
        "one that came earlier.",
    .source = "netem delay with jitter",
    .recorded_with = {"distribution", "recorded"},
    .params =
        {
            {.name = "distribution",
             .label = "Distribution",
             .type = ParamType::choice,
             .unit = "",
             .choices = {"uniform", "exponential", "normal", "recorded"},
             .help =
                 "uniform: from 0 to twice the mean; normal: cut at 0; recorded: what was measured, over and over."},
            {.name = "mean_ms",
             .label = "Mean",
             .unit = "ms",
             .initial = 2,
             .min = 0,
             .max = 10'000,
             .matters_with = {"distribution", {"uniform", "exponential", "normal"}},
             .help = "Of a delay that is drawn, one way. Waiting for a slower packet in front adds to it."},
            {.name = "deviation_ms",
             .label = "Deviation",
             .unit = "ms",
             .initial = 0.5,
             .min = 0,
             .max = 10'000,
             .matters_with = {"distribution", {"normal"}},
             .help = "Standard deviation, of the normal distribution alone."},
            {.name = "keep_order",
             .label = "Keep the order",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .help = "As a cellular link does; without it packets overtake each other."},
        },
    .columns = delay_values(),
    .figures = delay_values(),
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Jitter>(setup, params); },
}};

}  // namespace
}  // namespace paceline
