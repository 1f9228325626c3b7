#include "drivers/realtime_tun/tun_shell.hh"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>

#include "drivers/realtime/stop_signal.hh"
#include "drivers/realtime_tun/contained_process.hh"
#include "drivers/realtime_tun/mahimahi_log.hh"
#include "drivers/realtime_tun/network_namespace.hh"
#include "drivers/realtime_tun/tun_device.hh"
#include "drivers/realtime_tun/tun_emulator.hh"

namespace paceline {

namespace {

// Shells within shells use 100.64.0.0/24, 100.64.1.0/24 and so on, so that packets find their way through all of them. The first one
// that is above all that this network has.
int free_subnet() {
  constexpr uint32_t kFirst = 0x64400000;
  constexpr uint32_t kPrefix = 0xffff0000;
  constexpr int kMost = 255;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return 0;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owner{all, &::freeifaddrs};
  int free = 0;
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    const uint32_t address = ntohl(reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr.s_addr);
    if ((address & kPrefix) == kFirst) free = std::max(free, static_cast<int>(address >> 8 & 0xff) + 1);
  }
  if (free > kMost) throw std::runtime_error{"there are too many shells within each other"};
  return free;
}

class Events final : public RunSink {
 public:
  void samples(uint16_t, Time, std::span<const float>) override {}
  void event(const RunEvent& event) override {
    if (event.event == "overrun") overrun = event.detail;
  }
  std::string overrun{};
};

// The outer end of the link, made in the order that the process's own moves from namespace to namespace call for.
struct Ends {
  Ends(bool own_network) {
    const std::string subnet = "100.64." + std::to_string(free_subnet()) + ".";
    outer_address = subnet + "1";
    const auto make_inner = [&] {
      inner_network = enter_new_network();
      forward_packets();
      inner = make_tun_device({.address = subnet + "2", .default_route = true});
      inner_drops.emplace();
    };
    if (own_network) {
      make_inner();
      outer_network = enter_new_network();
      outer = make_tun_device({.address = outer_address, .default_route = true});
      outer_drops.emplace();
    } else {
      try {
        outer = make_tun_device({.name = "paceline%d", .address = outer_address});
      } catch (const std::exception& e) {
        throw std::runtime_error{
            std::string{e.what()} +
            "; to reach this machine's network through the link run it as root, or give the other end a "
            "network of its own with --server"};
      }
      outer_drops.emplace(outer.name);
      make_inner();
    }
  }

  std::string outer_address;
  FileDescriptor inner_network{};
  FileDescriptor outer_network{};
  TunDevice inner{};
  TunDevice outer{};
  std::optional<DropCounters> inner_drops{};
  std::optional<DropCounters> outer_drops{};
};

}  // namespace

ShellResult run_shell(const RunPlan& plan, const ShellSetup& setup) {
  const bool with_server = !setup.server.empty();
  Ends ends{with_server};
  // Both names: that of this program, and the one that scripts written for Mahimahi know.
  ::setenv("PACELINE_BASE", ends.outer_address.c_str(), 1);
  ::setenv("MAHIMAHI_BASE", ends.outer_address.c_str(), 1);
  for (const int signal : {SIGINT, SIGQUIT}) ::signal(signal, SIG_IGN);  // the command's to handle
  const pid_t server = with_server ? start_contained(ends.outer_network.get(), setup.server) : 0;
  const pid_t command = start_contained(ends.inner_network.get(), setup.command);

  for (MahimahiLog* log : {setup.uplink_log, setup.downlink_log})
    if (log) log->start();
  MahimahiLogs logs{setup.uplink_log, setup.downlink_log};
  StopSignal stop;
  StopSignal no_changes;
  LatestRtts rtts{plan.flows.size()};
  Events events;
  ShellResult result{};
  std::exception_ptr failure;
  std::thread emulator{[&] {
    try {
      const TunEmulatorSetup emulator_setup{.sender = {.fd = ends.inner.fd.get(), .drops = &*ends.inner_drops},
                                            .receiver = {.fd = ends.outer.fd.get(), .drops = &*ends.outer_drops},
                                            .change_fd = no_changes.fd(),
                                            .coalesce = setup.coalesce,
                                            .memory_bytes = std::size_t{512} << 20,
                                            .rtts = &rtts,
                                            .summary_when_stopped = true,
                                            .observer = setup.uplink_log || setup.downlink_log ? &logs : nullptr};
      const PulseSetup pulse{.start_ns = clock_ns(CLOCK_MONOTONIC),
                             .duration = plan.duration,
                             .stop_fd = stop.fd(),
                             .least_period = TunEmulator::least_period(plan)};
      SummaryBuilder summary{plan};
      if (std::make_unique<TunEmulator>(plan, emulator_setup, pulse, events)->run(summary))
        result.summary = summary.build();
    } catch (...) {
      failure = std::current_exception();
      ::kill(command, SIGKILL);
    }
  }};
  result.exit_code = wait_for(command);
  stop.stop();
  emulator.join();
  if (with_server) {
    ::kill(server, SIGKILL);
    (void)wait_for(server);
  }
  if (failure) std::rethrow_exception(failure);
  result.overrun = events.overrun;
  const Time end = Time::zero() + Duration::seconds(result.summary.links.at(0).to_s);
  for (MahimahiLog* log : {setup.uplink_log, setup.downlink_log})
    if (log) result.unlogged += log->finish(end);
  return result;
}

}  // namespace paceline
