#pragma once
// A moment of a test.

#include <cstdint>

#include "core/units.hh"

namespace paceline::testing {

inline Time at_ms(double ms) { return Time{static_cast<int64_t>(ms * 1e6 + 0.5)}; }

}  // namespace paceline::testing
