#pragma once
// The values inside that TCP_INFO shows of a socket, and those that TCP_CC_INFO adds where the algorithm is BBR.

#include <cstdint>
#include <optional>

#include "cca/internals.hh"
#include "drivers/realtime_tun/tcp_socket.hh"

namespace paceline {

// What a socket said last. `active`: its flow sends; of one that does not, the kernel's window means nothing.
struct KernelView {
  const TcpInfo& info;
  const std::optional<BbrInfo>& bbr;
  bool active{};
};

[[nodiscard]] const Internals<KernelView>& kernel_internals(bool bbr);

}  // namespace paceline
