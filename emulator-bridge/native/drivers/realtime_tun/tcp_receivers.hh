#pragma once
// The receiving ends of a run's flows: sockets of the kernel's TCP whose data is taken at once and thrown away.

#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime_tun/file_descriptor.hh"
#include "drivers/sink.hh"

namespace paceline {

class TcpReceivers {
 public:
  // Listens at one port per flow from `first_port` on, in the calling thread's network namespace. Throws std::system_error.
  TcpReceivers(const RunPlan& plan, uint16_t first_port);

  // Until the plan's end, or until it is told to stop.
  void run(const PulseSetup& pulse, RunSink& sink);

 private:
  std::vector<FileDescriptor> listeners_{};
  std::vector<FileDescriptor> connections_{};
};

}  // namespace paceline
