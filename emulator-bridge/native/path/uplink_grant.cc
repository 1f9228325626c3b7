// Uplink grant: a device must not send before the base station lets it. Data that comes to an empty buffer waits for the next occasion to
// ask (scheduling request) and for the grant; what a grant has no room for is reported with it and granted at the next.

#include <algorithm>

#include "core/ring.hh"
#include "path/element_values.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class UplinkGrant final : public PathElement {
 public:
  explicit UplinkGrant(const Params& params)
      : period_ns_{Duration::seconds(params.number("request_period_ms") / 1e3).ns},
        delay_{Duration::seconds(params.number("grant_delay_ms") / 1e3)},
        first_{params.integer("first_grant_bytes")},
        most_{params.integer("largest_grant_bytes")} {}

  [[nodiscard]] Time next() const override { return grant_; }

  void enter(const Packet& packet, Time now, Onward&) override {
    Packet held = packet;
    held.stamp = now;
    queue_.push(held);
    waiting_ += packet.size;
    if (!grant_.is_never()) return;
    requests_.add();
    const int64_t occasions = (now.ns + period_ns_ - 1) / period_ns_;
    grant_ = Time{occasions * period_ns_} + delay_;
    granted_ = first_;
  }

  void advance(Time now, Onward& onward) override {
    while (grant_ <= now) {
      const Time at = grant_;
      grants_.add();
      int64_t room = std::min(granted_, waiting_);
      waiting_ -= room;
      while (room > 0) {
        const int64_t missing = queue_.front().size - sent_of_first_;
        if (room < missing) {
          sent_of_first_ += room;
          break;
        }
        room -= missing;
        sent_of_first_ = 0;
        const Packet packet = queue_.front();
        queue_.pop();
        delays_.add(at - packet.stamp);
        onward.pass(packet, at);
      }
      granted_ = std::min(waiting_, most_);
      grant_ = waiting_ > 0 ? at + delay_ : Time::never();
    }
  }

  [[nodiscard]] std::size_t held() const override { return queue_.size(); }
  void sample(Time, Duration, std::span<float> values) override {
    values[0] = static_cast<float>(waiting_);
    values[1] = requests_.interval();
    values[2] = grants_.interval();
    fill_columns(delays_, values.subspan(3));
  }
  void sum_up(Time, std::span<double> values) override {
    values[0] = requests_.total();
    values[1] = grants_.total();
    fill_figures(delays_, values.subspan(2));
  }

 private:
  int64_t period_ns_;
  Duration delay_;
  int64_t first_;
  int64_t most_;
  Ring<Packet> queue_{64};
  int64_t waiting_{};  // bytes not sent yet
  int64_t sent_of_first_{};
  Time grant_{Time::never()};  // when the next one is used …
  int64_t granted_{};          // … and for how many bytes
  Tally requests_{};
  Tally grants_{};
  DelayTally delays_{};
};

const RegisterElement uplink_grant{{
    .id = "uplink-grant",
    .label = "Uplink grant",
    .summary = "Data that comes to an empty buffer waits for the next occasion to ask the base station and for its "
               "grant; what "
               "the first grant has no room for leaves with further ones.",
    .source = "3GPP TS 38.321 sections 5.4.4 (scheduling request) and 5.4.5 (buffer status report)",
    .params =
        {
            {.name = "request_period_ms",
             .label = "Request period",
             .unit = "ms",
             .initial = 10,
             .min = 0.01,
             .max = 1'000,
             .help = "How often the device may ask: a lone packet waits for half of it on average."},
            {.name = "grant_delay_ms",
             .label = "Grant delay",
             .unit = "ms",
             .initial = 8,
             .min = 0,
             .max = 1'000,
             .help = "From a request or report until what is granted is sent."},
            {.name = "first_grant_bytes",
             .label = "First grant",
             .type = ParamType::integer,
             .unit = "B",
             .initial = 200,
             .min = 1,
             .max = 1e9,
             .help = "Given before the base station knows how much waits."},
            {.name = "largest_grant_bytes",
             .label = "Largest grant",
             .type = ParamType::integer,
             .unit = "B",
             .initial = 1'000'000,
             .min = 1,
             .max = 1e9,
             .help = "Further grants are for what was reported, and no more than this."},
        },
    .columns = and_delays(
        {{.name = "queue_bytes", .label = "buffer", .unit = "B", .help = "Waiting at the end of the interval."},
         {.name = "requests",
          .label = "requests",
          .unit = "",
          .help = "Scheduling requests: data came to an empty buffer."},
         {.name = "grants", .label = "grants", .unit = "", .help = "That were used."}}),
    .figures = and_delays({{.name = "requests",
                            .label = "requests",
                            .unit = "",
                            .help = "Scheduling requests: data came to an empty buffer."},
                           {.name = "grants", .label = "grants", .unit = "", .help = "That were used."}}),
    .make = [](ElementSetup, const Params& params) { return std::make_unique<UplinkGrant>(params); },
}};

}  // namespace
}  // namespace paceline
