#include "cca/bbr2.hh"

#include "cca/bbr_params.hh"

namespace paceline {
namespace {

const RegisterCca bbr2{{
    .id = "bbr2",
    .label = "BBRv2",
    .family = "model",
    .summary =
        "Believes, as BBR, in a bandwidth and a least round-trip time that can be measured – and that more than 2 % of "
        "loss while probing means too much in flight. Compared with its successor it drains harder and stops probing "
        "as "
        "soon as a queue must have formed.",
    .source = "google/bbr, branch v2alpha (2019 to 2021); Cardwell et al., IETF 104 to 106, iccrg",
    .identity = {.slot = 2, .marker = "triangle-down", .hollow = false},
    .needs = {.pacing = Pacing::own, .prr = false},
    .needs_with = bounded_bbr_needs,
    .params = bounded_bbr_params(2 / 0.69314718055994531),
    .internals =
        {{.name = "state", .label = "state", .unit = "", .states = {kBbrStateNames.begin(), kBbrStateNames.end()}},
         {.name = "bw_mbps", .label = "bandwidth: in use", .unit = "Mbps"},
         {.name = "max_bw_mbps", .label = "bandwidth: largest", .unit = "Mbps"},
         {.name = "bw_lo_mbps", .label = "bandwidth: short-term bound (bw_lo)", .unit = "Mbps"},
         {.name = "inflight_lo_bytes", .label = "in flight: short-term bound (inflight_lo)", .unit = "B"},
         {.name = "inflight_hi_bytes", .label = "in flight: long-term bound (inflight_hi)", .unit = "B"},
         {.name = "model_min_rtt_ms", .label = "min RTT of the model", .unit = "ms"},
         {.name = "pacing_gain", .label = "pacing gain", .unit = ""},
         {.name = "extra_acked_bytes", .label = "ACK aggregation", .unit = "B"},
         {.name = "full_bw_reached", .label = "pipe", .unit = "", .states = {"not yet full", "full"}},
         {.name = "round_loss", .label = "loss in the last round", .unit = ""},
         {.name = "ecn_alpha", .label = "share of marks, averaged", .unit = ""},
         {.name = "bw_hi_mbps", .label = "bandwidth: long-term bound (bw_hi)", .unit = "Mbps"}},
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Bbr2>(setup, params); },
}};

}  // namespace
}  // namespace paceline
