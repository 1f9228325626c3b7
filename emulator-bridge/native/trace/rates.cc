#include "trace/rates.hh"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/fail.hh"

namespace paceline {

uint64_t TraceRates::next(uint64_t ms) {
  uint64_t packets = 0;
  for (const uint64_t end = at_ms_ + ms; at_ms_ < end;) packets += counts_[++at_ms_];
  if (at_ms_ + 1 == counts_.size()) packets += counts_.front();
  const uint64_t owed = packets * kPacket;
  const uint64_t bps = owed > ahead_ ? (owed - ahead_ + ms - 1) / ms : 0;
  ahead_ += bps * ms;
  ahead_ -= owed;
  return bps;
}

RateTableRows::RateTableRows(uint64_t period_ms, uint64_t step_ms) : step_ms_{step_ms} {
  constexpr uint64_t kTelling = 4;  // of fewer rows the short one could pass for the usual step
  if (step_ms < 1 || step_ms > kLongestRateStepMs)
    fail(std::invalid_argument{"the step must be from 1 to " + std::to_string(kLongestRateStepMs) + " ms"});
  if (period_ms < 2) fail(std::invalid_argument{"a table of rates needs two rows: a trace of at least 2 ms"});
  if (period_ms < kTelling * step_ms) {
    step_ms_ = std::min(step_ms, period_ms / 2);
    while (period_ms % step_ms_ != 0) --step_ms_;
  }
  full_ = period_ms / step_ms_;
  rest_ms_ = period_ms % step_ms_;
}

}  // namespace paceline
