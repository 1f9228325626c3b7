// Bottleneck: a further capacity with its queue, before or behind the link's own: the phone's own queue, the radio, the core.

#include "link/bottleneck.hh"

#include "path/bottleneck_values.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class FurtherBottleneck final : public PathElement, private DropListener {
 public:
  explicit FurtherBottleneck(ElementSetup setup)
      : bottleneck_{setup.capacity, std::move(setup.queue), setup.from, this} {}

  [[nodiscard]] Time next() const override { return bottleneck_.next(); }
  void enter(const Packet& packet, Time now, Onward& onward) override {
    onward_ = &onward;
    bottleneck_.arrive(packet, now, [&](const Packet& p, Time departure) { onward.pass(p, departure); });
  }
  void advance(Time now, Onward& onward) override {
    onward_ = &onward;
    bottleneck_.advance(now, [&](const Packet& p, Time departure) { onward.pass(p, departure); });
  }
  [[nodiscard]] std::size_t held() const override {
    return static_cast<std::size_t>(bottleneck_.queued_packets() + bottleneck_.in_service_packets());
  }
  void hold_clock() override { bottleneck_.hold_trace(); }
  void start_clock(Time now) override { bottleneck_.start_trace(now); }
  void sample(Time now, Duration interval, std::span<float> values) override {
    fill_columns(bottleneck_.sample(now, interval), bottleneck_.limited(), values);
  }
  void sum_up(Time now, std::span<double> values) override {
    fill_figures(bottleneck_.summary(now), bottleneck_.limited(), values);
  }

 private:
  void on_drop(const Packet& packet, Time now) override { onward_->lose(packet, now); }

  Bottleneck bottleneck_;
  Onward* onward_{};  // of the call under way
};

const RegisterElement bottleneck_element{{
    .id = "bottleneck",
    .label = "Bottleneck",
    .summary =
        "A capacity (a trace or a constant rate) with a queue in front of it. Several in series are, for example, "
        "the phone's own queue, the radio and the core.",
    .source = "Mahimahi mm-link",
    .queues = true,
    .columns = bottleneck_columns(),
    .figures = bottleneck_figures(),
    .make = [](ElementSetup setup, const Params&) { return std::make_unique<FurtherBottleneck>(std::move(setup)); },
}};

}  // namespace
}  // namespace paceline
