#include "cca/bbr.hh"
#include "cca/window_params.hh"

namespace paceline {

const Internals<Bbr> Bbr::kInternals{{
    {"bw_mbps", "bandwidth", "Mbps", [](const Bbr& c) { return c.bandwidth().to_mbps(); }},
    {"model_min_rtt_ms", "min RTT of the model", "ms",
     [](const Bbr& c) { return if_known(c.has_min_rtt(), c.min_rtt_.to_millis()); }},
    {"state", "state", "", [](const Bbr& c) { return c.mode_; }, {Bbr::kModeNames.begin(), Bbr::kModeNames.end()}},
    {"pacing_gain", "pacing gain", "", [](const Bbr& c) { return c.pacing_gain_; }},
    {"cwnd_gain", "cwnd gain", "", [](const Bbr& c) { return c.cwnd_gain_; }},
    {"cycle_phase", "gain cycle phase", "",
     [](const Bbr& c) { return if_known(c.mode_ == Mode::probe_bw, c.cycle_.phase()); }},
    {"extra_acked_bytes", "ACK aggregation", "B", [](const Bbr& c) { return c.aggregation_.extra().v; }},
    {"full_bw_reached", "pipe", "", [](const Bbr& c) { return c.full_pipe_.reached(); }, {"not yet full", "full"}},
    {"policed_mbps", "rate held for a policer", "Mbps",
     [](const Bbr& c) { return if_known(c.policer_.in_use(), c.policer_.rate().to_mbps()); }},
}};

namespace {

const RegisterCca bbr{{
    .id = "bbr",
    .label = "BBR",
    .family = "model",
    .summary = "Believes that a path has a bandwidth and a least round-trip time, and measures both. It sends at the "
               "bandwidth, keeps "
               "about twice their product in flight, probes for more every eight round trips, and does not slow down "
               "for losses.",
    .source = "BBR version 1: Cardwell et al., ACM Queue 14(5), 2016; Linux net/ipv4/tcp_bbr.c",
    .identity = {.slot = 2, .marker = "triangle", .hollow = false},
    .needs = {.pacing = Pacing::own, .prr = false},
    .params =
        {
            {.name = "min_rtt_win_s",
             .label = "Min-RTT window",
             .unit = "s",
             .initial = 10,
             .min = 1,
             .max = 60,
             .help = "How long a least round-trip time is believed before the queue is emptied to measure it again."},
            {.name = "probe_rtt_ms",
             .label = "PROBE_RTT time",
             .unit = "ms",
             .initial = 200,
             .min = 50,
             .max = 1000,
             .help = "How long it then keeps only four packets in flight; longer sees the true round trip more surely "
                     "and costs throughput."},
            {.name = "cwnd_gain",
             .label = "Window gain",
             .unit = "BDP",
             .initial = 2,
             .min = 1,
             .max = 4,
             .help = "Most data in flight, in bandwidth-delay products; it bounds the queue when the bandwidth is "
                     "overestimated."},
            {.name = "probe_gain",
             .label = "Probing gain",
             .unit = "",
             .initial = 1.25,
             .min = 1,
             .max = 1.75,
             .help = "How much faster than the bandwidth it sends for one round trip in eight; the next round trip "
                     "makes up for it."},
            {.name = "bw_win_rounds",
             .label = "Bandwidth window",
             .type = ParamType::integer,
             .unit = "round trips",
             .initial = 10,
             .min = 2,
             .max = 100,
             .help = "How long the largest delivery rate is believed; shorter follows a fading link faster."},
            {.name = "ack_agg",
             .label = "Allow for ACK aggregation",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help = "Lets as much extra be in flight as acknowledgements lately arrived in bunches; off gives less "
                     "delay and less throughput."},
            {.name = "lt_bw",
             .label = "Detect policers",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 1,
             .max = 1,
             .help =
                 "Holds a steady rate for 48 round trips when heavy, regular loss looks like a token-bucket policer."},
            {.name = "pacing_margin_pct",
             .label = "Pacing margin",
             .unit = "%",
             .initial = 1,
             .min = -10,
             .max = 20,
             .help = "How far below the bandwidth it paces, so that no queue builds up from rounding."},
            initial_window_param(),
        },
    .internals = Bbr::kInternals.specs(),
    .make = [](const Setup& setup, const Params& params) { return std::make_unique<Bbr>(setup, params); },
}};

}  // namespace
}  // namespace paceline
