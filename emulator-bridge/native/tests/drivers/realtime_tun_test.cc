// Real packets through the emulator, in a child process with network namespaces of its own: what comes out must be what went in.

#include <doctest/doctest.h>

#include <arpa/inet.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "drivers/realtime/stop_signal.hh"
#include "drivers/realtime_tun/network_namespace.hh"
#include "drivers/realtime_tun/tcp_socket.hh"
#include "drivers/realtime_tun/tun_device.hh"
#include "drivers/realtime_tun/tun_emulator.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr uint16_t kPort = 5001;
constexpr const char* kHere = "100.64.0.1";
constexpr const char* kThere = "100.64.0.2";

// Exit codes of the child.
constexpr int kGood = 0;
constexpr int kBad = 1;
constexpr int kNoPrivileges = 77;

struct End {
  explicit End(const char* address) : network{enter_new_network()}, tun{make_tun_device({.address = address})} {}
  FileDescriptor network;
  TunDevice tun;
  DropCounters drops{};
};

sockaddr_in there(uint16_t port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = inet_addr(kThere);
  return to;
}

char pattern(uint64_t position) { return static_cast<char>((position * 2654435761U) >> 13); }

struct Sockets {
  FileDescriptor tcp_sender;
  FileDescriptor udp_sender;
  FileDescriptor listener;
  FileDescriptor udp_receiver;
};

// Runs the emulator of the plan in a thread, and `body` beside it; a condition that does not hold is told on standard error.
int in_child(const RunPlan& plan, int coalesce, const std::function<bool(Sockets&)>& body,
             const std::function<bool(const RunSummary&)>& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = kBad;
    try {
      End a{kHere};
      Sockets sockets{.tcp_sender = make_sender_socket("reno"),
                      .udp_sender = FileDescriptor{::socket(AF_INET, SOCK_DGRAM, 0)},
                      .listener = {},
                      .udp_receiver = {}};
      End b{kThere};
      sockets.listener = make_listener(kPort);
      sockets.udp_receiver = FileDescriptor{::socket(AF_INET, SOCK_DGRAM, 0)};
      const sockaddr_in bound = there(kPort);
      if (::bind(sockets.udp_receiver.get(), reinterpret_cast<const sockaddr*>(&bound), sizeof bound) != 0)
        ::_exit(kBad);
      StopSignal stop;
      StopSignal no_changes;
      LatestRtts rtts{1};
      Recorder recorder;
      std::optional<RunSummary> summary;
      const TunEmulatorSetup setup{.sender = {.fd = a.tun.fd.get(), .drops = &a.drops},
                                   .receiver = {.fd = b.tun.fd.get(), .drops = &b.drops},
                                   .change_fd = no_changes.fd(),
                                   .first_port = kPort,
                                   .coalesce = coalesce,
                                   .memory_bytes = 64 << 20,
                                   .rtts = &rtts};
      TunEmulator emulator{plan,
                           setup,
                           {.start_ns = clock_ns(CLOCK_MONOTONIC), .duration = plan.duration, .stop_fd = stop.fd()},
                           recorder};
      std::thread thread{[&] {
        SummaryBuilder told{plan};
        if (emulator.run(told)) summary = told.build();
      }};
      const bool good = body(sockets);
      thread.join();
      code = good && summary && check(*summary) ? kGood : kBad;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      code = std::string{e.what()}.find("/dev/net/tun") != std::string::npos ||
                     std::string{e.what()}.find("namespace") != std::string::npos
                 ? kNoPrivileges
                 : kBad;
    }
    ::_exit(code);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kBad;
}

// Sends so many bytes of the pattern by TCP and reads them at the other end.
bool carries_tcp(Sockets& sockets, uint64_t bytes) {
  const sockaddr_in to = there(kPort);
  ::connect(sockets.tcp_sender.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to);
  FileDescriptor connection{};
  uint64_t sent = 0;
  uint64_t got = 0;
  std::vector<char> buffer(1 << 16);
  constexpr int kPatienceMs = 3000;
  while (got < bytes) {
    std::array<pollfd, 2> ready{
        {{.fd = sockets.tcp_sender.get(), .events = static_cast<short>(sent < bytes ? POLLOUT : 0), .revents = 0},
         {.fd = connection ? connection.get() : sockets.listener.get(), .events = POLLIN, .revents = 0}}};
    if (::poll(ready.data(), ready.size(), kPatienceMs) <= 0) {
      std::fprintf(stderr, "stuck at %lu of %lu bytes\n", got, bytes);
      return false;
    }
    if ((ready[0].revents & POLLOUT) != 0) {
      const std::size_t some = std::min<uint64_t>(buffer.size(), bytes - sent);
      for (std::size_t i = 0; i < some; ++i) buffer[i] = pattern(sent + i);
      const ssize_t n = ::send(sockets.tcp_sender.get(), buffer.data(), some, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (n > 0) sent += static_cast<uint64_t>(n);
    }
    if (ready[1].revents == 0) continue;
    if (!connection) {
      connection = FileDescriptor{::accept4(sockets.listener.get(), nullptr, nullptr, SOCK_NONBLOCK)};
      continue;
    }
    const ssize_t n = ::recv(connection.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    for (ssize_t i = 0; i < n; ++i)
      if (buffer[static_cast<std::size_t>(i)] != pattern(got + static_cast<uint64_t>(i))) {
        std::fprintf(stderr, "byte %lu is wrong\n", got + static_cast<uint64_t>(i));
        return false;
      }
    if (n > 0) got += static_cast<uint64_t>(n);
  }
  return true;
}

bool conserves(const RunSummary& summary) {
  const LinkSummary& link = summary.links.at(0);
  const bool good = link.arrived_packets == link.delivered_packets + link.dropped_packets + link.queued_packets;
  if (!good) std::fprintf(stderr, "packets are missing at the link\n");
  return good;
}

RunPlan plan_of(LinkPlan forward, double seconds) { return one_flow(forward, flow(cca("newreno")), seconds); }

bool told_privileges(int code) {
  if (code != kNoPrivileges) return true;
  MESSAGE("skipped: this user may have no network namespace or TUN device");
  return false;
}

}  // namespace

TEST_CASE(
    "What TCP sends arrives unchanged, in pieces of any size, when single segments of large packets are dropped or "
    "lost") {
  for (const int coalesce : {1, 3, 64}) {
    CAPTURE(coalesce);
    // Room for less than a burst of the initial window, so that large packets lose some of their segments.
    RunPlan plan = plan_of(constant_link(200, Duration::millis(2), Bytes{8 * 1500}), 2);
    plan.forward.loss = 0.002;
    const int code = in_child(
        plan, coalesce, [](Sockets& sockets) { return carries_tcp(sockets, 3 << 20); },
        [](const RunSummary& summary) {
          const LinkSummary& link = summary.links[0];
          return conserves(summary) && link.lost_packets > 0 && link.dropped_packets > 0 &&
                 summary.receivers[0].received_bytes > 3 << 20;
        });
    if (!told_privileges(code)) return;
    CHECK(code == kGood);
  }
}

TEST_CASE("UDP's segmentation offload falls into the datagrams that were meant") {
  constexpr std::size_t kDatagram = 1000;
  constexpr std::size_t kCount = 25;
  const int code = in_child(
      plan_of(constant_link(50, Duration::millis(1)), 0.5), 4,
      [](Sockets& sockets) {
        const sockaddr_in to = there(kPort);
        std::vector<char> bytes(kDatagram * kCount - 300);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = pattern(i);
        const int segment = kDatagram;
        ::setsockopt(sockets.udp_sender.get(), IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof segment);
        if (::sendto(sockets.udp_sender.get(), bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&to),
                     sizeof to) < 0)
          return false;
        for (std::size_t i = 0; i < kCount; ++i) {
          std::vector<char> got(2 * kDatagram);
          pollfd ready{.fd = sockets.udp_receiver.get(), .events = POLLIN, .revents = 0};
          if (::poll(&ready, 1, 400) <= 0) return false;
          const ssize_t n = ::recv(sockets.udp_receiver.get(), got.data(), got.size(), 0);
          if (n != static_cast<ssize_t>(i + 1 < kCount ? kDatagram : kDatagram - 300)) return false;
          for (ssize_t b = 0; b < n; ++b)
            if (got[static_cast<std::size_t>(b)] != pattern(i * kDatagram + static_cast<std::size_t>(b))) return false;
        }
        return true;
      },
      [](const RunSummary& summary) {
        // The last datagram of 28 + 700 bytes is one packet of the link like any other.
        return conserves(summary) && summary.links[0].delivered_packets == kCount &&
               summary.receivers[0].received_bytes == static_cast<int64_t>(kCount * (kDatagram + 28) - 300);
      });
  if (!told_privileges(code)) return;
  CHECK(code == kGood);
}

TEST_CASE("Without memory for packets the emulator counts what it loses, and the run is an overrun") {
  // 64 MiB of memory hold less than 40 000 small datagrams of one chunk each; over a link that serves next to none of them all wait.
  // Long beside what it takes to send them on a busy machine.
  const int code = in_child(
      plan_of(constant_link(0.1, Duration::millis(1)), 3.0), 1,
      [](Sockets& sockets) {
        const sockaddr_in to = there(kPort);
        const std::array<char, 100> bytes{};
        for (int i = 0; i < 40'000; ++i)
          (void)::sendto(sockets.udp_sender.get(), bytes.data(), bytes.size(), 0,
                         reinterpret_cast<const sockaddr*>(&to), sizeof to);
        return true;
      },
      [](const RunSummary& summary) {
        return summary.lateness->unmodelled_losses > 1000 && summary.lateness->overrun && conserves(summary);
      });
  if (!told_privileges(code)) return;
  CHECK(code == kGood);
}
