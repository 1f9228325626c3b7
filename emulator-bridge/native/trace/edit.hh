#pragma once
// Edits of a trace. A trace is counts[0..T], counts[k] the opportunities of (k-1, k] ms, and a part of it from A to B is
// (A, B] ms. Opportunities at 0 coincide with those of the end from the second lap on; edits know them as those of the end
// (`folded`), and what they give back has none at 0. Whole packets are kept: where a rate changes, what is left of a packet
// is carried on.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace paceline::trace_edit {

using Counts = std::vector<uint32_t>;

// A parameter that does not fit this trace; what() says why.
class Refused : public std::invalid_argument {
 public:
  Refused(std::string parameter, const std::string& why)
      : std::invalid_argument{why}, parameter_{std::move(parameter)} {}
  [[nodiscard]] const std::string& parameter() const { return parameter_; }

 private:
  std::string parameter_;
};

[[nodiscard]] Counts folded(Counts counts);

// Only the part; or everything but the part.
[[nodiscard]] Counts cut(Counts counts, uint64_t from_ms, uint64_t to_ms);
[[nodiscard]] Counts remove(Counts counts, uint64_t from_ms, uint64_t to_ms);
// Over and over up to this length; the last time perhaps not to its end.
[[nodiscard]] Counts loop(Counts counts, uint64_t duration_ms);
[[nodiscard]] Counts concatenate(Counts counts, const Counts& other);
// Every rate times millionths / 10^6; the total is rounded down to whole packets.
[[nodiscard]] Counts scale(Counts counts, uint64_t millionths);
// A moving average around each millisecond, over the trace's end into its beginning, because a trace repeats: the total
// stays exactly the same. An even window has half of it on either side, its outermost milliseconds counting half.
[[nodiscard]] Counts smooth(const Counts& counts, uint64_t window_ms);
// Nothing is delivered for a while: the rest moves back, or what was there is lost.
[[nodiscard]] Counts insert_outage(Counts counts, uint64_t at_ms, uint64_t duration_ms);
[[nodiscard]] Counts overwrite_outage(Counts counts, uint64_t at_ms, uint64_t duration_ms);
// Nothing for the interruption, then a share of the capacity that rises in a straight line to all of it. The trace keeps its length.
[[nodiscard]] Counts handover(Counts counts, uint64_t at_ms, uint64_t interruption_ms, uint64_t ramp_ms);
[[nodiscard]] Counts reverse(Counts counts);
// What began at `by_ms` is the beginning, what was before it the end.
[[nodiscard]] Counts shift(Counts counts, uint64_t by_ms);

}  // namespace paceline::trace_edit
