#include "drivers/realtime_tun/tcp_socket.hh"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include "drivers/realtime_tun/kernel_ccas.hh"

namespace paceline {

namespace {

[[noreturn]] void socket_failed(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

void set_option(int socket, int level, int option, int value, const char* name) {
  if (::setsockopt(socket, level, option, &value, sizeof value) != 0) socket_failed(name);
}

// Closing it ends the connection at once, also when the process was killed: a socket that the kernel still tries to send for keeps
// its network namespace for a minute or two. Accepted connections have it from their listener.
void close_at_once(int socket) {
  const linger abort{.l_onoff = 1, .l_linger = 0};
  if (::setsockopt(socket, SOL_SOCKET, SO_LINGER, &abort, sizeof abort) != 0) socket_failed("SO_LINGER");
}

}  // namespace

FileDescriptor make_sender_socket(std::string_view congestion_control) {
  FileDescriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!socket) socket_failed("socket");
  constexpr std::size_t kLongestName = 16;  // TCP_CA_NAME_MAX
  const int refused = ::setsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, congestion_control.data(),
                                   static_cast<socklen_t>(congestion_control.size()));
  const int reason = refused == 0 ? 0 : errno;
  std::array<char, kLongestName> got{};
  socklen_t size = got.size();
  if (::getsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, got.data(), &size) != 0) socket_failed("TCP_CONGESTION");
  const std::string_view is{got.data(), ::strnlen(got.data(), size)};
  if (is != congestion_control)
    throw std::runtime_error{"the kernel does not give a socket the congestion control " +
                             std::string{congestion_control} +
                             (reason == 0 ? "" : " (" + std::generic_category().message(reason) + ")") + " and keeps " +
                             std::string{is} + "; it has " + kernel_cca_names()};
  close_at_once(socket.get());
  // So much may wait in the socket: enough for some milliseconds of a fast link, little enough to stop at once.
  constexpr int kWaiting = 4 << 20;
  set_option(socket.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, kWaiting, "TCP_NOTSENT_LOWAT");
  return socket;
}

void send_at_once(int socket) { set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY"); }

void keep_little_waiting(int socket) {
  constexpr int kWaiting = 32 << 10;
  set_option(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, kWaiting, "TCP_NOTSENT_LOWAT");
}

void limit_window(int socket, Bytes limit) {
  int clamp = 0;
  socklen_t size = sizeof clamp;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_WINDOW_CLAMP, &clamp, &size) != 0) socket_failed("TCP_WINDOW_CLAMP");
  if (clamp == limit.v) return;
  set_option(socket, IPPROTO_TCP, TCP_WINDOW_CLAMP, static_cast<int>(limit.v), "TCP_WINDOW_CLAMP");
}

FileDescriptor make_listener(uint16_t port, Bytes window_limit) {
  FileDescriptor socket{::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!socket) socket_failed("socket");
  close_at_once(socket.get());
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) socket_failed("bind");
  // The window's scale and first value come from here.
  if (window_limit > Bytes::zero()) limit_window(socket.get(), window_limit);
  constexpr int kWaiting = 16;
  if (::listen(socket.get(), kWaiting) != 0) socket_failed("listen");
  return socket;
}

TcpInfo read_tcp_info(int socket) {
  // Kernels append to the structure; this system's headers may be older or newer than the kernel.
  constexpr std::size_t kTimeouts = 240;  // offset of tcpi_total_rto, u16
  std::array<std::byte, 512> raw{};
  socklen_t size = raw.size();
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, raw.data(), &size) != 0) socket_failed("TCP_INFO");
  TcpInfo info{};
  std::memcpy(&info.base, raw.data(), sizeof info.base);
  uint16_t timeouts{};
  std::memcpy(&timeouts, raw.data() + kTimeouts, sizeof timeouts);
  if (size >= kTimeouts + sizeof timeouts) info.timeouts = timeouts;
  return info;
}

std::optional<BbrInfo> read_bbr_info(int socket) {
  struct {
    uint32_t bandwidth_low, bandwidth_high, min_rtt_us, pacing_gain, cwnd_gain;
  } raw{};
  socklen_t size = sizeof raw;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_CC_INFO, &raw, &size) != 0 || size < sizeof raw) return std::nullopt;
  constexpr double kGainUnit = 256;
  const uint64_t bytes_per_s = uint64_t{raw.bandwidth_high} << 32 | raw.bandwidth_low;
  return BbrInfo{.bandwidth = {static_cast<double>(bytes_per_s) * 8},
                 .min_rtt = Duration::micros(raw.min_rtt_us),
                 .pacing_gain = raw.pacing_gain / kGainUnit,
                 .cwnd_gain = raw.cwnd_gain / kGainUnit};
}

}  // namespace paceline
