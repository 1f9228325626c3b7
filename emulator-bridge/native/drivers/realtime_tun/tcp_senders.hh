#pragma once
// The sending ends of a run's flows: sockets of the kernel's TCP with an application each that writes what its plan says,
// and what TCP_INFO says about them.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime_tun/latest_rtts.hh"
#include "drivers/realtime_tun/loaded_ccas.hh"
#include "drivers/realtime_tun/message_book.hh"
#include "drivers/sink.hh"
#include "drivers/summary_builder.hh"

namespace paceline {

struct TcpEndpoints {
  uint32_t address{};     // of the receivers' end, in network order
  uint16_t first_port{};  // of flow 0; the others follow
};

class TcpSenders {
 public:
  // Makes the sockets, in the calling thread's network namespace. Throws like make_sender_socket.
  TcpSenders(const RunPlan& plan, const TcpEndpoints& endpoints, const LatestRtts& rtts, const LoadedCcas& loaded,
             MessageBooks& books);
  ~TcpSenders();
  TcpSenders(const TcpSenders&) = delete;
  TcpSenders& operator=(const TcpSenders&) = delete;

  // Runs until the plan's end. False when it was told to stop before.
  [[nodiscard]] bool run(const PulseSetup& pulse, RunSink& sink);
  // After the run: of the flows that are the kernel's, what it knows of their senders, and what arrived of their messages.
  void sum_up(SummaryBuilder& summary) const;

 private:
  class Flow;

  const RunPlan& plan_;
  TcpEndpoints endpoints_;
  const LatestRtts& rtts_;
  std::vector<std::unique_ptr<Flow>> flows_{};
};

}  // namespace paceline
