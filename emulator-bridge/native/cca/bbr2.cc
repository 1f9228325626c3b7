#include "cca/bbr2.hh"

#include "cca/bbr_params.hh"

namespace paceline {

const Internals<BbrView> Bbr2::kInternals{{
    {"state", "state", "", [](const BbrView& v) { return v.state; }, {kBbrStateNames.begin(), kBbrStateNames.end()}},
    {"bw_mbps", "bandwidth: in use", "Mbps", [](const BbrView& v) { return v.bw.to_mbps(); }},
    {"max_bw_mbps", "bandwidth: largest", "Mbps", [](const BbrView& v) { return v.max_bw.to_mbps(); }},
    {"bw_lo_mbps", "bandwidth: short-term bound (bw_lo)", "Mbps",
     [](const BbrView& v) { return mbps_if_bounded(v.bw_short); }},
    {"inflight_lo_bytes", "in flight: short-term bound (inflight_lo)", "B",
     [](const BbrView& v) { return bytes_if_bounded(v.inflight_short); }},
    {"inflight_hi_bytes", "in flight: long-term bound (inflight_hi)", "B",
     [](const BbrView& v) { return bytes_if_bounded(v.inflight_long); }},
    {"model_min_rtt_ms", "min RTT of the model", "ms", [](const BbrView& v) { return v.min_rtt_ms; }},
    {"pacing_gain", "pacing gain", "", [](const BbrView& v) { return v.pacing_gain; }},
    {"extra_acked_bytes", "ACK aggregation", "B", [](const BbrView& v) { return v.extra_acked.v; }},
    {"full_bw_reached", "pipe", "", [](const BbrView& v) { return v.pipe_full; }, {"not yet full", "full"}},
    {"round_loss", "loss in the last round", "", [](const BbrView& v) { return v.round_loss; }},
    {"ecn_alpha", "share of marks, averaged", "", [](const BbrView& v) { return v.ecn_alpha; }},
    {"bw_hi_mbps", "bandwidth: long-term bound (bw_hi)", "Mbps",
     [](const BbrView& v) { return mbps_if_bounded(v.bw_hi); }},
}};

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
    .internals = Bbr2::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Bbr2>(setup, params); },
}};

}  // namespace
}  // namespace paceline
