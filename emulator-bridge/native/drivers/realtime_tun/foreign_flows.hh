#pragma once
// The flows of a run whose ends are programs that are not ours: starts and ends them when the plan says so, and fails when one of
// them does.
//
// Of the two programs of a flow one is called by the other: it is started before the run, and the run waits until it listens, if its
// command says where. The calling one is started when the flow starts. Programs with pipes of their own are part of the run's start like the processes of a
// run over UDP: both are started before the run, know the plan, and end by themselves.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drivers/plan.hh"
#include "drivers/realtime/clock.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime_tun/flow_ends.hh"
#include "drivers/realtime_tun/foreign_program.hh"
#include "drivers/realtime_tun/open_ports.hh"
#include "drivers/sink.hh"
#include "drivers/summary_builder.hh"

namespace paceline {

struct ForeignEnd {
  std::vector<std::string>
      argv{};  // with {receiver}, {sender}, {port}, {duration_s} and {flow} in place of what they stand for
  std::vector<std::pair<std::string, std::string>> variables{};  // beside what the host has; the values as argv's words
  std::optional<Pipes> pipes{};
  std::string folder{};  // to work in
  std::string output{};  // see ForeignProgramSetup
};

struct ForeignFlow {
  ForeignEnd sender{};
  ForeignEnd receiver{};
  bool receiver_calls{};
};
using ForeignFlowList = std::vector<std::optional<ForeignFlow>>;  // one per flow of the plan; empty: the kernel's TCP

// One of the two networks in which they run.
struct ForeignNetwork {
  int fd{};
  const OpenPorts* ports{};
};

class ForeignFlows {
 public:
  // Makes all programs ready. Needs a single thread. Throws std::system_error.
  ForeignFlows(const RunPlan& plan, const ForeignFlowList& flows, const ForeignNetwork& senders,
               const ForeignNetwork& receivers, FlowEnds& ends);
  ~ForeignFlows();
  ForeignFlows(const ForeignFlows&) = delete;
  ForeignFlows& operator=(const ForeignFlows&) = delete;

  // Starts what must be there before the run, and waits until what is called listens, ten seconds at most. False: `leash_fd` ended.
  // Throws std::runtime_error when a program fails, like everything below.
  [[nodiscard]] bool prepare(int leash_fd);
  // Until something can be read there.
  void await(int fd);
  // Until the plan's end and that of all programs, or until it is told to stop. What they lose when they are ended is nobody's loss:
  // that waits until something can be read from `measured_fd`.
  void run(const PulseSetup& setup, int measured_fd, RunSink& sink);
  // How the machine served them: of each program whose waits could be seen, and the machine itself. After run().
  void sum_up(SummaryBuilder& summary) const;

 private:
  struct Flow;

  void look_at_waits();
  bool watch(int64_t until_ns, int fd, short events);
  void ended(Flow& flow, const ForeignProgram& program, bool sender);
  void follow_plan(Time now);
  bool end_all(int64_t patience_ns, bool piped, int stop_fd);
  [[nodiscard]] bool any_left(bool piped) const;

  FlowEnds& ends_;
  std::vector<std::unique_ptr<Flow>> flows_{};
  RunSink* sink_{};
  int64_t next_look_ns_{};
  double load_before_{};
  double load_after_{};
  std::optional<RunClock> clock_{};
};

}  // namespace paceline
