// Policer: a token bucket without a queue. A packet for which there are not enough tokens is dropped.

#include "core/limits.gen.hh"
#include "path/element_values.hh"
#include "path/registry.hh"
#include "path/token_bucket.hh"

namespace paceline {
namespace {

class Policer final : public PathElement {
 public:
  explicit Policer(const Params& params)
      : bucket_{Rate::mbps(params.number("rate_mbps")), Bytes{params.integer("burst_bytes")}} {}

  void enter(const Packet& packet, Time now, Onward& onward) override {
    if (!bucket_.holds(packet.bytes(), now)) {
      dropped_bytes_.add(packet.size);
      onward.lose(packet, now);
      return;
    }
    bucket_.take(packet.bytes(), now);
    onward.pass(packet, now);
  }
  void sample(Time now, Duration, std::span<float> values) override {
    values[0] = static_cast<float>(bucket_.tokens(now));
    values[1] = dropped_bytes_.interval();
  }
  void sum_up(Time, std::span<double> values) override { values[0] = dropped_bytes_.total(); }

 private:
  TokenBucket bucket_;
  Tally dropped_bytes_{};
};

const RegisterElement policer{{
    .id = "policer",
    .label = "Policer",
    .summary = "Lets a burst through at once and then the rate; what is beyond is dropped, nothing waits. How many "
               "operators enforce the rate of a tariff.",
    .source = "RFC 2697 and RFC 2698, of whose buckets it is one; Flach et al., An Internet-Wide Analysis of Traffic "
              "Policing, SIGCOMM 2016; tc-police",
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
             .initial = 100'000,
             .min = kLeastBurstBytes,
             .max = kMostBurstBytes,
             .help = "What the bucket holds, and so what passes at once after a pause. A packet that is larger never "
                     "does."},
        },
    .columns =
        {{.name = "tokens_bytes", .label = "tokens", .unit = "B", .help = "In the bucket at the end of the interval."},
         {.name = "dropped_bytes", .label = "dropped", .unit = "B", .help = "For which there were no tokens."}},
    .figures = {{.name = "dropped_bytes", .label = "dropped", .unit = "B", .help = "For which there were no tokens."}},
    .make = [](ElementSetup, const Params& params) { return std::make_unique<Policer>(params); },
}};

}  // namespace
}  // namespace paceline
