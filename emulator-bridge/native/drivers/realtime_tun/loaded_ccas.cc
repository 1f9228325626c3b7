#include "drivers/realtime_tun/loaded_ccas.hh"

#include "drivers/realtime_tun/kernel_ccas.hh"

namespace paceline {

LoadedCcas::LoadedCcas(const RunPlan& plan) {
  for (const FlowPlan& flow : plan.flows)
    if (const BpfObject* object = bpf_object_of(*flow.cca); object && !loaded_.contains(flow.cca))
      loaded_.emplace(flow.cca, BpfCca{object->path});
}

std::string_view LoadedCcas::name_of(const Descriptor& cca) const {
  const auto found = loaded_.find(&cca);
  return found == loaded_.end() ? kernel_name(cca) : found->second.name();
}

}  // namespace paceline
