#include "drivers/realtime_tun/tcp_receivers.hh"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "drivers/realtime/cpu_time.hh"
#include "drivers/realtime/priority.hh"
#include "drivers/realtime_tun/tcp_socket.hh"

namespace paceline {

namespace {

constexpr uint64_t kListener = uint64_t{1} << 32;

// `number`: of the listener, or of the connection.
void watch(int epoll, int fd, uint64_t number) {
  epoll_event interest{};
  interest.events = EPOLLIN;
  interest.data.u64 = number;
  if (::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &interest) != 0)
    throw std::system_error{errno, std::generic_category(), "epoll"};
}

// MSG_TRUNC: the kernel throws it away without copying, so there is no buffer. (Not recv(): address sanitizers take it that what
// was received was written.) False: the connection is over.
bool drain(int socket, uint64_t& bytes) {
  constexpr std::size_t kMost = 16 << 20;
  constexpr int kReads = 8;
  for (int i = 0; i < kReads; ++i) {
    const long got = ::syscall(SYS_recvfrom, socket, nullptr, kMost, MSG_TRUNC | MSG_DONTWAIT, nullptr, nullptr);
    if (got == 0) return false;
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    bytes += static_cast<uint64_t>(got);
  }
  return true;
}

}  // namespace

TcpReceivers::TcpReceivers(const RunPlan& plan, uint16_t first_port, MessageBooks& books)
    : books_{books}, notes_messages_{std::ranges::any_of(plan.flows, [](const FlowPlan& flow) {
        return flow.messages != nullptr;
      })} {
  for (std::size_t i = 0; i < plan.flows.size(); ++i)
    if (plan.flows[i].endpoints == Endpoints::built_in)
      listeners_.push_back({.socket = make_listener(static_cast<uint16_t>(first_port + i), plan.flows[i].window_limit),
                            .flow = i,
                            .window_limit = plan.flows[i].window_limit});
}

void TcpReceivers::run(const PulseSetup& setup, RunSink& sink) {
  raise_priority(Role::receiver);
  const FileDescriptor epoll{::epoll_create1(EPOLL_CLOEXEC)};
  if (!epoll) throw std::system_error{errno, std::generic_category(), "epoll"};
  // The kernel acknowledges by itself as long as there is room in the socket, so its data need not be taken at once, unless it
  // is of interest when it came.
  PulseSetup unhurried = setup;
  unhurried.least_period = notes_messages_ ? Duration::micros(100) : Duration::millis(1);
  Pulse pulse{unhurried, sink};
  pulse.watch(epoll.get());
  for (std::size_t i = 0; i < listeners_.size(); ++i) watch(epoll.get(), listeners_[i].socket.get(), i | kListener);
  for (;;) {
    const std::optional<Time> now = pulse.next(pulse.end());
    if (!now || *now == pulse.end()) return;
    std::array<epoll_event, 64> ready{};
    const int count = ::epoll_wait(epoll.get(), ready.data(), ready.size(), 0);
    for (int i = 0; i < count; ++i) {
      const uint64_t data = ready[static_cast<std::size_t>(i)].data.u64;
      if ((data & kListener) != 0) {
        const Listener& listener = listeners_[data & ~kListener];
        FileDescriptor socket{::accept4(listener.socket.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
        if (!socket) continue;
        watch(epoll.get(), socket.get(), connections_.size());
        connections_.push_back({.socket = std::move(socket),
                                .flow = listener.flow,
                                .listener = data & ~kListener,
                                .window_limit = listener.window_limit});
        continue;
      }
      Connection& connection = connections_[data];
      const ThreadCpuShare cpu{listeners_[connection.listener].cpu_ns};
      if (!drain(connection.socket.get(), connection.bytes))
        ::epoll_ctl(epoll.get(), EPOLL_CTL_DEL, connection.socket.get(), nullptr);
      if (connection.window_limit > Bytes::zero()) limit_window(connection.socket.get(), connection.window_limit);
      if (notes_messages_) books_[connection.flow].arrived(connection.bytes, *now);
    }
  }
}

void TcpReceivers::sum_up(SummaryBuilder& summary) const {
  for (const Listener& listener : listeners_)
    summary.receiver_cpu(listener.flow, static_cast<double>(listener.cpu_ns) * 1e-9);
}

}  // namespace paceline
