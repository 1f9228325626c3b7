#pragma once
// A whole run over TUN: two network namespaces with a TUN device each, the emulator between them, and at both ends of every flow the
// kernel's TCP, or programs that are not ours.

#include <cstdint>
#include <memory>
#include <optional>

#include "drivers/plan.hh"
#include "drivers/realtime/stop_signal.hh"
#include "drivers/realtime_tun/foreign_flows.hh"
#include "drivers/sink.hh"

namespace paceline {

struct TunOptions {
  Duration spin{};                                   // see Alarm
  int coalesce{};                                    // see TunEmulatorSetup
  std::size_t memory_bytes{std::size_t{512} << 20};  // for packets under way
  ForeignFlowList foreign{};                         // none, or one per flow of the plan
};

// Makes the namespaces and devices that a run needs, and gives them back. Throws like TunRun's constructor.
void try_out_tun();

class TunRun {
 public:
  // Makes namespaces, devices, sockets and foreign programs. The process must have a single thread, and stays in a network namespace
  // of the run's. Throws std::runtime_error that says what is missing and how to give it.
  TunRun(const RunPlan& plan, const TunOptions& options);
  ~TunRun();
  TunRun(const TunRun&) = delete;
  TunRun& operator=(const TunRun&) = delete;

  // For the foreign programs, before the run (see ForeignFlows).
  [[nodiscard]] bool prepare(int leash_fd);
  void await(int fd);

  // Each is written to by a thread of its own.
  struct Sinks {
    RunSink& links;
    RunSink& senders;
    RunSink& programs;
  };
  // From `start_ns` of CLOCK_MONOTONIC, or without one from now, to the plan's end; empty when it was stopped before. `change_fd`
  // gives LinkChange records.
  [[nodiscard]] std::optional<RunSummary> run(StopSignal& stop, int change_fd, std::optional<int64_t> start_ns,
                                              const Sinks& sinks);

 private:
  struct Parts;

  const RunPlan& plan_;
  TunOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace paceline
