#pragma once
// Sockets of the kernel's TCP as the runs need them, and what TCP_INFO says about one.

#include <netinet/in.h>

#include <linux/tcp.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/units.hh"
#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

// In the calling thread's network namespace, not blocking, with this congestion control, which was read back: a kernel
// may refuse one and keep its default without a word. Throws std::runtime_error that names it and what the kernel has.
[[nodiscard]] FileDescriptor make_sender_socket(std::string_view congestion_control);
// What is written leaves without waiting for more to fill a packet with.
void send_at_once(int socket);
// Only some packets wait in it, for an application that may stop writing at any time.
void keep_little_waiting(int socket);
// No more data than that may be on their way to the socket. The kernel sets a limit of its own when it learns how large packets are, so
// this is to be said again when data have come.
void limit_window(int socket, Bytes limit);
// Listens at the port in the calling thread's network namespace. `window_limit`: most data that it lets be on their way; zero: none.
[[nodiscard]] FileDescriptor make_listener(uint16_t port, Bytes window_limit = Bytes::zero());

struct TcpInfo {
  tcp_info base{};
  std::optional<uint64_t> timeouts{};  // in all; kernels from 6.7 on tell it
};
[[nodiscard]] TcpInfo read_tcp_info(int socket);

// struct tcp_bbr_info; empty while the kernel has none.
struct BbrInfo {
  Rate bandwidth{};
  Duration min_rtt{};
  double pacing_gain{};
  double cwnd_gain{};
};
[[nodiscard]] std::optional<BbrInfo> read_bbr_info(int socket);

}  // namespace paceline
