#pragma once
// Plug-ins: shared libraries with algorithms, of whoever started this program (docs/plugins.md).

#include <string>
#include <vector>

#include "program/arguments.hh"

namespace paceline {

inline constexpr std::string_view kPluginOption = "--cca-plugin";

// Those of the option, and of the variable PACELINE_CCA_PLUGINS (files, a colon between two): their algorithms are registered as ours
// are. Throws Refusal when one cannot be loaded, is none, or has an id that is taken. A library stays loaded until the program ends.
void load_plugins(const Arguments& arguments);

}  // namespace paceline
