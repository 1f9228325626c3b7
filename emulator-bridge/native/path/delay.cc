// Delay: every packet takes as long as every other. It is part of the base RTT.

#include "core/limits.gen.hh"
#include "link/delay_line.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

Duration constant_delay_of(const Params& params) { return Duration::seconds(params.number("delay_ms") / 1e3); }

class ConstantDelay final : public PathElement {
 public:
  explicit ConstantDelay(Duration delay) : line_{delay} {}

  [[nodiscard]] Time next() const override { return line_.next(); }
  void enter(const Packet& packet, Time now, Onward&) override { line_.enter(packet, now); }
  void advance(Time now, Onward& onward) override {
    for (Time due = line_.next(); due <= now; due = line_.next()) {
      const Packet packet = line_.front();
      line_.pop();
      onward.pass(packet, due);
    }
  }
  [[nodiscard]] std::size_t held() const override { return line_.size(); }

 private:
  DelayLine line_;
};

const RegisterElement delay_element{{
    .id = "delay",
    .label = "Delay",
    .summary = "Every packet takes as long as every other, as on a wire. It counts as a part of the base RTT.",
    .source = "Mahimahi mm-delay",
    .params = {{.name = "delay_ms",
                .label = "Delay",
                .unit = "ms",
                .initial = 10,
                .min = limits::delay_ms.least,
                .max = limits::delay_ms.most,
                .help = "One way, beyond what the other elements of this direction take."}},
    .least_delay = constant_delay_of,
    .make = [](ElementSetup,
               const Params& params) { return std::make_unique<ConstantDelay>(constant_delay_of(params)); },
}};

}  // namespace
}  // namespace paceline
