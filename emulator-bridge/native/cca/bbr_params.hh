#pragma once
// The parameters that BBRv2 and BBRv3 have in common.

#include <vector>

#include "cca/registry.hh"
#include "cca/window_params.hh"

namespace paceline {

[[nodiscard]] inline std::vector<ParamSpec> bounded_bbr_params(double startup_gain) {
  return {
      {.name = "loss_thresh",
       .label = "Loss threshold",
       .unit = "",
       .initial = 0.02,
       .min = 0,
       .max = 0.5,
       .help = "Share of losses in a round trip that a probe may cause; raise it on links that lose packets at "
               "random."},
      {.name = "beta",
       .label = "Kept at a loss",
       .unit = "",
       .initial = 0.7,
       .min = 0.3,
       .max = 0.95,
       .help = "Least share of bandwidth and of data in flight that a round trip with losses leaves."},
      {.name = "headroom",
       .label = "Headroom",
       .unit = "",
       .initial = 0.15,
       .min = 0,
       .max = 0.5,
       .help = "Share of the bound that is left free while cruising, for flows that join."},
      {.name = "startup_gain",
       .label = "STARTUP gain",
       .unit = "",
       .initial = startup_gain,
       .min = 2,
       .max = 4,
       .help = "How much faster than the bandwidth it sends while it fills the path; 2.77 is the least that doubles "
               "the rate each "
               "round trip."},
      {.name = "probe_wait_base_s",
       .label = "Wait between probes",
       .unit = "s",
       .initial = 2,
       .min = 0.1,
       .max = 60,
       .help = "Least time between two probes for more bandwidth; a random part is added."},
      {.name = "probe_wait_rand_s",
       .label = "Random part of the wait",
       .unit = "s",
       .initial = 1,
       .min = 0,
       .max = 60,
       .help = "Keeps flows from probing at the same moment."},
      {.name = "max_reno_rounds",
       .label = "Most rounds between probes",
       .type = ParamType::integer,
       .unit = "round trips",
       .initial = 63,
       .min = 1,
       .max = 1000,
       .help = "Probes after as many round trips as Reno would need to fill a BDP of queue, but at most this many."},
      {.name = "probe_rtt_interval_s",
       .label = "PROBE_RTT interval",
       .unit = "s",
       .initial = 5,
       .min = 1,
       .max = 60,
       .help = "How long it goes without having seen the least RTT again before it drains the queue to look."},
      {.name = "probe_rtt_ms",
       .label = "PROBE_RTT time",
       .unit = "ms",
       .initial = 200,
       .min = 50,
       .max = 1000,
       .help = "How long it then keeps half a BDP in flight; longer sees the true round trip more surely and costs "
               "throughput."},
      initial_window_param(),
      {.name = "ecn",
       .label = "ECN",
       .type = ParamType::choice,
       .unit = "",
       .initial = 0,
       .choices = {"off", "classic", "l4s"},
       .help = "Which congestion marks Google's releases ask the path for and answer by their share; the draft answers "
               "none."},
      {.name = "ecn_max_rtt_ms",
       .label = "ECN up to a least RTT of",
       .unit = "ms",
       .initial = 5,
       .min = 0,
       .max = 1000,
       .matters_with = {"ecn", {"classic", "l4s"}},
       .help = "Marks count only on paths shorter than this, as within a data centre; 0 lets them count on any."},
  };
}

[[nodiscard]] inline Needs bounded_bbr_needs(const Params& params) {
  const std::string_view ecn = params.choice("ecn");
  return {.pacing = Pacing::own,
          .prr = false,
          .ecn = ecn == "l4s"       ? Ecn::l4s
                 : ecn == "classic" ? Ecn::classic
                                    : Ecn::none};
}

}  // namespace paceline
