// A page has no kernel whose TCP could be asked for its algorithms.

#include "drivers/realtime_tun/kernel_ccas.hh"

namespace paceline {

const Descriptor* find_kernel_cca(std::string_view) { return nullptr; }
std::string kernel_cca_names() { return {}; }

}  // namespace paceline
