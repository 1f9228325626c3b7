#pragma once
// Does a program listen yet? Asked of the kernel's tables, so that nothing has to be sent.

#include <array>
#include <cstdint>
#include <string_view>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

class OpenPorts {
 public:
  // Of the calling thread's network namespace.
  OpenPorts();
  // A TCP socket listens at this port, or a UDP socket has it.
  [[nodiscard]] bool has(uint16_t port) const;

 private:
  static constexpr std::array<const char*, 4> kTables{"tcp", "tcp6", "udp", "udp6"};
  std::array<FileDescriptor, kTables.size()> files_{};
};

// In the text of /proc/net/tcp and the like; for TCP only sockets that listen count.
[[nodiscard]] bool has_open_port(std::string_view text, uint16_t port, bool tcp);

}  // namespace paceline
