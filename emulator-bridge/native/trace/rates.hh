#pragma once
// A trace as rates that hold for a while each, for forms that know no delivery opportunities.

#include <cstdint>
#include <span>

namespace paceline {

inline constexpr uint64_t kLongestRateStepMs = 60'000;

// The rate of one piece after the other, in whole bit/s. What rounding adds is taken off the next piece, so the integral at
// the end of every piece is its number of packets and less than one more (bit/s times ms): whoever counts whole packets
// counts the same ones.
class TraceRates {
 public:
  explicit TraceRates(std::span<const uint32_t> counts) : counts_{counts} {}

  [[nodiscard]] uint64_t at_ms() const { return at_ms_; }

  // Of the next `ms`, up to kLongestRateStepMs. Opportunities at 0 count in the last millisecond: the same moment of the next lap.
  uint64_t next(uint64_t ms);

 private:
  static constexpr uint64_t kPacket = 12'000'000;  // bit/s times ms

  std::span<const uint32_t> counts_;
  uint64_t at_ms_{};
  uint64_t ahead_{};
};

// The rows of a table in which a row holds until the next one and the last one for the usual step, so that the table ends
// where the trace does: where the step does not divide the trace, the row before the last is the short one. A trace of
// less than four steps has the longest step that divides it.
class RateTableRows {
 public:
  // Throws std::invalid_argument when the trace is too short for two rows, or the step out of range.
  RateTableRows(uint64_t period_ms, uint64_t step_ms);

  [[nodiscard]] uint64_t count() const { return full_ + (rest_ms_ > 0 ? 1 : 0); }
  [[nodiscard]] uint64_t length_ms(uint64_t row) const {
    return rest_ms_ > 0 && row + 2 == count() ? rest_ms_ : step_ms_;
  }

 private:
  uint64_t step_ms_;
  uint64_t full_{};
  uint64_t rest_ms_{};
};

}  // namespace paceline
