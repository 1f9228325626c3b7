#pragma once
// How late a process of a real-time run was, and what it lost where nothing is modelled.

#include <cstdint>
#include <string>

#include "core/histogram.hh"
#include "metrics/summary.hh"

namespace paceline {

// A run whose figures may be wrong because the machine did not keep up is marked as an overrun:
//   more than 0.01 % of the packets were lost outside the modelled queue and loss element, or
//   more than 1 % of the opportunities (or timers) were served more than 1 ms late, or
//   more than 1 % of the wake-ups came more than 1 ms late.
// Single late wake-ups of up to some milliseconds happen on every machine and do not count; fewer losses are told, and do not either.
inline constexpr Duration kLate = Duration::millis(1);
inline constexpr double kLateShareAllowed = 0.01;
inline constexpr double kLossShareAllowed = 1e-4;
inline constexpr uint64_t kTellingWakeups = 100;  // one in a hundred of fewer says nothing

// What was lost outside the model, of so many packets that passed.
struct UnmodelledLosses {
  uint64_t lost{};
  uint64_t packets{};
  std::string where{};  // if it is known

  [[nodiscard]] bool too_many() const {
    return static_cast<double>(lost) > kLossShareAllowed * static_cast<double>(packets);
  }
};

class Lateness {
 public:
  // Something was due and is handled now.
  void woke(Duration late) { wakeups_.add(late); }
  // A packet left, `late` after the time for which it was scheduled.
  void served(Duration late) {
    departures_.add(late);
    if (late > kLate) ++departed_late_;
  }

  [[nodiscard]] LatenessSummary summary(const UnmodelledLosses& losses) const;

 private:
  DelayHistogram wakeups_{};
  DelayHistogram departures_{};
  uint64_t departed_late_{};
};

// What made it an overrun, in words; empty if it is none.
[[nodiscard]] std::string overrun_reason(const LatenessSummary& lateness, const UnmodelledLosses& losses);

}  // namespace paceline
