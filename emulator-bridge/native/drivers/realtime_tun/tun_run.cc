#include "drivers/realtime_tun/tun_run.hh"

#include <arpa/inet.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "drivers/realtime/priority.hh"
#include "drivers/realtime_tun/drop_counters.hh"
#include "drivers/realtime_tun/flow_addresses.hh"
#include "drivers/realtime_tun/netlink.hh"
#include "drivers/realtime_tun/network_namespace.hh"
#include "drivers/realtime_tun/tcp_receivers.hh"
#include "drivers/realtime_tun/tcp_senders.hh"
#include "drivers/realtime_tun/tun_device.hh"
#include "drivers/realtime_tun/tun_emulator.hh"

namespace paceline {

// One network namespace of the run. Its parts are made while the process is in it, and stay there.
struct NetworkEnd {
  // Each foreign flow has an address of its own here, from which its packets go to the other end's.
  NetworkEnd(uint32_t address, const ForeignFlowList& flows, uint32_t first, uint32_t first_peer, bool ecn = false)
      : network{enter_new_network()}, tun{make_tun_device({.address = dotted(address)})} {
    for (std::size_t i = 0; i < flows.size(); ++i)
      if (flows[i]) add_address(tun.name, first + static_cast<uint32_t>(i), first_peer + static_cast<uint32_t>(i));
    if (ecn) use_ecn();
  }

  FileDescriptor network;
  TunDevice tun;
  DropCounters drops{};
  OpenPorts ports{};
};

// In the order in which they are made.
struct TunRun::Parts {
  Parts(const RunPlan& plan, const ForeignFlowList& programs)
      : loaded{plan},
        rtts{plan.flows.size()},
        ends{plan.flows.size()},
        books(plan.flows.size()),
        sender_end{kSenderEnd, programs, kFirstForeignSender, kFirstForeignReceiver, ecn(plan)},
        senders{plan, {.address = htonl(kReceiverEnd), .first_port = kFirstKernelPort}, rtts, loaded, books},
        receiver_end{kReceiverEnd, programs, kFirstForeignReceiver, kFirstForeignSender, ecn(plan)},
        receivers{plan, kFirstKernelPort, books},
        foreign{plan,
                programs,
                {.fd = sender_end.network.get(), .ports = &sender_end.ports},
                {.fd = receiver_end.network.get(), .ports = &receiver_end.ports},
                ends} {}

  // The kernel has one setting for all connections of an end.
  static bool ecn(const RunPlan& plan) { return std::ranges::any_of(plan.flows, &FlowPlan::ecn); }

  LoadedCcas loaded;  // while the process still is in the machine's user namespace
  LatestRtts rtts;
  FlowEnds ends;
  MessageBooks books;

  NetworkEnd sender_end;
  TcpSenders senders;
  NetworkEnd receiver_end;
  TcpReceivers receivers;
  ForeignFlows foreign;
};

void try_out_tun() {
  const ForeignFlowList one(1, ForeignFlow{});
  const NetworkEnd sender{kSenderEnd, one, kFirstForeignSender, kFirstForeignReceiver};
  const NetworkEnd receiver{kReceiverEnd, one, kFirstForeignReceiver, kFirstForeignSender};
}

TunRun::TunRun(const RunPlan& plan, const TunOptions& options)
    : plan_{plan}, options_{options}, parts_{std::make_unique<Parts>(plan, options.foreign)} {}

TunRun::~TunRun() = default;

bool TunRun::prepare(int leash_fd) { return parts_->foreign.prepare(leash_fd); }
void TunRun::await(int fd) { parts_->foreign.await(fd); }

std::optional<RunSummary> TunRun::run(StopSignal& stop, int change_fd, std::optional<int64_t> start_ns,
                                      const Sinks& sinks) {
  constexpr int64_t kHeadStart = 20'000'000;  // all threads are there by then
  const PulseSetup pulse{.start_ns = start_ns.value_or(clock_ns(CLOCK_MONOTONIC) + kHeadStart),
                         .duration = plan_.duration,
                         .stop_fd = stop.fd(),
                         .spin = options_.spin,
                         .least_period = TunEmulator::least_period(plan_)};
  SummaryBuilder summary{plan_};
  bool linked{};
  bool sent{};
  std::array<std::exception_ptr, 4> failures{};
  StopSignal measured;
  // Whoever fails stops the others.
  const auto part = [&](const char* name, std::exception_ptr& failure, auto body) {
    return std::thread{[name, &failure, &stop, body] {
      ::prctl(PR_SET_NAME, name);
      try {
        body();
      } catch (...) {
        failure = std::current_exception();
        stop.stop();
      }
    }};
  };
  std::optional<PromptThreads> prompt{std::in_place};
  std::array<std::thread, 4> threads{
      part("tun-emulator", failures[0],
           [&] {
             const TunEmulatorSetup setup{
                 .sender = {.fd = parts_->sender_end.tun.fd.get(), .drops = &parts_->sender_end.drops},
                 .receiver = {.fd = parts_->receiver_end.tun.fd.get(), .drops = &parts_->receiver_end.drops},
                 .change_fd = change_fd,
                 .first_port = kFirstKernelPort,
                 .first_sender = kFirstForeignSender,
                 .first_receiver = kFirstForeignReceiver,
                 .coalesce = options_.coalesce,
                 .memory_bytes = options_.memory_bytes,
                 .rtts = &parts_->rtts,
                 .ends = &parts_->ends};
             linked = std::make_unique<TunEmulator>(plan_, setup, pulse, sinks.links)->run(summary);
             measured.stop();
           }),
      part("tcp-senders", failures[1], [&] { sent = parts_->senders.run(pulse, sinks.senders); }),
      part("tcp-receivers", failures[2], [&] { parts_->receivers.run(pulse, sinks.links); }),
      part("programs", failures[3], [&] { parts_->foreign.run(pulse, measured.fd(), sinks.programs); })};
  prompt.reset();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  if (!linked || !sent) return std::nullopt;
  parts_->senders.sum_up(summary);
  parts_->receivers.sum_up(summary);
  parts_->foreign.sum_up(summary);
  return summary.build();
}

}  // namespace paceline
