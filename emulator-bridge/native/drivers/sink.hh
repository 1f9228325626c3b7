#pragma once
// Where a run's results go while it runs.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/units.hh"
#include "metrics/summary.hh"

namespace paceline {

// Something rare that happened (protocol/control.ts, RunEvent).
struct RunEvent {
  Time time{};
  int flow{-1};  // -1: the link
  std::string_view event{};
  std::string_view detail{};
  double value{kNotMeasured};
};

// Where every packet of the forward direction is at one moment: sent + copied = all the rest.
struct Ledger {
  Time time{};
  uint64_t sent{};
  uint64_t copied{};   // by the path
  uint64_t lost{};     // by any element but the link's bottleneck
  uint64_t dropped{};  // by its queue
  uint64_t queued{};
  uint64_t in_service{};
  uint64_t propagating{};  // in any other element
  uint64_t arrived{};      // at a receiver, duplicates included
};

class RunSink {
 public:
  virtual ~RunSink() = default;
  // One row of a stream; the rows of one moment come together, and then samples_complete().
  virtual void samples(uint16_t stream, Time time, std::span<const float> row) = 0;
  virtual void samples_complete(Time) {}
  virtual void event(const RunEvent&) {}
  virtual void ledger(const Ledger&) {}
};

}  // namespace paceline
