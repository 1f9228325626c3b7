// Shaper: a token bucket with a queue. A packet waits until there are enough tokens for it.

#include <algorithm>

#include "core/limits.gen.hh"
#include "core/ring.hh"
#include "path/element_values.hh"
#include "path/registry.hh"
#include "path/token_bucket.hh"

namespace paceline {
namespace {

class Shaper final : public PathElement {
 public:
  explicit Shaper(const Params& params)
      : bucket_{Rate::mbps(params.number("rate_mbps")), Bytes{params.integer("burst_bytes")}},
        limit_{params.integer("limit_bytes")} {}

  [[nodiscard]] Time next() const override { return queue_.empty() ? Time::never() : due_; }

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (queue_.empty() && bucket_.holds(packet.bytes(), now)) {
      bucket_.take(packet.bytes(), now);
      delays_.add(Duration::zero());
      onward.pass(packet, now);
      return;
    }
    if (!bucket_.ever_holds(packet.bytes()) || packet.bytes() > limit_ - waiting_) {
      onward.lose(packet, now);
      return;
    }
    Packet held = packet;
    held.stamp = now;
    queue_.push(held);
    waiting_ += packet.bytes();
    longest_ = std::max(longest_, waiting_);
    if (queue_.size() == 1) due_ = bucket_.holds_from(packet.bytes(), now);
  }

  void advance(Time now, Onward& onward) override {
    while (next() <= now) {
      const Packet packet = queue_.front();
      const Time departure = due_;
      queue_.pop();
      waiting_ -= packet.bytes();
      delays_.add(departure - packet.stamp);
      bucket_.take(packet.bytes(), departure);
      if (!queue_.empty()) due_ = bucket_.holds_from(queue_.front().bytes(), departure);
      onward.pass(packet, departure);
    }
  }

  [[nodiscard]] std::size_t held() const override { return queue_.size(); }
  void sample(Time now, Duration, std::span<float> values) override {
    values[0] = static_cast<float>(bucket_.tokens(now));
    values[1] = static_cast<float>(waiting_.v);
    fill_columns(delays_, values.subspan(2));
  }
  void sum_up(Time, std::span<double> values) override {
    values[0] = static_cast<double>(longest_.v);
    fill_figures(delays_, values.subspan(1));
  }

 private:
  TokenBucket bucket_;
  Bytes limit_;
  Bytes waiting_{};
  Ring<Packet> queue_{64};
  Time due_{};  // of the first one
  Bytes longest_{};
  DelayTally delays_{};
};

const RegisterElement shaper{{
    .id = "shaper",
    .label = "Shaper",
    .summary =
        "Lets a burst through at once and then the rate; what is beyond waits in a first-in-first-out queue, which "
        "drops what does not fit.",
    .source = "tc-tbf; RFC 2697, of whose buckets it has one",
    .params =
        {
            {.name = "rate_mbps",
             .label = "Rate",
             .unit = "Mbps",
             .initial = 10,
             .min = limits::rate_mbps.least,
             .max = limits::rate_mbps.most,
             .help = "At which tokens come into the bucket."},
            {.name = "burst_bytes",
             .label = "Burst",
             .type = ParamType::integer,
             .unit = "B",
             .initial = 15'000,
             .min = kLeastBurstBytes,
             .max = kMostBurstBytes,
             .help = "What the bucket holds, and so what passes at once after a pause. A packet that is larger is "
                     "dropped."},
            {.name = "limit_bytes",
             .label = "Queue limit",
             .type = ParamType::integer,
             .unit = "B",
             .initial = 150'000,
             .min = limits::queue_bytes.least,
             .max = 1e12,
             .help = "What may wait; a packet that would take the queue over it is dropped."},
        },
    .columns = and_delays(
        {{.name = "tokens_bytes", .label = "tokens", .unit = "B", .help = "In the bucket at the end of the interval."},
         {.name = "queue_bytes", .label = "queue", .unit = "B", .help = "Waiting at the end of the interval."}}),
    .figures =
        and_delays({{.name = "queue_max_bytes", .label = "longest queue", .unit = "B", .help = "Most that waited."}}),
    .make = [](ElementSetup, const Params& params) { return std::make_unique<Shaper>(params); },
}};

}  // namespace
}  // namespace paceline
