// Sprout-EWMA (Winstein, Sivaraman, Balakrishnan, NSDI 2013, section 5; branch ewma-noforecast of keithw/sprout, described in
// docs/reference.md 6.4): Sprout with a moving average in place of its model.

#include <cmath>

#include "cca/sprout_flow.hh"

namespace paceline {
namespace {

class Average final : public SproutForecaster {
 public:
  explicit Average(const Params& params) : tick_s_{params.number("tick_ms") / 1e3}, gain_{params.number("ewma")} {}

  void observe(uint32_t units) override { rate_ += (units / tick_s_ - rate_) * gain_; }
  void forecast(SproutForecast& into) override {
    for (std::size_t h = 0; h < kSproutHorizon; ++h)
      into.units[h] = static_cast<uint32_t>(rate_ * tick_s_ * static_cast<double>(h + 1));
    into.rate = static_cast<float>(rate_);
    into.outage = NAN;
  }

 private:
  double tick_s_{};
  double gain_{};
  double rate_{};  // units per second
};

const RegisterCca sprout_ewma{{
    .id = "sprout-ewma",
    .label = "Sprout-EWMA",
    .family = "cellular",
    .summary = "Believes that a cellular link goes on as it did lately. The receiver keeps a moving average of what "
               "arrives per 20 ms, and "
               "the sender keeps no more under way than that rate delivers within 100 ms: Sprout without its model and "
               "its caution.",
    .source = "Sprout (NSDI 2013), section 5; authors' release keithw/sprout, branch ewma-noforecast",
    .identity = {.slot = 6, .marker = "square", .hollow = true},
    .needs = {.pacing = Pacing::own, .prr = false},
    .needs_with = sprout_needs,
    .params = sprout_params({
        {.name = "ewma",
         .label = "Gain of the average",
         .unit = "",
         .initial = 0.125,
         .min = 0.01,
         .max = 1,
         .help = "Weight of the newest tick; more follows the link and its noise faster."},
    }),
    .internals = SproutSender::told().specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<SproutSender>(setup, params); },
    .make_receiver_agent =
        [](const Setup&, const Params& params) {
          return std::make_unique<SproutReceiver>(params, std::make_unique<Average>(params));
        },
}};

}  // namespace
}  // namespace paceline
