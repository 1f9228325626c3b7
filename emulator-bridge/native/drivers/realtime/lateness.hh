#pragma once
// How late a process of a real-time run was, and what it lost where nothing is modelled.

#include <cstdint>
#include <string>

#include "metrics/histogram.hh"
#include "metrics/summary.hh"

namespace paceline {

// A run whose figures may be wrong because the machine did not keep up is marked as an overrun:
//   a packet was lost outside the modelled queue and loss element, or
//   more than 1 % of the opportunities (or timers) were served more than 1 ms late, or
//   more than 1 % of the wake-ups came more than 1 ms late.
// Single late wake-ups of up to some milliseconds happen on every machine and do not count.
inline constexpr Duration kLate = Duration::millis(1);
inline constexpr double kLateShareAllowed = 0.01;
inline constexpr uint64_t kTellingWakeups = 100;  // one in a hundred of fewer says nothing

class Lateness {
 public:
  // Something was due and is handled now.
  void woke(Duration late) { wakeups_.add(late); }
  // A packet left, `late` after the time for which it was scheduled.
  void served(Duration late) {
    departures_.add(late);
    if (late > kLate) ++departed_late_;
  }

  [[nodiscard]] LatenessSummary summary(uint64_t unmodelled_losses) const;

 private:
  DelayHistogram wakeups_{};
  DelayHistogram departures_{};
  uint64_t departed_late_{};
};

// What made it an overrun, in words; empty if it is none.
[[nodiscard]] std::string overrun_reason(const LatenessSummary& lateness);

}  // namespace paceline
