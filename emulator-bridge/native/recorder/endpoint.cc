#include "recorder/endpoint.hh"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/random.hh"
#include "drivers/realtime/clock.hh"
#include "program/refusal.hh"

namespace paceline::recorder {

namespace {

constexpr int kBufferBytes = 32 << 20;
constexpr std::size_t kLargestPayload = 9000;
constexpr std::size_t kMostRead = 1500;  // chunks are shorter, and of data packets only the header is read

void check(const char* what, int rc) {
  if (rc < 0) throw std::system_error{errno, std::generic_category(), what};
}

void enlarge(int fd, int force, int plain) {
  if (::setsockopt(fd, SOL_SOCKET, force, &kBufferBytes, sizeof kBufferBytes) == 0) return;  // needs CAP_NET_ADMIN
  check("setsockopt", ::setsockopt(fd, SOL_SOCKET, plain, &kBufferBytes, sizeof kBufferBytes));
}

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

Addresses find(const std::string& host, uint16_t port, int flags) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = flags | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const std::string service = std::to_string(port);
  const int rc = ::getaddrinfo(host.empty() ? nullptr : host.c_str(), service.c_str(), &hints, &list);
  if (rc != 0) throw Refusal{host, std::string{"no address was found for it ("} + ::gai_strerror(rc) + ")"};
  return Addresses{list};
}

// Packets that do not fit are refused here or answered by a router, never cut in pieces: half of one is worth nothing.
void forbid_fragments(int fd, int family) {
  const int discover = IP_PMTUDISC_DO;
  check("setsockopt IP_MTU_DISCOVER", ::setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &discover, sizeof discover));
  if (family != AF_INET6) return;
  check("setsockopt IPV6_MTU_DISCOVER", ::setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &discover, sizeof discover));
}

int open_socket(int family) {
  const int fd = ::socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  check("socket", fd);
  return fd;
}

}  // namespace

PeerName Peer::name() const {
  PeerName name{};
  if (address.ss_family == AF_INET6) {
    sockaddr_in6 in6{};
    std::memcpy(&in6, &address, sizeof in6);
    std::memcpy(name.address.data(), &in6.sin6_addr, name.address.size());
    name.port = ntohs(in6.sin6_port);
  } else {
    sockaddr_in in{};
    std::memcpy(&in, &address, sizeof in);
    name.address[10] = name.address[11] = 0xff;
    std::memcpy(&name.address[12], &in.sin_addr, sizeof in.sin_addr);
    name.port = ntohs(in.sin_port);
  }
  return name;
}

uint32_t Peer::header_bytes() const {
  constexpr uint32_t kIpv4AndUdp = 28;
  constexpr uint32_t kIpv6AndUdp = 48;
  const PeerName who = name();
  const bool mapped = std::all_of(who.address.begin(), who.address.begin() + 10, [](uint8_t b) { return b == 0; }) &&
                      who.address[10] == 0xff && who.address[11] == 0xff;
  return mapped ? kIpv4AndUdp : kIpv6AndUdp;
}

std::string Peer::text() const {
  const PeerName who = name();
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (header_bytes() == 28)
    ::inet_ntop(AF_INET, &who.address[12], text.data(), text.size());
  else
    ::inet_ntop(AF_INET6, who.address.data(), text.data(), text.size());
  return std::string{text.data()} + " port " + std::to_string(who.port);
}

// Everything that the system calls need, set up once.
struct Endpoint::Batches {
  struct alignas(cmsghdr) Control {
    std::array<char, CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(uint32_t))> bytes{};
  };

  std::array<std::array<std::byte, kMostRead>, kBatch> in{};
  std::array<iovec, kBatch> in_parts{};
  std::array<Control, kBatch> in_control{};
  std::array<Peer, kBatch> in_from{};
  std::array<mmsghdr, kBatch> in_messages{};
  std::array<Datagram, kBatch> datagrams{};

  std::array<std::array<std::byte, kDataHeaderBytes>, kBatch> out{};
  std::array<std::byte, kLargestPayload> padding{};
  std::array<std::array<iovec, 2>, kBatch> out_parts{};
  std::array<mmsghdr, kBatch> out_messages{};

  Batches() {
    // Noise: a link that compresses gains nothing.
    Random noise{1, 0, "padding"};
    for (std::byte& byte : padding) byte = static_cast<std::byte>(noise.next());
    for (std::size_t i = 0; i < kBatch; ++i) {
      in_parts[i] = {in[i].data(), in[i].size()};
      in_messages[i].msg_hdr.msg_iov = &in_parts[i];
      in_messages[i].msg_hdr.msg_iovlen = 1;
      in_messages[i].msg_hdr.msg_control = in_control[i].bytes.data();
      in_messages[i].msg_hdr.msg_name = &in_from[i].address;
      out_messages[i].msg_hdr.msg_iov = out_parts[i].data();
      out_messages[i].msg_hdr.msg_iovlen = 2;
      out_parts[i][0] = {out[i].data(), kDataHeaderBytes};
    }
  }
};

Endpoint::Endpoint(int fd) : fd_{fd}, batches_{std::make_unique<Batches>()} {
  enlarge(fd_, SO_RCVBUFFORCE, SO_RCVBUF);
  enlarge(fd_, SO_SNDBUFFORCE, SO_SNDBUF);
  const int on = 1;
  check("setsockopt SO_TIMESTAMPNS", ::setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on));
  check("setsockopt SO_RXQ_OVFL", ::setsockopt(fd_, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on));
}

Endpoint::Endpoint(Endpoint&& other) noexcept
    : fd_{std::exchange(other.fd_, -1)}, peer_{other.peer_}, batches_{std::move(other.batches_)} {}

Endpoint::~Endpoint() {
  if (fd_ >= 0) ::close(fd_);
}

Endpoint Endpoint::listen(const std::string& host, uint16_t port) {
  const Addresses found = find(host, port, AI_PASSIVE);
  // Every address of the machine: the IPv6 one takes IPv4 as well. Where there is no IPv6, IPv4 alone.
  const addrinfo* choice = found.get();
  for (const addrinfo* a = found.get(); host.empty() && a != nullptr; a = a->ai_next)
    if (a->ai_family == AF_INET6) choice = a;
  for (;;) {
    Endpoint endpoint{open_socket(choice->ai_family)};
    const int off = 0;
    if (choice->ai_family == AF_INET6 && host.empty())
      check("setsockopt", ::setsockopt(endpoint.fd_, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off));
    forbid_fragments(endpoint.fd_, choice->ai_family);
    if (::bind(endpoint.fd_, choice->ai_addr, choice->ai_addrlen) == 0) return endpoint;
    if (errno != EADDRNOTAVAIL || choice == found.get() || !host.empty())
      check(("port " + std::to_string(port)).c_str(), -1);
    choice = found.get();
  }
}

Endpoint Endpoint::connect(const std::string& host, uint16_t port) {
  const Addresses found = find(host, port, AI_ADDRCONFIG);
  for (const addrinfo* a = found.get();; a = a->ai_next) {
    Endpoint endpoint{open_socket(a->ai_family)};
    forbid_fragments(endpoint.fd_, a->ai_family);
    if (::connect(endpoint.fd_, a->ai_addr, a->ai_addrlen) == 0) {
      std::memcpy(&endpoint.peer_.address, a->ai_addr, a->ai_addrlen);
      endpoint.peer_.length = a->ai_addrlen;
      return endpoint;
    }
    if (a->ai_next == nullptr) check(host.c_str(), -1);
  }
}

uint16_t Endpoint::port() const {
  Peer own{.length = sizeof(sockaddr_storage)};
  check("getsockname", ::getsockname(fd_, reinterpret_cast<sockaddr*>(&own.address), &own.length));
  return own.name().port;
}

std::span<const Endpoint::Datagram> Endpoint::receive() {
  constexpr int64_t kSecond = 1'000'000'000;
  Batches& b = *batches_;
  for (mmsghdr& message : b.in_messages) {
    message.msg_hdr.msg_controllen = sizeof(Batches::Control);
    message.msg_hdr.msg_namelen = sizeof(sockaddr_storage);
  }
  const int got = ::recvmmsg(fd_, b.in_messages.data(), kBatch, MSG_DONTWAIT, nullptr);
  if (got < 0) {
    if (errno == ECONNREFUSED) refused_ = true;
    if (errno == EAGAIN || errno == EINTR || errno == ECONNREFUSED) return {};
    check("recvmmsg", got);
  }
  const int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (now - measured_ns_ > kSecond) {
    realtime_ahead_ns_ = clock_ns(CLOCK_REALTIME) - now;
    measured_ns_ = now;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
    msghdr& header = b.in_messages[i].msg_hdr;
    b.in_from[i].length = header.msg_namelen;
    b.datagrams[i] = {.arrived_ns = now,
                      .bytes = std::span<const std::byte>{b.in[i]}.first(b.in_messages[i].msg_len),
                      .from = &b.in_from[i]};
    for (const cmsghdr* control = CMSG_FIRSTHDR(&header); control != nullptr;
         control = CMSG_NXTHDR(&header, const_cast<cmsghdr*>(control))) {
      if (control->cmsg_level != SOL_SOCKET) continue;
      if (control->cmsg_type == SO_RXQ_OVFL) std::memcpy(&dropped_, CMSG_DATA(control), sizeof dropped_);
      if (control->cmsg_type != SCM_TIMESTAMPNS) continue;
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
      const int64_t at = static_cast<int64_t>(stamp.tv_sec) * kSecond + stamp.tv_nsec - realtime_ahead_ns_;
      // A stamp far off means that somebody has set the machine's clock since it was compared.
      if (at <= now && now - at < kSecond) b.datagrams[i].arrived_ns = at;
    }
  }
  return std::span<const Datagram>{b.datagrams}.first(static_cast<std::size_t>(got));
}

void Endpoint::send_bytes(const Peer& to, std::span<const std::byte> bytes) {
  // Lost like any other datagram if there is no room: whoever needs it asks again.
  const auto* address = reinterpret_cast<const sockaddr*>(&to.address);
  const bool connected = peer_.length > 0;
  (void)::sendto(fd_, bytes.data(), bytes.size(), MSG_DONTWAIT, connected ? nullptr : address,
                 connected ? 0 : to.length);
}

Endpoint::SentData Endpoint::send_data(const Peer& to, Data first, std::size_t packets, uint32_t payload_bytes) {
  Batches& b = *batches_;
  const bool connected = peer_.length > 0;
  const std::size_t count = std::min(packets, kBatch);
  for (std::size_t i = 0; i < count; ++i, ++first.sequence) {
    (void)write(std::span<std::byte>{b.out[i]}, first);
    b.out_parts[i][1] = {b.padding.data(), payload_bytes - kDataHeaderBytes};
    b.out_messages[i].msg_hdr.msg_name = connected ? nullptr : const_cast<sockaddr_storage*>(&to.address);
    b.out_messages[i].msg_hdr.msg_namelen = connected ? 0 : to.length;
  }
  const int sent = ::sendmmsg(fd_, b.out_messages.data(), static_cast<unsigned>(count), MSG_DONTWAIT);
  if (sent == static_cast<int>(count)) return {.packets = count};
  if (sent < 0 && errno == EMSGSIZE) return {.outcome = Sent::too_large};
  if (sent < 0 && errno == ECONNREFUSED) refused_ = true;
  return {.packets = static_cast<std::size_t>(std::max(sent, 0)), .outcome = Sent::no_room};
}

}  // namespace paceline::recorder
