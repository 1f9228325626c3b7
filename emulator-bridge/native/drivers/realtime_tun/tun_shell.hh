#pragma once
// Any program behind the modelled link, like Mahimahi's mm-link: what it sends goes up the forward direction, what it gets comes down
// the reverse one.

#include <optional>
#include <string>
#include <vector>

#include "drivers/plan.hh"
#include "metrics/summary.hh"

namespace paceline {

class MahimahiLog;

struct ShellSetup {
  std::vector<std::string> command{};  // behind the link
  // What the other end of the link is: a network namespace of its own in which this command runs; or, without one, the network
  // that the shell was started in (for which that network's CAP_NET_ADMIN is needed).
  std::vector<std::string> server{};
  int coalesce{};  // see TunEmulatorSetup
  MahimahiLog* uplink_log{};
  MahimahiLog* downlink_log{};
};

struct ShellResult {
  int exit_code{};
  RunSummary summary{};
  std::string overrun{};  // why the figures may be wrong; empty if they are not
  uint64_t unlogged{};    // lines that are missing in the logs
};

// Until the command ends. The process must have a single thread. Throws like TunRun.
[[nodiscard]] ShellResult run_shell(const RunPlan& plan, const ShellSetup& setup);

}  // namespace paceline
