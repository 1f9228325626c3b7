#pragma once
// The programs of a real-time run: they differ in their role only.

#include <string_view>

#include "drivers/realtime/priority.hh"

namespace paceline {

// The whole of main(): `what` says in the help what the program does.
int realtime_program(Role role, std::string_view what, int argc, char** argv);

}  // namespace paceline
