#pragma once
// How long a program, with all that it has started, was ready to run and had no processor: looked at now and then while it runs.

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>

#include "drivers/realtime_tun/file_descriptor.hh"

namespace paceline {

class ProcessorWaits {
 public:
  struct Times {
    int64_t ran_ns{};
    int64_t waited_ns{};        // all threads together
    int64_t kept_waiting_ns{};  // of the thread that was kept waiting most by others than the program itself
    int64_t looked_ns{};        // for how long it was looked at
  };

  // `init`: the first process of the program's process namespace. From now on.
  void begin(pid_t init);
  void look();
  // Nothing where the kernel does not tell, or before begin().
  [[nodiscard]] std::optional<Times> times() const;

 private:
  struct Thread {
    // as the kernel tells them
    int64_t ran_ns{};
    int64_t waited_ns{};
    // since the last look
    int64_t ran_lately_ns{};
    int64_t waited_lately_ns{};
    // The kernel tells a wait when it is over, and one may last longer than the program. A thread that was ready at two looks and has
    // not run between them has waited all the time: that much of a wait that goes on is counted beforehand.
    bool ready{};
    int64_t counted_ns{};
    // What the program's other threads ran and this one has not yet been found to have waited for.
    int64_t owed_ns{};
    int64_t kept_waiting_ns{};
  };

  void see(bool first);
  void see_threads(int threads_fd, bool first);

  pid_t init_{};
  FileDescriptor processes_{};
  std::map<pid_t, Thread> threads_{};
  Times times_{};
  int64_t begun_ns_{};
  int64_t since_last_look_ns_{};
};

}  // namespace paceline
