// A page, or a library in another program, has no kernel whose TCP could be asked for its algorithms.

#include "drivers/realtime_tun/kernel_ccas.hh"

namespace paceline {

std::span<const Descriptor* const> kernel_ccas() { return {}; }
const Descriptor* find_kernel_cca(std::string_view) { return nullptr; }
std::string kernel_cca_names() { return {}; }

}  // namespace paceline
