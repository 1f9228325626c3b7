#pragma once
// Delays that were measured, as people have them: a delay a line, or a time and a delay, in milliseconds (docs/paths.md). The page reads the same
// (server/analysis/recorded-delays.ts).

#include <vector>

#include "formats/source.hh"

namespace paceline::formats {

struct DelayLines {
  std::vector<double> times_ms{};  // from the first on
  std::vector<double> delays_ms{};
};

// Lines without times are `interval_ms` apart. Throws TraceError with the line, also for more delays than there may be.
[[nodiscard]] DelayLines read_delay_lines(Source& source, double interval_ms);

}  // namespace paceline::formats
