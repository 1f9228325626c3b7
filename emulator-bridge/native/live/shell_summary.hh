#pragma once
// What a shell tells of its link when it ends.

#include <string>

#include "metrics/summary.hh"

namespace paceline {

// A line for the time and one for each direction, each with its end. Empty when nothing was measured.
[[nodiscard]] std::string shell_summary(const RunSummary& summary);

}  // namespace paceline
