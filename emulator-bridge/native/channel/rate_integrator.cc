#include "channel/rate_integrator.hh"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/fail.hh"

namespace paceline {

void RateIntegrator::add(uint64_t bps, Duration length) {
  constexpr uint64_t kFastest = 1'000'000'000'000ULL;  // keeps bps times ns of one millisecond within 64 bits
  if (bps > kFastest) fail(std::invalid_argument{"a rate above 10^12 bit/s"});
  if (length < Duration::zero()) fail(std::invalid_argument{"a rate for a negative time"});
  for (int64_t left = length.ns; left > 0;) {
    const int64_t step = std::min(left, kMillisecond - into_ms_);
    credit_ += bps * static_cast<uint64_t>(step);
    packets_ += credit_ / kPacket;
    credit_ %= kPacket;
    left -= step;
    into_ms_ += step;
    if (into_ms_ < kMillisecond) continue;
    counts_.push_back(static_cast<uint32_t>(packets_));
    packets_ = 0;
    into_ms_ = 0;
  }
}

std::string_view RateIntegrator::lacking() const {
  if (counts_.size() < 2) return "the trace is shorter than one millisecond";
  if (std::all_of(counts_.begin(), counts_.end(), [](uint32_t n) { return n == 0; }))
    return "the trace holds not one opportunity";
  return {};
}

std::vector<uint32_t> RateIntegrator::finish() {
  if (const std::string_view why = lacking(); !why.empty()) fail(std::invalid_argument{std::string{why}});
  std::vector<uint32_t> counts = std::move(counts_);
  *this = RateIntegrator{};
  return counts;
}

}  // namespace paceline
