#pragma once
// A real-time run inside one process: the emulator and the two ends of each flow as threads, over real sockets.

#include <unistd.h>

#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "drivers/realtime/clock.hh"
#include "drivers/realtime_udp/session.hh"
#include "tests/simulation.hh"

namespace paceline::testing {

struct RealtimeRun {
  RunSummary summary{};  // of all parts
  std::vector<LatenessSummary> lateness{};
  Recorder emulator{};
  std::vector<Recorder> senders{};
  std::vector<Recorder> receivers{};
  bool overrun{};
  bool stopped{};
};

// `stop_after`: closes what the processes watch so long after the start.
inline RealtimeRun run_realtime(const RunPlan& plan, Duration stop_after = Duration::infinite()) {
  const std::size_t flows = plan.flows.size();
  std::array<int, 2> stop{};
  if (::pipe(stop.data()) != 0) throw std::runtime_error("no pipe");
  std::vector<std::unique_ptr<UdpSocket>> sockets;
  for (std::size_t i = 0; i < 1 + 2 * flows; ++i) sockets.push_back(std::make_unique<UdpSocket>());
  Go go{.start_ns = clock_ns(CLOCK_MONOTONIC) + 50'000'000, .emulator = sockets[0]->port()};
  for (std::size_t i = 0; i < flows; ++i) {
    go.senders.push_back(sockets[1 + i]->port());
    go.receivers.push_back(sockets[1 + flows + i]->port());
  }
  RealtimeRun run{};
  run.senders.resize(flows);
  run.receivers.resize(flows);
  std::vector<std::optional<RunSummary>> parts(sockets.size());
  std::vector<std::thread> threads;
  const auto session = [&](std::size_t i, RunSink& sink) {
    return Session{.plan = plan, .socket = *sockets[i], .go = go, .stop_fd = stop[0], .change_fd = -1, .sink = sink};
  };
  threads.emplace_back([&] { parts[0] = run_emulator(session(0, run.emulator)); });
  for (std::size_t i = 0; i < flows; ++i) {
    threads.emplace_back([&, i] { parts[1 + i] = run_sender(session(1 + i, run.senders[i]), i); });
    threads.emplace_back([&, i] { parts[1 + flows + i] = run_receiver(session(1 + flows + i, run.receivers[i]), i); });
  }
  if (stop_after < plan.duration) {
    std::this_thread::sleep_for(std::chrono::nanoseconds{stop_after.ns});
    ::close(stop[1]);
  }
  for (std::thread& thread : threads) thread.join();
  if (stop_after >= plan.duration) ::close(stop[1]);
  ::close(stop[0]);
  for (const auto& part : parts) {
    if (!part) {
      run.stopped = true;
      continue;
    }
    run.summary.duration_s = part->duration_s;
    run.summary.base_rtt_ms = part->base_rtt_ms;
    run.summary.links.insert(run.summary.links.end(), part->links.begin(), part->links.end());
    run.summary.senders.insert(run.summary.senders.end(), part->senders.begin(), part->senders.end());
    run.summary.receivers.insert(run.summary.receivers.end(), part->receivers.begin(), part->receivers.end());
    run.summary.fairness.insert(run.summary.fairness.end(), part->fairness.begin(), part->fairness.end());
    run.lateness.push_back(part->lateness.value());
    run.overrun = run.overrun || part->lateness->overrun;
  }
  return run;
}

}  // namespace paceline::testing
