// HARQ: the packets of one transmission interval are a transport block, which is sent again until it is decoded; a block that fails
// too often is the RLC's to repeat. The RLC in acknowledged mode delivers in order, so what is behind a late block waits for it.

#include <algorithm>

#include "core/ring.hh"
#include "path/element_values.hh"
#include "path/registry.hh"

namespace paceline {
namespace {

class Harq final : public PathElement {
 public:
  Harq(const ElementSetup& setup, const Params& params)
      : random_{setup.random},
        interval_ns_{Duration::seconds(params.number("interval_ms") / 1e3).ns},
        error_{params.number("block_error")},
        combining_{params.number("combining")},
        round_trip_{Duration::seconds(params.number("round_trip_ms") / 1e3)},
        most_{params.integer("transmissions")},
        rlc_{Duration::seconds(params.number("rlc_ms") / 1e3)} {}

  [[nodiscard]] Time next() const override { return line_.empty() ? Time::never() : line_.front().until; }

  void enter(const Packet& packet, Time now, Onward&) override {
    const int64_t block = now.ns / interval_ns_;
    if (block != block_) {
      block_ = block;
      delay_ = draw();
    }
    last_ = std::max(now + delay_, last_);
    delays_.add(last_ - now);
    line_.push({packet, last_});
  }

  void advance(Time now, Onward& onward) override {
    while (next() <= now) {
      const Sent first = line_.front();
      line_.pop();
      onward.pass(first.packet, first.until);
    }
  }

  [[nodiscard]] std::size_t held() const override { return line_.size(); }
  void sample(Time, Duration, std::span<float> values) override {
    values[0] = retransmissions_.interval();
    values[1] = given_up_.interval();
    fill_columns(delays_, values.subspan(2));
  }
  void sum_up(Time, std::span<double> values) override {
    values[0] = static_cast<double>(blocks_);
    values[1] = retransmissions_.total();
    values[2] = given_up_.total();
    fill_figures(delays_, values.subspan(3));
  }

 private:
  struct Sent {
    Packet packet{};
    Time until{};
  };
  // However bad the channel, a block gets through after so many rounds of the RLC: it would give up the whole link otherwise.
  static constexpr int kMostRounds = 32;

  // False: the HARQ gave the block up.
  bool decoded(Duration& delay) {
    double error = error_;
    for (int64_t sent = 1; random_.chance(error); ++sent) {
      if (sent == most_) return false;
      retransmissions_.add();
      delay += round_trip_;
      error *= combining_;
    }
    return true;
  }
  Duration draw() {
    Duration delay{};
    ++blocks_;
    for (int round = 0; round < kMostRounds && !decoded(delay); ++round) {
      delay += rlc_;
      given_up_.add();
    }
    return delay;
  }

  Random random_;
  int64_t interval_ns_;
  double error_;
  double combining_;
  Duration round_trip_;
  int64_t most_;
  Duration rlc_;
  int64_t block_{-1};
  Duration delay_{};  // of its packets
  Time last_{};
  Ring<Sent> line_{256};
  uint64_t blocks_{};
  Tally retransmissions_{};
  Tally given_up_{};  // by the HARQ, to the RLC
  DelayTally delays_{};
};

const RegisterElement harq{{
    .id = "harq",
    .label = "HARQ",
    .summary =
        "A cellular MAC's retransmissions: the packets of one transmission interval come later by a HARQ round trip "
        "for "
        "each time that their block was not decoded, and all that is behind them waits, as the RLC delivers in order.",
    .source = "3GPP TS 38.321 section 5.3.2 (HARQ), TS 38.322 section 5.2 (RLC acknowledged mode)",
    .params =
        {
            {.name = "block_error",
             .label = "Block error rate",
             .unit = "",
             .initial = 0.1,
             .min = 0,
             .max = 0.9,
             .help = "Of a first transmission. Link adaptation aims at 0.1."},
            {.name = "combining",
             .label = "Combining",
             .unit = "",
             .initial = 0.1,
             .min = 0,
             .max = 1,
             .help =
                 "Factor of the error rate at each retransmission, which is combined with those before; 1: no gain."},
            {.name = "round_trip_ms",
             .label = "HARQ round trip",
             .unit = "ms",
             .initial = 8,
             .min = 0,
             .max = 1'000,
             .help = "From one transmission of a block to the next: 8 ms in LTE, less in 5G."},
            {.name = "transmissions",
             .label = "Transmissions at most",
             .type = ParamType::integer,
             .unit = "",
             .initial = 4,
             .min = 1,
             .max = 32,
             .help = "The HARQ gives a block up after so many, and the RLC sends it anew."},
            {.name = "rlc_ms",
             .label = "RLC retransmission",
             .unit = "ms",
             .initial = 50,
             .min = 0,
             .max = 10'000,
             .help = "Until the RLC knows of a block that the HARQ gave up, and sends it anew: timers and the status "
                     "report."},
            {.name = "interval_ms",
             .label = "Transmission interval",
             .unit = "ms",
             .initial = 1,
             .min = 0.01,
             .max = 100,
             .help = "Packets that come within the same one share a block and its fate."},
        },
    .columns = and_delays({{.name = "retransmissions",
                            .label = "retransmissions",
                            .unit = "",
                            .help = "By the HARQ, of the blocks that packets came for."},
                           {.name = "rlc_retransmissions",
                            .label = "RLC retransmissions",
                            .unit = "",
                            .help = "Of blocks that the HARQ gave up."}}),
    .figures = and_delays(
        {{.name = "blocks", .label = "blocks", .unit = "", .help = "That packets came for."},
         {.name = "retransmissions", .label = "retransmissions", .unit = "", .help = "By the HARQ, of these blocks."},
         {.name = "rlc_retransmissions",
          .label = "RLC retransmissions",
          .unit = "",
          .help = "Of blocks that the HARQ gave up."}}),
    .make = [](ElementSetup setup, const Params& params) { return std::make_unique<Harq>(setup, params); },
}};

}  // namespace
}  // namespace paceline
