#pragma once
// An algorithm behind the plain C interface (paceline_plugin.h), as one of our own: of a plug-in, or of a page's interpreter.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cca/registry.hh"
#include "plugin/paceline_plugin.h"

namespace paceline {

// The word for a phase of a flow; empty beyond the last.
using PhaseOf = std::function<std::string_view(const paceline_algorithm&, void* state, int64_t phase)>;

// What the algorithm lists.
[[nodiscard]] std::string_view listed_phase(const paceline_algorithm& algorithm, void* state, int64_t phase);

// What is wrong with it, in a clause; empty: nothing.
[[nodiscard]] std::string fault_of(const paceline_algorithm& algorithm);

// `algorithm` and what it points to must outlive it, and whatever is made of it.
[[nodiscard]] Descriptor descriptor_of(const paceline_algorithm& algorithm, PhaseOf phase_of = listed_phase);

}  // namespace paceline
