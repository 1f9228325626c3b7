#pragma once
// What every program does alike: --help, --version, exit codes, one plain sentence for an error.

#include <functional>
#include <string_view>

namespace paceline {

struct Program {
  std::string_view name{};  // "paceline-simulate"
  std::string_view help{};
};

// Prints help or the version when asked for; otherwise runs `body` and turns what it throws into a sentence on standard
// error and an exit code: 0 ok, 1 failed, 2 bad input, 127 unknown CCA or queue discipline.
int run_program(const Program& program, int argc, char** argv, const std::function<void()>& body);

// The kernel ends this process when its parent ends, so that none is left behind.
void end_with_parent();

}  // namespace paceline
