#pragma once
// A recipe is a JSON data file from which a synthetic trace is made, the same bit for bit each time. See
// docs/traces.md.

#include <cstdint>
#include <string_view>
#include <vector>

namespace paceline {

// counts[0..T] of the recipe's trace. Throws std::invalid_argument naming the place in the recipe and the reason.
[[nodiscard]] std::vector<uint32_t> trace_from_recipe(std::string_view text);

}  // namespace paceline
