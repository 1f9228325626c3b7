// Duplicate: some packets come twice, one right behind the other.

#include "path/registry.hh"

namespace paceline {
namespace {

class Duplicate final : public PathElement {
 public:
  Duplicate(const ElementSetup& setup, const Params& params)
      : random_{setup.random}, probability_{params.number("probability")} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (!random_.chance(probability_)) {
      onward.pass(packet, now);
      return;
    }
    const Packet copy = onward.copy(packet);
    onward.pass(packet, now);
    onward.pass(copy, now);
  }

 private:
  Random random_;
  double probability_;
};

const RegisterElement duplicate{{
    .id = "duplicate",
    .label = "Duplicate",
    .summary = "Some packets come twice, one right behind the other.",
    .source = "netem duplicate",
    .most = 1,
    .params = {{.name = "probability",
                .label = "Probability",
                .unit = "",
                .initial = 0.01,
                .min = 0,
                .max = 1,
                .help = "That a packet comes twice."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Duplicate>(setup, params); },
}};

}  // namespace
}  // namespace paceline
