// paceline-list: the CCAs and queue disciplines of this engine.

#include <cstdio>
#include <string>

#include "apps/common/arguments.hh"
#include "apps/common/descriptions.hh"
#include "apps/common/program.hh"

int main(int argc, char** argv) {
  constexpr std::string_view help =
      "Usage: paceline-list [--help] [--version]\n\n"
      "Prints the CCAs and queue disciplines of this engine with their parameters, as JSON.\n";
  return paceline::run_program({"paceline-list", help}, argc, argv, [&] {
    const paceline::Arguments none{argc, argv, {}, {}};
    const std::string text = paceline::engine_listing().dump(2) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
  });
}
