// Mark: packets of senders that understand it get their congestion-experienced mark at random.

#include "path/element_values.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Mark final : public PathElement {
 public:
  Mark(const ElementSetup& setup, const Params& params)
      : random_{setup.random}, probability_{params.number("probability")} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    Packet marked = packet;
    if (random_.chance(probability_) && packet.ecn != EcnMark::not_ect) {
      marked.ecn = EcnMark::ce;
      marked_.add();
    }
    onward.pass(marked, now);
  }
  void sample(Time, Duration, std::span<float> values) override { values[0] = marked_.interval(); }
  void sum_up(Time, std::span<double> values) override { values[0] = marked_.total(); }

 private:
  Random random_;
  double probability_;
  Tally marked_{};
};

const RegisterElement mark{{
    .id = "mark",
    .label = "Mark",
    .summary =
        "Gives packets a congestion-experienced mark at random; those of senders that do not understand marks pass "
        "as they are.",
    .source = "RFC 3168; RFC 9331",
    .params = {{.name = "probability",
                .label = "Probability",
                .unit = "",
                .initial = 0.01,
                .min = 0,
                .max = 1,
                .help = "That a packet is marked."}},
    .columns = {{.name = "marked_packets", .label = "marked", .unit = "packets", .help = "That got a mark here."}},
    .figures = {{.name = "marked_packets", .label = "marked", .unit = "packets", .help = "That got a mark here."}},
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Mark>(setup, params); },
}};

}  // namespace
}  // namespace paceline
