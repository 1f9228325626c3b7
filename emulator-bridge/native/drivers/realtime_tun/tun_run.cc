#include "drivers/realtime_tun/tun_run.hh"

#include <arpa/inet.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <thread>
#include <vector>

#include "drivers/realtime_tun/drop_counters.hh"
#include "drivers/realtime_tun/network_namespace.hh"
#include "drivers/realtime_tun/tcp_receivers.hh"
#include "drivers/realtime_tun/tcp_senders.hh"
#include "drivers/realtime_tun/tun_device.hh"
#include "drivers/realtime_tun/tun_emulator.hh"

namespace paceline {

namespace {

constexpr const char* kSenderAddress = "100.64.0.1";
constexpr const char* kReceiverAddress = "100.64.0.2";
constexpr uint16_t kFirstPort = 5001;

// One network namespace of the run. Its parts are made while the process is in it, and stay there.
struct End {
  explicit End(const char* address) : network{enter_new_network()}, tun{make_tun_device({.address = address})} {}

  FileDescriptor network;
  TunDevice tun;
  DropCounters drops{};
};

}  // namespace

// In the order in which they are made.
struct TunRun::Parts {
  explicit Parts(const RunPlan& plan)
      : rtts{plan.flows.size()},
        senders{plan, {.address = inet_addr(kReceiverAddress), .first_port = kFirstPort}, rtts},
        receivers{plan, kFirstPort} {}

  LatestRtts rtts;

  End sender_end{kSenderAddress};
  TcpSenders senders;
  End receiver_end{kReceiverAddress};
  TcpReceivers receivers;
};

void try_out_tun() {
  const End sender{kSenderAddress};
  const End receiver{kReceiverAddress};
}

TunRun::TunRun(const RunPlan& plan, const TunOptions& options)
    : plan_{plan}, options_{options}, parts_{std::make_unique<Parts>(plan)} {}

TunRun::~TunRun() = default;

std::optional<RunSummary> TunRun::run(StopSignal& stop, int change_fd, RunSink& link_sink, RunSink& sender_sink) {
  constexpr int64_t kHeadStart = 20'000'000;  // all threads are there by then
  const PulseSetup pulse{.start_ns = clock_ns(CLOCK_MONOTONIC) + kHeadStart,
                         .duration = plan_.duration,
                         .stop_fd = stop.fd(),
                         .spin = options_.spin,
                         .least_period = TunEmulator::least_period(plan_)};
  std::optional<RunSummary> summary;
  std::optional<std::vector<SenderSummary>> senders;
  std::array<std::exception_ptr, 3> failures{};
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
  std::array<std::thread, 3> threads{
      part("tun-emulator", failures[0],
           [&] {
             const TunEmulatorSetup setup{
                 .sender = {.fd = parts_->sender_end.tun.fd.get(), .drops = &parts_->sender_end.drops},
                 .receiver = {.fd = parts_->receiver_end.tun.fd.get(), .drops = &parts_->receiver_end.drops},
                 .change_fd = change_fd,
                 .first_port = kFirstPort,
                 .coalesce = options_.coalesce,
                 .memory_bytes = options_.memory_bytes,
                 .rtts = &parts_->rtts};
             summary = std::make_unique<TunEmulator>(plan_, setup, pulse, link_sink)->run();
           }),
      part("tcp-senders", failures[1], [&] { senders = parts_->senders.run(pulse, sender_sink); }),
      part("tcp-receivers", failures[2], [&] { parts_->receivers.run(pulse, link_sink); })};
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
  if (!summary || !senders) return std::nullopt;
  for (std::size_t i = 0; i < senders->size(); ++i) {  // the emulator knows their RTTs
    (*senders)[i].rtt = summary->senders[i].rtt;
    (*senders)[i].delay_inflation = summary->senders[i].delay_inflation;
  }
  summary->senders = std::move(*senders);
  return summary;
}

}  // namespace paceline
