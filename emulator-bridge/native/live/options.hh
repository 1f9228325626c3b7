#pragma once
// What the programs that run in real time have in common on their command lines and in how they write.

#include <cstdint>

#include "drivers/plan.hh"
#include "program/arguments.hh"

namespace paceline {

// --spin-us
[[nodiscard]] Duration spin_of(const Arguments& arguments);
// Live viewers want to see something several times a second.
[[nodiscard]] uint32_t rows_per_block(const RunPlan& plan);

}  // namespace paceline
