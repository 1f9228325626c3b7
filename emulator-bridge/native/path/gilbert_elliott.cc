// Gilbert-Elliott: losses in bursts. A chain of two states moves on with every packet; each state has a probability of loss.

#include "path/element_values.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

// The packet meets the state that the one before it left behind, and then the state moves, as in netem's gemodel. The first one meets
// either state with its stationary probability, so that no run begins better than it goes on.
class GilbertElliott final : public PathElement {
 public:
  GilbertElliott(const ElementSetup& setup, const Params& params)
      : random_{setup.random},
        to_bad_{params.number("to_bad")},
        to_good_{params.number("to_good")},
        loss_good_{params.number("loss_good")},
        loss_bad_{params.number("loss_bad")},
        bad_{to_bad_ > 0 && random_.chance(to_bad_ / (to_bad_ + to_good_))} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (bad_) met_bad();
    was_bad_ = bad_;
    const bool lost = random_.chance(bad_ ? loss_bad_ : loss_good_);
    if (random_.chance(bad_ ? to_good_ : to_bad_)) bad_ = !bad_;
    if (lost) {
      onward.lose(packet, now);
    } else {
      onward.pass(packet, now);
    }
  }

  void sample(Time, Duration, std::span<float> values) override {
    values[0] = bad_ ? 1 : 0;
    values[1] = bad_packets_.interval();
  }
  void sum_up(Time, std::span<double> values) override {
    values[0] = static_cast<double>(bad_spells_);
    values[1] = bad_packets_.total();
  }

 private:
  void met_bad() {
    bad_packets_.add();
    if (!was_bad_) ++bad_spells_;
  }

  Random random_;
  double to_bad_;
  double to_good_;
  double loss_good_;
  double loss_bad_;
  bool bad_;
  bool was_bad_{};
  uint64_t bad_spells_{};
  Tally bad_packets_{};
};

const RegisterElement gilbert_elliott{{
    .id = "gilbert-elliott",
    .label = "Gilbert-Elliott loss",
    .summary = "Losses in bursts: the path is good or bad, changes between both with given probabilities per packet, "
               "and loses "
               "packets with another probability in each. With the defaults 1 % of the packets is lost, 4 in a row on "
               "average.",
    .source =
        "Gilbert, Bell System Technical Journal 39 (1960); Elliott, Bell System Technical Journal 42 (1963); netem "
        "loss gemodel",
    .params =
        {
            {.name = "to_bad",
             .label = "Good to bad",
             .unit = "",
             .initial = 0.25 / 99,
             .min = 0,
             .max = 1,
             .help =
                 "Probability per packet that a good path turns bad. The share of bad time is this / (this + bad to "
                 "good)."},
            {.name = "to_good",
             .label = "Bad to good",
             .unit = "",
             .initial = 0.25,
             .min = 0.000'001,
             .max = 1,
             .help =
                 "Probability per packet that a bad path turns good: a bad spell lasts 1 / this packets on average."},
            {.name = "loss_good",
             .label = "Loss when good",
             .unit = "",
             .initial = 0,
             .min = 0,
             .max = 0.9,
             .help = "Probability that a packet is lost while the path is good (netem's 1-k); 0 in Gilbert's model."},
            {.name = "loss_bad",
             .label = "Loss when bad",
             .unit = "",
             .initial = 1,
             .min = 0,
             .max = 1,
             .help = "Probability that a packet is lost while the path is bad (netem's 1-h)."},
        },
    .columns = {{.name = "state",
                 .label = "state",
                 .unit = "",
                 .states = {"good", "bad"},
                 .help = "That the next packet will meet."},
                {.name = "bad_packets", .label = "met bad", .unit = "packets", .help = "That met the bad state."}},
    .figures = {{.name = "bad_spells", .label = "bad spells", .unit = "", .help = "In which packets came."},
                {.name = "bad_packets", .label = "met bad", .unit = "packets", .help = "That met the bad state."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<GilbertElliott>(setup, params); },
}};

}  // namespace
}  // namespace paceline
