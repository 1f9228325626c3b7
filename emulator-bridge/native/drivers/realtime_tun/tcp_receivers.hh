#pragma once
// The receiving ends of a run's flows: sockets of the kernel's TCP whose data is taken at once and thrown away.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime_tun/file_descriptor.hh"
#include "drivers/realtime_tun/message_book.hh"
#include "drivers/sink.hh"
#include "drivers/summary_builder.hh"

namespace paceline {

class TcpReceivers {
 public:
  // Listens at one port per flow from `first_port` on, in the calling thread's network namespace. Throws std::system_error.
  TcpReceivers(const RunPlan& plan, uint16_t first_port, MessageBooks& books);

  // Until the plan's end, or until it is told to stop.
  void run(const PulseSetup& pulse, RunSink& sink);
  // After the run: what taking the data cost.
  void sum_up(SummaryBuilder& summary) const;

 private:
  struct Listener {
    FileDescriptor socket;
    std::size_t flow;
    Bytes window_limit;
    int64_t cpu_ns{};
  };
  struct Connection {
    FileDescriptor socket;
    std::size_t flow;
    std::size_t listener;
    Bytes window_limit;
    uint64_t bytes{};
  };
  MessageBooks& books_;
  bool notes_messages_;
  std::vector<Listener> listeners_{};
  std::vector<Connection> connections_{};
};

}  // namespace paceline
