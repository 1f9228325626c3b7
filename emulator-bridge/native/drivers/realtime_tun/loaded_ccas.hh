#pragma once
// The compiled congestion controls of one run, loaded into the kernel for as long as this is there.

#include <map>
#include <string_view>

#include "drivers/plan.hh"
#include "drivers/realtime_tun/bpf_cca.hh"

namespace paceline {

class LoadedCcas {
 public:
  // Loads each that a flow of the plan has, once. Throws like BpfCca.
  explicit LoadedCcas(const RunPlan& plan);

  // What TCP_CONGESTION takes for it.
  [[nodiscard]] std::string_view name_of(const Descriptor& cca) const;

 private:
  std::map<const Descriptor*, BpfCca> loaded_{};
};

}  // namespace paceline
