#pragma once
// Sleeps until a time of CLOCK_MONOTONIC or until something can be read, whichever comes first.

#include <poll.h>

#include <cstdint>
#include <vector>

#include "core/units.hh"

namespace paceline {

class Alarm {
 public:
  // `spin`: how long before the time to stop sleeping and look at the clock instead (exact to well below a microsecond, for the price
  // of a busy core).
  explicit Alarm(Duration spin);

  // Also wakes up when `fd` can be read (or has ended).
  void watch(int fd) { descriptors_.push_back({.fd = fd, .events = POLLIN, .revents = 0}); }

  // Throws std::system_error.
  void wait_until(int64_t monotonic_ns);
  // After waiting: can the i-th watched descriptor be read?
  [[nodiscard]] bool readable(std::size_t i) const { return descriptors_[i].revents != 0; }

  // Sleeps whatever there is to read.
  static void sleep_until(int64_t monotonic_ns);

 private:
  // At most so long; true: something can be read.
  [[nodiscard]] bool poll(int64_t ns);

  Duration spin_;
  std::vector<pollfd> descriptors_{};
};

}  // namespace paceline
