#include "drivers/realtime_udp/udp_socket.hh"

#include <linux/sock_diag.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "drivers/realtime/clock.hh"

namespace paceline {

namespace {

// 16 000 full packets: 200 ms at 1 Gbit/s. The kernel counts twice the size asked for.
constexpr int kBufferBytes = 32 << 20;
constexpr std::size_t kMaxPayload = 1472;

void check(const char* what, int rc) {
  if (rc < 0) throw std::system_error{errno, std::generic_category(), what};
}

void enlarge(int fd, int force, int plain) {
  if (::setsockopt(fd, SOL_SOCKET, force, &kBufferBytes, sizeof kBufferBytes) == 0) return;  // needs CAP_NET_ADMIN
  check("setsockopt", ::setsockopt(fd, SOL_SOCKET, plain, &kBufferBytes, sizeof kBufferBytes));
}

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

}  // namespace

// Everything that the two system calls need, set up once.
struct UdpSocket::Batches {
  struct alignas(cmsghdr) Control {
    std::array<char, CMSG_SPACE(sizeof(timespec))> bytes{};
  };

  std::array<std::array<std::byte, kMaxHeader>, kBatch> in{};
  std::array<iovec, kBatch> in_parts{};
  std::array<Control, kBatch> in_control{};
  std::array<mmsghdr, kBatch> in_messages{};
  std::array<Datagram, kBatch> datagrams{};

  std::array<std::array<std::byte, kMaxHeader>, kBatch> out{};
  std::array<std::byte, kMaxPayload> padding{};
  std::array<std::array<iovec, 2>, kBatch> out_parts{};
  std::array<sockaddr_in, kBatch> out_to{};
  std::array<mmsghdr, kBatch> out_messages{};
  std::size_t unsent{};

  Batches() {
    for (std::size_t i = 0; i < kBatch; ++i) {
      in_parts[i] = {in[i].data(), in[i].size()};
      in_messages[i].msg_hdr.msg_iov = &in_parts[i];
      in_messages[i].msg_hdr.msg_iovlen = 1;
      in_messages[i].msg_hdr.msg_control = in_control[i].bytes.data();
      out_messages[i].msg_hdr.msg_iov = out_parts[i].data();
      out_messages[i].msg_hdr.msg_iovlen = 2;
      out_messages[i].msg_hdr.msg_name = &out_to[i];
      out_messages[i].msg_hdr.msg_namelen = sizeof(sockaddr_in);
    }
  }
};

UdpSocket::UdpSocket()
    : fd_{::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)}, batches_{std::make_unique<Batches>()} {
  check("socket", fd_);
  enlarge(fd_, SO_RCVBUFFORCE, SO_RCVBUF);
  enlarge(fd_, SO_SNDBUFFORCE, SO_SNDBUF);
  const int on = 1;
  check("setsockopt SO_TIMESTAMPNS", ::setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on));
  sockaddr_in address = loopback(0);
  check("bind", ::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  socklen_t length = sizeof address;
  check("getsockname", ::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &length));
  port_ = ntohs(address.sin_port);
}

UdpSocket::~UdpSocket() { ::close(fd_); }

std::span<const UdpSocket::Datagram> UdpSocket::receive() {
  Batches& b = *batches_;
  for (mmsghdr& message : b.in_messages) message.msg_hdr.msg_controllen = sizeof(Batches::Control);
  const int got = ::recvmmsg(fd_, b.in_messages.data(), kBatch, MSG_DONTWAIT | MSG_TRUNC, nullptr);
  if (got < 0) {
    // ECONNREFUSED: a process of the run has ended, and the kernel tells of it here.
    if (errno == EAGAIN || errno == EINTR || errno == ECONNREFUSED) return {};
    check("recvmmsg", got);
  }
  const int64_t now = clock_ns(CLOCK_MONOTONIC);
  constexpr int64_t kSecond = 1'000'000'000;
  if (now - measured_ns_ > kSecond) {
    realtime_ahead_ns_ = clock_ns(CLOCK_REALTIME) - now;
    measured_ns_ = now;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
    b.datagrams[i] = {.arrived_ns = now,
                      .header = std::span<const std::byte>{b.in[i]}.first(
                          std::min<std::size_t>(b.in_messages[i].msg_len, kMaxHeader))};
    const cmsghdr* control = CMSG_FIRSTHDR(&b.in_messages[i].msg_hdr);
    if (control == nullptr || control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp{};
    std::memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
    const int64_t at = static_cast<int64_t>(stamp.tv_sec) * kSecond + stamp.tv_nsec - realtime_ahead_ns_;
    // A stamp far off means that somebody has set the machine's clock since it was compared.
    if (at <= now && now - at < kSecond) b.datagrams[i].arrived_ns = at;
  }
  return std::span<const Datagram>{b.datagrams}.first(static_cast<std::size_t>(got));
}

std::span<std::byte, UdpSocket::kMaxHeader> UdpSocket::next_header() { return batches_->out[batches_->unsent]; }

void UdpSocket::add(uint16_t to_port, std::size_t header_bytes, std::size_t payload_bytes) {
  Batches& b = *batches_;
  const std::size_t padding = payload_bytes > header_bytes ? std::min(payload_bytes, kMaxPayload) - header_bytes : 0;
  b.out_parts[b.unsent][0] = {b.out[b.unsent].data(), header_bytes};
  b.out_parts[b.unsent][1] = {b.padding.data(), padding};
  b.out_to[b.unsent] = loopback(to_port);
  if (++b.unsent == kBatch) flush();
}

bool UdpSocket::unsent() const { return batches_->unsent > 0; }

void UdpSocket::flush() {
  Batches& b = *batches_;
  for (std::size_t sent = 0; sent < b.unsent;) {
    const int rc = ::sendmmsg(fd_, &b.out_messages[sent], static_cast<unsigned>(b.unsent - sent), MSG_DONTWAIT);
    if (rc > 0) {
      sent += static_cast<std::size_t>(rc);
    } else if (errno != EINTR) {
      ++refused_;  // this one is lost (a full buffer, a peer that has ended); the others are not
      ++sent;
    }
  }
  b.unsent = 0;
}

uint64_t UdpSocket::dropped() const {
  std::array<uint32_t, SK_MEMINFO_VARS> info{};
  socklen_t length = sizeof info;
  if (::getsockopt(fd_, SOL_SOCKET, SO_MEMINFO, info.data(), &length) != 0) return 0;
  return info[SK_MEMINFO_DROPS];
}

}  // namespace paceline
