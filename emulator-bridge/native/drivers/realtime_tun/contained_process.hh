#pragma once
// A foreign program in one of the run's network namespaces, with everything it starts in a process namespace of its own: when it
// ends, or this process does, nothing of it is left.

#include <sys/types.h>

#include <string>
#include <vector>

namespace paceline {

// Starts it; its standard streams are this process's. `network_fd` names the namespace (see enter_new_network). Must be called while
// there is a single thread. Throws std::system_error.
[[nodiscard]] pid_t start_contained(int network_fd, const std::vector<std::string>& words);

// Its exit code as a shell gives it: 128 and the signal when one ended it.
[[nodiscard]] int wait_for(pid_t process);

}  // namespace paceline
