#include "cca/ledbat.hh"

#include "cca/libutp.hh"

namespace paceline {
namespace {

bool is_libutp(const Params& params) { return params.choice("profile") == "libutp"; }

const RegisterCca ledbat{{
    .id = "ledbat",
    .label = "LEDBAT",
    .family = "delay",
    .summary =
        "Believes that background traffic should wait for everybody else. Holds the delay that it adds to the queue "
        "at a small target: grows below it, shrinks above it, and so makes way for any flow that fills the queue.",
    .source = "RFC 6817; LEDBAT++: draft-irtf-iccrg-ledbat-plus-plus; libutp: utp_internal.cpp",
    .identity = {.slot = 6, .marker = "circle", .hollow = false},
    .needs = {.pacing = Pacing::none},
    .needs_with =
        [](const Params& p) {
          return Needs{.pacing = p.choice("pacing") == "on" ? Pacing::window : Pacing::none, .prr = !is_libutp(p)};
        },
    .params =
        {
            {.name = "profile",
             .label = "Profile",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"zeus", "rfc6817", "ledbat++", "libutp"},
             .help = "zeus is RFC 6817 with a target of 25 ms, rfc6817 with 100 ms; ledbat++ (60 ms) grows gently, "
                     "decreases by shares, and slows down now and then to see the empty path; libutp (100 ms) is what "
                     "BitTorrent runs."},
            {.name = "target_ms",
             .label = "Target delay",
             .unit = "ms",
             .initial = 0,
             .min = 0,
             .max = 500,
             .help =
                 "Queueing delay it aims for; 0 takes the profile's. Lower yields sooner, and is fooled sooner by the "
                 "jitter of a cellular link."},
            {.name = "gain",
             .label = "Gain",
             .unit = "packets/round trip",
             .initial = 1,
             .min = 0.1,
             .max = 10,
             .help =
                 "How fast the window moves when the delay is off its target by the whole target; above 1 it is faster "
                 "than Reno, which the RFC forbids."},
            {.name = "delay",
             .label = "Delay signal",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"auto", "one_way", "rtt"},
             .help = "auto is the one-way delay, for ledbat++ the round trip; with rtt a queue on the way back counts, "
                     "too. "
                     "Without receiver's timestamps it is always rtt."},
            {.name = "slow_start",
             .label = "Slow start",
             .type = ParamType::boolean,
             .unit = "",
             .initial = 0,
             .max = 1,
             .matters_with = {"profile", {"zeus", "rfc6817"}},
             .help =
                 "Begins by doubling until nine tenths of the target are reached; off grows by a packet per round trip "
                 "from the start. ledbat++ and libutp always have their own."},
            {.name = "filter_len",
             .label = "Samples of the filter",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 0,
             .min = 0,
             .max = static_cast<double>(LedbatDelays::kMostSamples),
             .help = "The current delay is the least of this many samples; more are less easily fooled by jitter, and "
                     "react later. 0 takes the profile's: 4, libutp 3."},
            {.name = "base_history_min",
             .label = "Memory of the base delay",
             .type = ParamType::integer,
             .unit = "minutes",
             .initial = 0,
             .min = 0,
             .max = static_cast<double>(LedbatDelays::kMostMinutes),
             .help = "The base delay is the least of this many minutes; shorter follows a path that gets longer, and "
                     "believes a standing queue sooner. 0 takes the profile's: 10, libutp 13."},
            {.name = "allowed_increase",
             .label = "Allowed increase",
             .unit = "packets",
             .initial = 1,
             .min = 1,
             .max = 100,
             .matters_with = {"profile", {"zeus", "rfc6817"}},
             .help = "How far the window may exceed what is in flight; 1 is the RFC's, libutp has no such bound."},
            {.name = "min_cwnd",
             .label = "Least window",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 2,
             .min = 1,
             .max = 10,
             .matters_with = {"profile", {"zeus", "rfc6817", "ledbat++"}},
             .help =
                 "What it keeps sending however long the queue is; lower yields more, and notices a free link later. "
                 "libutp goes below a packet."},
            {.name = "init_cwnd",
             .label = "Initial window",
             .type = ParamType::integer,
             .unit = "packets",
             .initial = 0,
             .min = 0,
             .max = 100,
             .help = "Packets sent in the first round trip; 0 takes the profile's: 2, libutp 1."},
            {.name = "pacing",
             .label = "Pacing",
             .type = ParamType::choice,
             .unit = "",
             .initial = 0,
             .choices = {"off", "on"},
             .help = "Spreads packets over the smoothed round trip; the RFC has none. With it, two packets per "
                     "smoothed round "
                     "trip are very few after an outage."},
        },
    .internals = ledbat_internals().specs(),
    .make = [](const Setup& setup, const Params& params) -> std::unique_ptr<Controller> {
      if (is_libutp(params)) return std::make_unique<LibUtp>(setup, params);
      return std::make_unique<Ledbat>(setup, params);
    },
}};

}  // namespace
}  // namespace paceline
