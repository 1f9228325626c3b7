#pragma once
// Listens to standard input while a run goes on: each line is a change of the link, the end means stop.

#include <array>
#include <string>
#include <thread>

#include "drivers/plan.hh"
#include "drivers/realtime/stop_signal.hh"

namespace paceline {

class Control {
 public:
  // Calls `stop` when the input ends. Lines that are no valid change are told on standard error and change nothing.
  Control(const RunPlan& plan, StopSignal& stop);
  ~Control();
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // LinkChange records; does not block.
  [[nodiscard]] int change_fd() const { return changes_[0]; }

 private:
  void listen();
  void take(const std::string& line);

  const RunPlan& plan_;
  StopSignal& stop_;
  StopSignal done_{};
  std::array<int, 2> changes_{};
  std::thread thread_;
};

}  // namespace paceline
