#include "cca/bbr3.hh"

#include <algorithm>

#include "cca/bbr3_linux.hh"
#include "cca/bbr_params.hh"

namespace paceline {

const Internals<BbrView> Bbr3::kInternals{{
    {"state", "state", "", [](const BbrView& v) { return v.state; }, {kBbrStateNames.begin(), kBbrStateNames.end()}},
    {"bw_mbps", "bandwidth: in use", "Mbps", [](const BbrView& v) { return v.bw.to_mbps(); }},
    {"max_bw_mbps", "bandwidth: largest", "Mbps", [](const BbrView& v) { return v.max_bw.to_mbps(); }},
    {"bw_short_mbps", "bandwidth: short-term bound", "Mbps",
     [](const BbrView& v) { return mbps_if_bounded(v.bw_short); }},
    {"inflight_short_bytes", "in flight: short-term bound", "B",
     [](const BbrView& v) { return bytes_if_bounded(v.inflight_short); }},
    {"inflight_long_bytes", "in flight: long-term bound", "B",
     [](const BbrView& v) { return bytes_if_bounded(v.inflight_long); }},
    {"model_min_rtt_ms", "min RTT of the model", "ms", [](const BbrView& v) { return v.min_rtt_ms; }},
    {"pacing_gain", "pacing gain", "", [](const BbrView& v) { return v.pacing_gain; }},
    {"extra_acked_bytes", "ACK aggregation", "B", [](const BbrView& v) { return v.extra_acked.v; }},
    {"full_bw_reached", "pipe", "", [](const BbrView& v) { return v.pipe_full; }, {"not yet full", "full"}},
    {"round_loss", "loss in the last round", "", [](const BbrView& v) { return v.round_loss; }},
    {"ecn_alpha", "share of marks, averaged", "", [](const BbrView& v) { return v.ecn_alpha; }},
}};

namespace {

bool is_linux(const Params& params) { return params.choice("profile") == "linux"; }

std::vector<ParamSpec> all_params() {
  std::vector<ParamSpec> params = bounded_bbr_params(2.77);
  params.insert(params.begin(),
                {.name = "profile",
                 .label = "Profile",
                 .type = ParamType::choice,
                 .unit = "",
                 .initial = 0,
                 .choices = {"draft", "linux"},
                 .help = "Whose version: the IETF draft's, or Google's code for Linux, which drains harder, judges "
                         "losses on every ACK and can answer marks on short paths."});
  // The draft asks the path for no marks.
  std::ranges::find(params, "ecn", &ParamSpec::name)->matters_with = {"profile", {"linux"}};
  return params;
}

const RegisterCca bbr3{{
    .id = "bbr3",
    .label = "BBRv3",
    .family = "model",
    .summary =
        "Believes, as BBR, in a bandwidth and a least round-trip time that can be measured – and that more than 2 % of "
        "loss while probing means too much in flight. Remembers that bound, keeps a little below it, and probes "
        "beyond it every few seconds.",
    .source = "draft-ietf-ccwg-bbr, working copy of August 2026; google/bbr, branch v3",
    .identity = {.slot = 2, .marker = "triangle", .hollow = true},
    .needs = {.pacing = Pacing::own, .prr = false},
    .needs_with =
        [](const Params& params) {
          return is_linux(params) ? bounded_bbr_needs(params) : Needs{.pacing = Pacing::own, .prr = false};
        },
    .params = all_params(),
    .internals = Bbr3::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) -> std::unique_ptr<Controller> {
      if (is_linux(params)) return std::make_unique<Bbr3Linux>(setup, params);
      return std::make_unique<Bbr3>(setup, params);
    },
}};

}  // namespace
}  // namespace paceline
