#pragma once
// What the three kinds of processes of a real-time run share: the agreed start, the peers' ports, and the rules for
// stopping.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/units.hh"
#include "drivers/plan.hh"
#include "drivers/realtime/pulse.hh"
#include "drivers/realtime_udp/udp_socket.hh"
#include "drivers/sink.hh"

namespace paceline {

// Whoever starts the processes introduces them to each other with one line of JSON (protocol/control.ts, Go).
struct Go {
  int64_t start_ns{};  // CLOCK_MONOTONIC: time 0 of the run
  uint16_t emulator{};
  std::vector<uint16_t> senders{};
  std::vector<uint16_t> receivers{};
};

// Throws std::invalid_argument when the line is not a valid Go for so many flows.
[[nodiscard]] Go parse_go(std::string_view line, std::size_t flows);

// Of any such line: time 0 of the run. Throws like parse_go.
[[nodiscard]] int64_t parse_start(std::string_view line);

// Waits for a line on `fd`; empty when it ends before. Throws std::invalid_argument when there is no end of it.
[[nodiscard]] std::optional<std::string> read_line(int fd);

// Waits for the line on `fd`; empty when it ends before. Throws like parse_go.
[[nodiscard]] std::optional<Go> read_go(int fd, std::size_t flows);

struct Session {
  const RunPlan& plan;
  UdpSocket& socket;
  Go go{};
  int stop_fd{};    // the run stops at once when this ends: whoever started it is gone, or wants that
  int change_fd{};  // gives the emulator LinkChange records; -1 for the others
  Duration spin{};  // see Alarm
  RunSink& sink;

  [[nodiscard]] PulseSetup pulse() const {
    return {.start_ns = go.start_ns, .duration = plan.duration, .stop_fd = stop_fd, .spin = spin};
  }
};

// Each role: runs until the plan's end; empty when it was told to stop before. The summary holds this process's part of
// the run.
[[nodiscard]] std::optional<RunSummary> run_emulator(const Session& session);
[[nodiscard]] std::optional<RunSummary> run_sender(const Session& session, std::size_t flow);
[[nodiscard]] std::optional<RunSummary> run_receiver(const Session& session, std::size_t flow);

}  // namespace paceline
