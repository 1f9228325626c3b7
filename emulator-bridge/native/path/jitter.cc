// Jitter: a delay that every packet draws anew.

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
        mean_ms_{params.number("mean_ms")},
        deviation_ms_{params.number("deviation_ms")},
        distribution_{params.choice("distribution")},
        keeps_order_{params.flag("keep_order")} {}

  void enter(const Packet& packet, Time now, Onward&) override {
    Time until = now + Duration::seconds(draw_ms() / 1e3);
    if (keeps_order_) until = last_ = std::max(until, last_);
    delays_.add(until - now);
    hold(packet, until);
  }
  void sample(Time, Duration, std::span<float> values) override { fill_columns(delays_, values); }
  void sum_up(Time, std::span<double> values) override { fill_figures(delays_, values); }

 private:
  double draw_ms() {
    if (distribution_ == "uniform") return random_.uniform(0, 2 * mean_ms_);
    if (distribution_ == "exponential") return random_.exponential(mean_ms_);
    return std::max(mean_ms_ + deviation_ms_ * random_.normal(), 0.0);
  }

  Random random_;
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
        "A delay that every packet draws anew. Where the order is kept, no packet leaves before one that came earlier.",
    .source = "netem delay with jitter",
    .params =
        {
            {.name = "distribution",
             .label = "Distribution",
             .type = ParamType::choice,
             .unit = "",
             .choices = {"uniform", "exponential", "normal"},
             .help = "uniform: from 0 to twice the mean; normal: cut at 0."},
            {.name = "mean_ms",
             .label = "Mean",
             .unit = "ms",
             .initial = 2,
             .min = 0,
             .max = 10'000,
             .help = "Of the delay that is drawn, one way. Waiting for a slower packet in front adds to it."},
            {.name = "deviation_ms",
             .label = "Deviation",
             .unit = "ms",
             .initial = 0.5,
             .min = 0,
             .max = 10'000,
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
