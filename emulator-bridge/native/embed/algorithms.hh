#pragma once
// Algorithms that whoever uses the library has added, beside those that are registered.

#include <string_view>

#include "cca/registry.hh"
#include "plugin/paceline_plugin.h"

namespace paceline {

// Adds it under `revision`, or in the place of one that was added before. Fails when it is not as the interface has it, or its id is one
// of ours. It is not copied.
void add_algorithm(const paceline_algorithm& algorithm, std::string_view revision);

// Null if unknown. It stays what it is, whatever is added.
[[nodiscard]] const Descriptor* added_algorithm(std::string_view id);

// All algorithms, queue disciplines and path elements that there are, as JSON; what was answered once is never changed.
[[nodiscard]] const char* listing_now();

}  // namespace paceline
