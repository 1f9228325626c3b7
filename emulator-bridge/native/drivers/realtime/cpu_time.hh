#pragma once
// What the ends of flows cost, of the processor's time.

#include <cstdint>

#include "drivers/realtime/clock.hh"

namespace paceline {

// All threads of this process, since this was made.
class ProcessCpu {
 public:
  [[nodiscard]] double seconds() const {
    return static_cast<double>(clock_ns(CLOCK_PROCESS_CPUTIME_ID) - began_) * 1e-9;
  }

 private:
  int64_t began_{clock_ns(CLOCK_PROCESS_CPUTIME_ID)};
};

// Adds what the calling thread takes while this lives: several flows share a thread.
class ThreadCpuShare {
 public:
  explicit ThreadCpuShare(int64_t& sum_ns) : sum_ns_{sum_ns} {}
  ThreadCpuShare(const ThreadCpuShare&) = delete;
  ThreadCpuShare& operator=(const ThreadCpuShare&) = delete;
  ~ThreadCpuShare() { sum_ns_ += clock_ns(CLOCK_THREAD_CPUTIME_ID) - began_; }

 private:
  int64_t& sum_ns_;
  int64_t began_{clock_ns(CLOCK_THREAD_CPUTIME_ID)};
};

}  // namespace paceline
