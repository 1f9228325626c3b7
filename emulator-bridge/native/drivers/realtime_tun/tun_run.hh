#pragma once
// A whole run over TUN in one process: two network namespaces with a TUN device each, the emulator between them, and the kernel's
// TCP at both ends of every flow.

#include <cstdint>
#include <memory>
#include <optional>

#include "drivers/plan.hh"
#include "drivers/realtime/stop_signal.hh"
#include "drivers/sink.hh"

namespace paceline {

struct TunOptions {
  Duration spin{};                                   // see Alarm
  int coalesce{};                                    // see TunEmulatorSetup
  std::size_t memory_bytes{std::size_t{512} << 20};  // for packets under way
};

// Makes the namespaces and devices that a run needs, and gives them back. Throws like TunRun's constructor.
void try_out_tun();

class TunRun {
 public:
  // Makes namespaces, devices and sockets. The process must have a single thread, and stays in a network namespace of the run's.
  // Throws std::runtime_error that says what is missing and how to give it.
  TunRun(const RunPlan& plan, const TunOptions& options);
  ~TunRun();
  TunRun(const TunRun&) = delete;
  TunRun& operator=(const TunRun&) = delete;

  // From now to the plan's end; empty when it was stopped before. `change_fd` gives LinkChange records.
  // Each sink is written to by a thread of its own.
  [[nodiscard]] std::optional<RunSummary> run(StopSignal& stop, int change_fd, RunSink& link_sink,
                                              RunSink& sender_sink);

 private:
  struct Parts;

  const RunPlan& plan_;
  TunOptions options_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace paceline
