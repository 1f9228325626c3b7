#pragma once
// Tables of rates over time: two columns, seconds and Mbps, between blanks, commas or semicolons; a header line is
// skipped.

#include <cstdint>
#include <string_view>
#include <vector>

namespace paceline {

struct RateTableOptions {
  // A row's rate holds from its time to the next row's (the last row: for the median step), or up to its time since the
  // row before.
  enum class Rows : uint8_t { begin, end } rows{Rows::begin};
  // What happens where a row is missing (a step of more than 1.5 median steps). Never decided silently.
  enum class Gaps : uint8_t { refuse, hold, zero } gaps{Gaps::refuse};
};

// counts[0..T], by the rule of channel/rate_integrator.hh. Throws TraceError.
[[nodiscard]] std::vector<uint32_t> trace_from_rate_table(std::string_view text, const RateTableOptions& options);

}  // namespace paceline
