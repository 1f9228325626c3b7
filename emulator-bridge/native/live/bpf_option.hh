#pragma once
// --bpf NAME=FILE: compiled congestion controls that the operator offers.

#include <string>
#include <vector>

#include "drivers/realtime_tun/kernel_ccas.hh"
#include "program/arguments.hh"
#include "telemetry/descriptions.hh"

namespace paceline {

inline constexpr std::string_view kBpfOption = "--bpf";

// As they were given. Throws Refusal.
[[nodiscard]] std::vector<BpfObject> bpf_option(const Arguments& arguments);

// Those that this machine can load; of the others the reason why not.
struct TriedObjects {
  std::vector<BpfObject> usable{};
  std::vector<UnavailableCca> unavailable{};
};
[[nodiscard]] TriedObjects try_out(const std::vector<BpfObject>& objects);

}  // namespace paceline
