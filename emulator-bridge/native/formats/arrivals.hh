#pragma once
// Arrivals become opportunities: one for every 1500 bytes that came, at the end of the millisecond in which they came. What does not
// fill one is carried to the next, so the totals differ by less than a packet.

#include <cstdint>
#include <vector>

namespace paceline::formats {

class Arrivals {
 public:
  // In order of time; the first arrival is time 0. Throws TraceError when a day is over or a millisecond too full.
  void add(int64_t at_ns, uint64_t bytes);
  // Throws TraceError when there is no opportunity, or all in one millisecond.
  [[nodiscard]] std::vector<uint32_t> finish();
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  std::vector<uint32_t> counts_{};
  bool any_{};
  int64_t first_ns_{};
  int64_t last_ns_{};
  uint64_t bytes_{};
  uint64_t credit_{};
};

}  // namespace paceline::formats
