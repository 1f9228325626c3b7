#pragma once
// The machine's clock as a run sees it: nanoseconds of CLOCK_MONOTONIC since the moment that all processes of the run
// agreed on.

#include <ctime>

#include <cstdint>

#include "core/units.hh"

namespace paceline {

[[nodiscard]] inline int64_t clock_ns(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return static_cast<int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

class RunClock {
 public:
  explicit RunClock(int64_t start_ns) : start_ns_{start_ns} {}

  [[nodiscard]] Time now() const { return {clock_ns(CLOCK_MONOTONIC) - start_ns_}; }
  [[nodiscard]] int64_t monotonic_ns(Time time) const { return start_ns_ + time.ns; }
  [[nodiscard]] Time at(int64_t monotonic_ns) const { return {monotonic_ns - start_ns_}; }

 private:
  int64_t start_ns_;
};

}  // namespace paceline
