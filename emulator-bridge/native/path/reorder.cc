// Reorder: some packets are held back, and those behind them overtake.

#include "path/element_values.hh"
#include "path/held_packets.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Reorder final : public HoldingElement {
 public:
  Reorder(const ElementSetup& setup, const Params& params)
      : random_{setup.random},
        probability_{params.number("probability")},
        hold_{Duration::seconds(params.number("hold_ms") / 1e3)} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (random_.chance(probability_)) {
      hold(packet, now + hold_);
      delayed_.add();
    } else {
      onward.pass(packet, now);
    }
  }
  void sample(Time, Duration, std::span<float> values) override { values[0] = delayed_.interval(); }
  void sum_up(Time, std::span<double> values) override { values[0] = delayed_.total(); }

 private:
  Random random_;
  double probability_;
  Duration hold_;
  Tally delayed_{};
};

const RegisterElement reorder{{
    .id = "reorder",
    .label = "Reorder",
    .summary = "Some packets are held back for a while, and those behind them overtake.",
    .source = "RFC 4737; netem reorder, which sends the chosen packets ahead instead",
    .params =
        {
            {.name = "probability",
             .label = "Probability",
             .unit = "",
             .initial = 0.01,
             .min = 0,
             .max = 1,
             .help = "That a packet is held back."},
            {.name = "hold_ms",
             .label = "Held back for",
             .unit = "ms",
             .initial = 5,
             .min = 0,
             .max = 10'000,
             .help = "At 12 Mbps a packet follows each millisecond: so many overtake."},
        },
    .columns = {{.name = "delayed_packets", .label = "held back", .unit = "packets", .help = "That were held back."}},
    .figures = {{.name = "delayed_packets", .label = "held back", .unit = "packets", .help = "That were held back."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Reorder>(setup, params); },
}};

}  // namespace
}  // namespace paceline
