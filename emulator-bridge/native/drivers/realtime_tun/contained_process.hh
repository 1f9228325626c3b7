#pragma once
// A foreign program in one of the run's network namespaces, with everything it starts in a process namespace of its own: when it
// ends, or this process does, nothing of it is left.

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace paceline {

// For a program that is made ready before it may begin, and has its own streams and environment.
struct Containment {
  std::array<int, 3> streams{};  // standard input, output and error; no other descriptor of this process is passed on
  int hold_fd{};                 // the program is not started before a byte can be read here, and never if that ends
  std::vector<std::string> environment{};  // "NAME=value", beside what this process has
  std::string folder{};                    // to work in; empty: this process's
};

// Starts it; without a containment at once, with this process's streams. `network_fd` names the namespace (see enter_new_network).
// Must be called while there is a single thread. SIGTERM to what it returns goes to everything in the process namespace.
// Throws std::system_error.
[[nodiscard]] pid_t start_contained(int network_fd, const std::vector<std::string>& words,
                                    const std::optional<Containment>& containment = std::nullopt);

// Its exit code as a shell gives it: 128 and the signal when one ended it, 127 when there is no such program.
[[nodiscard]] int wait_for(pid_t process);
inline constexpr int kExitNotFound = 127;
inline constexpr int kExitNotRun = 126;
inline constexpr int kExitSignal = 128;

}  // namespace paceline
