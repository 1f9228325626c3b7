// paceline-list: the CCAs, queue disciplines and path elements of this engine.

#include <cstdio>
#include <string>

#include "live/bpf_option.hh"
#include "plugin/load.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "telemetry/descriptions.hh"

int main(int argc, char** argv) {
  constexpr std::string_view help =
      "Usage: paceline-list [--bpf NAME=FILE]... [--cca-plugin FILE]... [--help] [--version]\n\n"
      "Prints the CCAs, queue disciplines and path elements of this engine with their parameters, as JSON.\n\n"
      "  --bpf NAME=FILE     a compiled congestion control (BPF struct_ops) that is loaded into the kernel for the "
      "time of a run;\n"
      "                      it is tried, and listed as kernel-bpf-NAME or, with the reason, as unavailable\n";
  return paceline::run_program({"paceline-list", help}, argc, argv, [&] {
    const paceline::Arguments arguments{argc, argv, {paceline::kBpfOption, paceline::kPluginOption}, {}};
    paceline::load_plugins(arguments);
    paceline::TriedObjects tried = paceline::try_out(paceline::bpf_option(arguments));
    paceline::add_bpf_objects(std::move(tried.usable));
    const std::string text = paceline::engine_listing(tried.unavailable).dump(2) + "\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
  });
}
