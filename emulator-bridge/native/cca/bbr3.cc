#include "cca/bbr3.hh"

#include "cca/bbr3_linux.hh"
#include "cca/bbr_params.hh"

namespace paceline {
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
    .internals =
        {{.name = "state", .label = "state", .unit = "", .states = {kBbrStateNames.begin(), kBbrStateNames.end()}},
         {.name = "bw_mbps", .label = "bandwidth: in use", .unit = "Mbps"},
         {.name = "max_bw_mbps", .label = "bandwidth: largest", .unit = "Mbps"},
         {.name = "bw_short_mbps", .label = "bandwidth: short-term bound", .unit = "Mbps"},
         {.name = "inflight_short_bytes", .label = "in flight: short-term bound", .unit = "B"},
         {.name = "inflight_long_bytes", .label = "in flight: long-term bound", .unit = "B"},
         {.name = "model_min_rtt_ms", .label = "min RTT of the model", .unit = "ms"},
         {.name = "pacing_gain", .label = "pacing gain", .unit = ""},
         {.name = "extra_acked_bytes", .label = "ACK aggregation", .unit = "B"},
         {.name = "full_bw_reached", .label = "pipe", .unit = "", .states = {"not yet full", "full"}},
         {.name = "round_loss", .label = "loss in the last round", .unit = ""},
         {.name = "ecn_alpha", .label = "share of marks, averaged", .unit = ""}},
    .make = [](const Setup& setup, const Params& params) -> std::unique_ptr<Controller> {
      if (is_linux(params)) return std::make_unique<Bbr3Linux>(setup, params);
      return std::make_unique<Bbr3>(setup, params);
    },
}};

}  // namespace
}  // namespace paceline
