#pragma once
// Tells every thread of a run to stop at once: a descriptor that all of them watch, and that ends.

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace paceline {

class StopSignal {
 public:
  StopSignal() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
  }
  ~StopSignal() {
    stop();
    ::close(ends_[0]);
  }
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  // Can be read, without giving anything, once stop() was called.
  [[nodiscard]] int fd() const { return ends_[0]; }
  // From any thread, any number of times.
  void stop() {
    if (!stopped_.exchange(true)) ::close(ends_[1]);
  }

 private:
  std::array<int, 2> ends_{};
  std::atomic<bool> stopped_{};
};

}  // namespace paceline
