#pragma once
// Who is who in the two networks of a run: addresses in the host's byte order, and ports. A run has at most 64 flows.

#include <arpa/inet.h>

#include <array>
#include <cstdint>
#include <string>

namespace paceline {

// The kernel's flows share the ends' own addresses, and differ by port.
inline constexpr uint32_t kSenderEnd = 0x64400001;  // 100.64.0.1
inline constexpr uint32_t kReceiverEnd = 0x64400002;
inline constexpr uint16_t kFirstKernelPort = 5001;

// A flow of foreign programs has an address of its own at each end, since nobody knows what ports they will use.
inline constexpr uint32_t kFirstForeignSender = 0x64400040;  // 100.64.0.64
inline constexpr uint32_t kFirstForeignReceiver = 0x64400080;
inline constexpr uint16_t kFirstForeignPort = 5201;  // offered to them; iperf3's

[[nodiscard]] inline std::string dotted(uint32_t address) {
  const in_addr in{.s_addr = htonl(address)};
  std::array<char, INET_ADDRSTRLEN> text{};
  ::inet_ntop(AF_INET, &in, text.data(), text.size());
  return text.data();
}

}  // namespace paceline
