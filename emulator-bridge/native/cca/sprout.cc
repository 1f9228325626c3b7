// Sprout (Winstein, Sivaraman, Balakrishnan: "Stochastic Forecasts Achieve High Throughput and Low Delay over Cellular Networks",
// NSDI 2013; authors' release keithw/sprout; docs/reference.md 6.3): the receiver infers the link's rate from what
// arrives and forecasts cautiously; the sender spends the forecast.

#include "cca/sprout_flow.hh"
#include "cca/sprout_model.hh"

namespace paceline {
namespace {

static_assert(SproutModel::kHorizon == kSproutHorizon);

class Inference final : public SproutForecaster {
 public:
  explicit Inference(const Params& params)
      : model_{{.tick_s = params.number("tick_ms") / 1e3,
                .sigma = params.number("sigma"),
                .quantile = params.number("quantile")}} {}

  void skip() override { model_.evolve(); }
  void observe(uint32_t units) override {
    model_.evolve();
    model_.observe(units);
  }
  void forecast(SproutForecast& into) override {
    into.units = model_.forecast();
    into.rate = static_cast<float>(model_.mean_rate());
    into.outage = static_cast<float>(model_.outage());
  }

 private:
  SproutModel model_;
};

const RegisterCca sprout{{
    .id = "sprout",
    .label = "Sprout",
    .family = "cellular",
    .summary = "Believes that a cellular link's rate wanders at random and sometimes stops, and that what arrives "
               "tells where it is. The "
               "receiver forecasts every 20 ms how much will get through in the next 160 ms with 95 % certainty, and "
               "the sender keeps "
               "no more under way than will be delivered within 100 ms.",
    .source = "Sprout (NSDI 2013); authors' release keithw/sprout",
    .identity = {.slot = 6, .marker = "circle", .hollow = true},
    .needs = {.pacing = Pacing::own, .prr = false},
    .needs_with = sprout_needs,
    .params = sprout_params({
        {.name = "sigma",
         .label = "Restlessness",
         .unit = "units/s per √s",
         .initial = 200,
         .min = 10,
         .max = 500,
         .help = "How far the rate wanders in a second, of the 1000 units per second at most; less makes forecasts "
                 "bolder and "
                 "slower."},
        {.name = "quantile",
         .label = "Caution",
         .unit = "",
         .initial = 0.05,
         .min = 0.001,
         .max = 0.95,
         .help = "How likely less than the forecast may arrive; the paper's figure 9 raises it for more throughput and "
                 "delay."},
    }),
    .internals = SproutSender::told().specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<SproutSender>(setup, params); },
    .make_receiver_agent =
        [](const Setup&, const Params& params) {
          return std::make_unique<SproutReceiver>(params, std::make_unique<Inference>(params));
        },
}};

}  // namespace
}  // namespace paceline
