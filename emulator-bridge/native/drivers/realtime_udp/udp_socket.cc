#include "drivers/realtime_udp/udp_socket.hh"

#include <linux/sock_diag.h>
#include <netinet/udp.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "drivers/realtime/clock.hh"

namespace paceline {

namespace {

// 16 000 full packets: 200 ms at 1 Gbit/s. The kernel counts twice the size asked for.
constexpr int kBufferBytes = 32 << 20;
constexpr std::size_t kMaxPayload = 1472;
// The most that goes through the kernel in one piece: it cuts it into datagrams (udp(7), UDP_SEGMENT), or leaves that to us (UDP_GRO).
constexpr std::size_t kMaxPiece = 65'507;
constexpr std::size_t kPieces = 16;  // that are read at once

void check(const char* what, int rc) {
  if (rc < 0) throw std::system_error{errno, std::generic_category(), what};
}

void enlarge(int fd, int force, int plain) {
  if (::setsockopt(fd, SOL_SOCKET, force, &kBufferBytes, sizeof kBufferBytes) == 0) return;  // needs CAP_NET_ADMIN
  check("setsockopt", ::setsockopt(fd, SOL_SOCKET, plain, &kBufferBytes, sizeof kBufferBytes));
}

// What the kernel says of a message beside its bytes: the size of the datagrams in it, 0 for a single one, and when it came, in
// ns of CLOCK_REALTIME, 0 where it does not say.
struct Told {
  std::size_t each{};
  int64_t stamp{};
};
Told told_of(msghdr& message) {
  Told told;
  for (cmsghdr* control = CMSG_FIRSTHDR(&message); control != nullptr; control = CMSG_NXTHDR(&message, control)) {
    if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPNS) {
      timespec stamp{};
      std::memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
      told.stamp = static_cast<int64_t>(stamp.tv_sec) * 1'000'000'000 + stamp.tv_nsec;
    } else if (control->cmsg_level == SOL_UDP && control->cmsg_type == UDP_GRO) {
      int each{};
      std::memcpy(&each, CMSG_DATA(control), sizeof each);
      told.each = static_cast<std::size_t>(each);
    }
  }
  return told;
}

// What sending a piece fails with where the kernel, or the device, does not cut it.
bool takes_no_pieces(int error) { return error == EINVAL || error == EIO || error == EMSGSIZE || error == EOPNOTSUPP; }

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
    std::array<char, CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(int))> bytes{};
  };
  struct alignas(cmsghdr) Segment {
    std::array<char, CMSG_SPACE(sizeof(uint16_t))> bytes{};
  };

  std::array<std::array<std::byte, kMaxPiece>, kPieces> in{};
  std::array<iovec, kPieces> in_parts{};
  std::array<Control, kPieces> in_control{};
  std::array<mmsghdr, kPieces> in_messages{};
  std::vector<Datagram> datagrams{};

  std::array<std::array<std::byte, kMaxHeader>, kBatch> out{};
  std::array<std::byte, kMaxPayload> padding{};
  std::array<std::array<iovec, 2>, kBatch> out_parts{};
  std::array<sockaddr_in, kBatch> out_to{};
  std::array<Segment, kBatch> out_segment{};
  std::array<mmsghdr, kBatch> out_messages{};   // the first `pieces` of them
  std::array<std::size_t, kBatch> out_count{};  // datagrams in each
  std::size_t unsent{};

  Batches() {
    datagrams.reserve(kPieces * kBatch);
    for (std::size_t i = 0; i < kPieces; ++i) {
      in_parts[i] = {in[i].data(), in[i].size()};
      in_messages[i].msg_hdr.msg_iov = &in_parts[i];
      in_messages[i].msg_hdr.msg_iovlen = 1;
      in_messages[i].msg_hdr.msg_control = in_control[i].bytes.data();
    }
  }

  [[nodiscard]] std::size_t size(std::size_t i) const { return out_parts[i][0].iov_len + out_parts[i][1].iov_len; }

  // How many of those from `first` on can go in one piece: to the same port and of the same size, but for a shorter last one.
  [[nodiscard]] std::size_t alike(std::size_t first) const {
    const std::size_t each = size(first);
    const std::size_t most =
        std::min(unsent, first + std::max<std::size_t>(kMaxPiece / std::max<std::size_t>(each, 1), 1));
    std::size_t end = first + 1;
    while (end < most && out_to[end].sin_port == out_to[first].sin_port && size(end) <= each)
      if (size(end++) < each) break;
    return end - first;
  }

  // Those from `first` on as messages; gives their number.
  std::size_t pieces(std::size_t first, bool together) {
    std::size_t count = 0;
    for (std::size_t next = first; next < unsent; ++count) {
      const std::size_t alike_ones = together ? alike(next) : 1;
      msghdr& message = out_messages[count].msg_hdr;
      message = {.msg_name = &out_to[next],
                 .msg_namelen = sizeof(sockaddr_in),
                 .msg_iov = out_parts[next].data(),
                 .msg_iovlen = 2 * alike_ones};
      if (alike_ones > 1) cut(count, message, static_cast<uint16_t>(size(next)));
      out_count[count] = alike_ones;
      next += alike_ones;
    }
    return count;
  }

  void cut(std::size_t i, msghdr& message, uint16_t each) {
    message.msg_control = out_segment[i].bytes.data();
    message.msg_controllen = sizeof(Segment);
    cmsghdr* control = CMSG_FIRSTHDR(&message);
    control->cmsg_level = SOL_UDP;
    control->cmsg_type = UDP_SEGMENT;
    control->cmsg_len = CMSG_LEN(sizeof each);
    std::memcpy(CMSG_DATA(control), &each, sizeof each);
  }
};

UdpSocket::UdpSocket()
    : fd_{::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)}, batches_{std::make_unique<Batches>()} {
  check("socket", fd_);
  enlarge(fd_, SO_RCVBUFFORCE, SO_RCVBUF);
  enlarge(fd_, SO_SNDBUFFORCE, SO_SNDBUF);
  const int on = 1;
  check("setsockopt SO_TIMESTAMPNS", ::setsockopt(fd_, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on));
  // An older kernel has no such option: what is sent in one piece comes as datagrams.
  (void)::setsockopt(fd_, SOL_UDP, UDP_GRO, &on, sizeof on);
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
  const int got = ::recvmmsg(fd_, b.in_messages.data(), kPieces, MSG_DONTWAIT, nullptr);
  drained_ = got < static_cast<int>(kPieces);
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
  b.datagrams.clear();
  for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
    const auto [each, stamp] = told_of(b.in_messages[i].msg_hdr);
    const int64_t at = stamp - realtime_ahead_ns_;
    // A stamp far off means that somebody has set the machine's clock since it was compared.
    const int64_t arrived = stamp != 0 && at <= now && now - at < kSecond ? at : now;
    const std::span<const std::byte> piece = std::span<const std::byte>{b.in[i]}.first(b.in_messages[i].msg_len);
    const std::size_t step = each == 0 ? std::max<std::size_t>(piece.size(), 1) : each;
    std::size_t from = 0;
    do {
      const std::size_t size = std::min(step, piece.size() - from);
      b.datagrams.push_back(
          {.arrived_ns = arrived, .header = piece.subspan(from, std::min<std::size_t>(size, kMaxHeader))});
      from += step;
    } while (from < piece.size());
  }
  return b.datagrams;
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
  std::size_t done = 0;  // datagrams
  while (done < b.unsent) {
    const std::size_t pieces = b.pieces(done, in_pieces_);
    for (std::size_t sent = 0; sent < pieces;) {
      const int rc = ::sendmmsg(fd_, &b.out_messages[sent], static_cast<unsigned>(pieces - sent), MSG_DONTWAIT);
      const std::size_t datagrams = b.out_count[sent];
      if (rc > 0) {
        for (const std::size_t end = sent + static_cast<std::size_t>(rc); sent < end; ++sent) done += b.out_count[sent];
      } else if (datagrams > 1 && takes_no_pieces(errno)) {
        in_pieces_ = false;  // an older kernel: each goes by itself
        break;
      } else if (errno != EINTR) {
        refused_ += datagrams;  // lost (a full buffer, a peer that has ended); the others are not
        done += datagrams;
        ++sent;
      }
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
