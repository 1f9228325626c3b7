#include "formats/arrivals.hh"

#include <algorithm>

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

void Arrivals::add(int64_t at_ns, uint64_t bytes) {
  constexpr uint64_t kPacket = 1500;
  constexpr uint64_t kMillisecond = 1'000'000;
  if (!any_) first_ns_ = last_ns_ = at_ns;
  any_ = true;
  last_ns_ = std::max(last_ns_, at_ns);  // a clock that was set back
  // Without a sign: the difference of any two times fits, and the later one is not before the first.
  const uint64_t ms = (static_cast<uint64_t>(last_ns_) - static_cast<uint64_t>(first_ns_)) / kMillisecond + 1;
  if (ms > kMaxTracePeriodMs) fail(TraceError{"too_long", "the arrivals span more than a day", "Cut the recording."});
  if (ms >= counts_.size()) counts_.resize(ms + 1);
  credit_ += bytes;
  bytes_ += bytes;
  if (credit_ / kPacket > kMaxTracePerMs - counts_[ms])
    fail(TraceError{"too_many", "more than 12 Tbit/s in one millisecond"});
  counts_[ms] += static_cast<uint32_t>(credit_ / kPacket);
  credit_ %= kPacket;
}

std::vector<uint32_t> Arrivals::finish() {
  if (std::ranges::all_of(counts_, [](uint32_t n) { return n == 0; }))
    fail(TraceError{"no_opportunities", "what arrived does not fill a packet of 1500 bytes"});
  return std::move(counts_);
}

}  // namespace paceline::formats
