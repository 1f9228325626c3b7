// The optimal (Zeus paper, section 3.2): the channel is always full and every packet sees the base RTT. Computed from the
// trace alone by the driver; there is no sender.

#include "cca/registry.hh"

namespace paceline {
namespace {

const RegisterCca optimal{{
    .id = "optimal",
    .label = "Optimal",
    .family = "reference",
    .kind = Kind::ideal,
    .summary = "A reference that nobody can reach: it knows the future, uses every delivery opportunity, and never "
               "queues a packet.",
    .source = "Zeus, section 3.2",
    .realtime = false,
    .identity = {.slot = 0, .marker = "star", .hollow = true},
    .needs = {},
    .params = {},
    .internals = {},
    .make = nullptr,
}};

}  // namespace
}  // namespace paceline
