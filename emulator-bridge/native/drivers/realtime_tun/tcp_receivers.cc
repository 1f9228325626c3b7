#include "drivers/realtime_tun/tcp_receivers.hh"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "drivers/realtime/priority.hh"
#include "drivers/realtime_tun/tcp_socket.hh"

namespace paceline {

namespace {

void watch(int epoll, int fd, bool listener) {
  constexpr uint64_t kListener = uint64_t{1} << 32;
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.u64 = static_cast<uint64_t>(fd) | (listener ? kListener : 0);
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest) != 0)
    throw std::system_error{errno, std::generic_category(), "epoll"};
}

// MSG_TRUNC: the kernel throws it away without copying, so there is no buffer. (Not recv(): address sanitizers take it that what
// was received was written.) False: the connection is over.
bool drain(int socket) {
  constexpr std::size_t kMost = 16 << 20;
  constexpr int kReads = 8;
  for (int i = 0; i < kReads; ++i) {
    const long got = ::syscall(SYS_recvfrom, socket, nullptr, kMost, MSG_TRUNC | MSG_DONTWAIT, nullptr, nullptr);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
  }
  return true;
}

}  // namespace

TcpReceivers::TcpReceivers(const RunPlan& plan, uint16_t first_port) {
  for (std::size_t i = 0; i < plan.flows.size(); ++i)
    if (plan.flows[i].endpoints == Endpoints::built_in)
      listeners_.push_back(make_listener(static_cast<uint16_t>(first_port + i)));
}

void TcpReceivers::run(const PulseSetup& setup, RunSink& sink) {
  raise_priority(Role::receiver);
  const FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!epoll) throw std::system_error{errno, std::generic_category(), "epoll"};
  // The kernel acknowledges by itself as long as there is room in the socket, so its data need not be taken at once.
  PulseSetup unhurried = setup;
  unhurried.least_period = Duration::millis(1);
  Pulse pulse{unhurried, sink};
  pulse.watch(epoll.get());
  for (const FileDescriptor& listener : listeners_) watch(epoll.get(), listener.get(), true);
  for (;;) {
    const std::optional<Time> now = pulse.next(pulse.end());
    if (!now || *now == pulse.end()) return;
    std::array<epoll_event, 64> ready{};
    const int count = ::epoll_wait(epoll.get(), ready.data(), ready.size(), 0);
    for (int i = 0; i < count; ++i) {
      const uint64_t data = ready[static_cast<std::size_t>(i)].data.u64;
      const int fd = static_cast<int>(data & 0xffffffff);
      if (data >> 32 != 0) {
        FileDescriptor connection{::accept4(fd, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
        if (!connection) continue;
        watch(epoll.get(), connection.get(), false);
        connections_.push_back(std::move(connection));
      } else if (!drain(fd)) {
        ::epoll_ctl(epoll.get(), EPOLL_CTL_DEL, fd, nullptr);
      }
    }
  }
}

}  // namespace paceline
