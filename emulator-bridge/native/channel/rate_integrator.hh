#pragma once
// From rates to delivery opportunities without drift: opportunities in (k-1, k] ms = floor(C(k)) - floor(C(k-1)), where
// C is the integral of the rate in packets of 1500 bytes. The integral is kept in exact integers, so the total is off
// by less than one packet however long the trace is; rounding each interval by itself would be off by up to 20 % at 1
// Mbps.

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/units.hh"

namespace paceline {

class RateIntegrator {
 public:
  // `bps` for the next `length`. Rates of up to 10^12 bit/s.
  void add(uint64_t bps, Duration length);

  // Nothing more until the millisecond that has begun is over, so that what came in it is not dropped with it.
  void complete_millisecond() {
    if (into_ms_ > 0) add(0, Duration{kMillisecond - into_ms_});
  }

  // Why there is no trace yet: no whole millisecond, or no opportunity. Empty: there is one.
  [[nodiscard]] std::string_view lacking() const;

  // counts[0..T], T = whole milliseconds so far; a last millisecond that is cut short is dropped.
  // Throws std::invalid_argument when something is lacking.
  [[nodiscard]] std::vector<uint32_t> finish();

 private:
  static constexpr uint64_t kPacket = 12'000ULL * 1'000'000'000ULL;  // bit/s times ns
  static constexpr int64_t kMillisecond = 1'000'000;

  std::vector<uint32_t> counts_{0};
  uint64_t credit_{};   // not yet a whole packet
  uint64_t packets_{};  // of the millisecond that is being filled
  int64_t into_ms_{};
};

}  // namespace paceline
