#include "trace/trace.hh"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "core/fail.hh"

namespace paceline {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

int64_t floor_ms(int64_t ns) { return ns >= 0 ? ns / kMillisecond : -((-ns + kMillisecond - 1) / kMillisecond); }

}  // namespace

Trace::Trace(std::vector<uint32_t> counts) : counts_{std::move(counts)} {
  if (counts_.size() < 2) fail(std::invalid_argument("a trace must last at least 1 ms"));
  per_lap_ = std::accumulate(counts_.begin(), counts_.end(), uint64_t{});
  if (per_lap_ == 0) fail(std::invalid_argument("a trace must have at least one delivery opportunity"));
  wrap_ = counts_.front() + counts_.back();
}

Rate Trace::mean_rate() const {
  return {static_cast<double>(per_lap_) * static_cast<double>(kMtu.v) * 8e3 / static_cast<double>(period_ms())};
}

// An offset of whole laps is no offset: the run begins with the start of a lap.
DeliverySchedule::DeliverySchedule(const Trace& trace, int64_t offset_ms)
    : trace_{&trace}, position_{offset_ms % trace.period_ms()}, count_{trace.at(position_)} {
  if (count_ == 0) advance();
}

DeliverySchedule::DeliverySchedule(const Trace& trace, int64_t offset_ms, Time origin, Time now)
    : trace_{&trace}, position_{offset_ms % trace.period_ms()} {
  const int64_t over = floor_ms((now - origin).ns) + 1;
  position_ += over;
  next_ = origin + Duration::millis(over);
  count_ = trace.at(position_);
  if (count_ == 0) advance();
}

Rate capacity_before(const Trace& trace, int64_t offset_ms, Time measured, Duration window) {
  const int64_t start = offset_ms % trace.period_ms();
  const int64_t last = floor_ms(measured.ns);
  const int64_t milliseconds = std::max<int64_t>(1, window.ns / kMillisecond);
  uint64_t opportunities = 0;
  for (int64_t ms = last - milliseconds + 1; ms <= last; ++ms) opportunities += trace.at(start + ms);
  return Rate::of(kMtu * static_cast<int64_t>(opportunities), Duration::millis(milliseconds));
}

}  // namespace paceline
