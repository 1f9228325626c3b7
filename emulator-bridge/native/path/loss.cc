// Loss: each packet is lost with the same probability, independently of all others.

#include "core/limits.gen.hh"
#include "link/random_loss.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Loss final : public PathElement {
 public:
  Loss(const ElementSetup& setup, const Params& params) : loss_{params.number("probability"), setup.random} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (loss_.takes_next()) {
      onward.lose(packet, now);
    } else {
      onward.pass(packet, now);
    }
  }

 private:
  RandomLoss loss_;
};

const RegisterElement loss_element{{
    .id = "loss",
    .label = "Random loss",
    .summary = "Loses each packet with the same probability, independently of all others.",
    .source = "Mahimahi mm-loss; netem loss random",
    .params = {{.name = "probability",
                .label = "Probability",
                .unit = "",
                .initial = 0.01,
                .min = limits::loss.least,
                .max = limits::loss.most,
                .help = "That a packet is lost."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Loss>(setup, params); },
}};

}  // namespace
}  // namespace paceline
