#include "trace/edit.hh"

#include <algorithm>

#include "trace/text.hh"

namespace paceline::trace_edit {

namespace {

std::string ms(uint64_t value) { return std::to_string(value) + " ms"; }

uint64_t period(const Counts& counts) { return counts.size() - 1; }

auto at(Counts& counts, uint64_t ms) { return counts.begin() + 1 + static_cast<std::ptrdiff_t>(ms); }

void must_be_within(const char* parameter, uint64_t end_ms, const Counts& counts) {
  if (end_ms > period(counts)) throw Refused{parameter, "beyond the trace's end, " + ms(period(counts))};
}

void must_fit_a_day(const char* parameter, uint64_t length_ms) {
  if (length_ms > kMaxTracePeriodMs)
    throw Refused{parameter, "the trace would last " + ms(length_ms) + ", longer than a day"};
}

void check_part(uint64_t from_ms, uint64_t to_ms, const Counts& counts) {
  must_be_within("from_ms", from_ms, counts);
  must_be_within("to_ms", to_ms, counts);
  if (from_ms >= to_ms) throw Refused{"to_ms", "must be after from_ms, " + ms(from_ms)};
}

// A part [at_ms, at_ms + length_ms) of the trace; named after the length when that is what is too much.
void check_span(const char* length, uint64_t at_ms, uint64_t length_ms, const Counts& counts) {
  must_be_within("at_ms", at_ms, counts);
  must_be_within(length, at_ms + length_ms, counts);
}

}  // namespace

Counts folded(Counts counts) {
  counts.back() += counts.front();
  counts.front() = 0;
  return counts;
}

Counts cut(Counts counts, uint64_t from_ms, uint64_t to_ms) {
  check_part(from_ms, to_ms, counts);
  counts.erase(at(counts, to_ms), counts.end());
  counts.erase(at(counts, 0), at(counts, from_ms));
  return counts;
}

Counts remove(Counts counts, uint64_t from_ms, uint64_t to_ms) {
  check_part(from_ms, to_ms, counts);
  if (to_ms - from_ms == period(counts)) throw Refused{"to_ms", "nothing of the trace would be left"};
  counts.erase(at(counts, from_ms), at(counts, to_ms));
  return counts;
}

Counts loop(Counts counts, uint64_t duration_ms) {
  const uint64_t lap_ms = period(counts);
  if (duration_ms < lap_ms) throw Refused{"duration_ms", "the trace lasts " + ms(lap_ms) + " already: cut it instead"};
  must_fit_a_day("duration_ms", duration_ms);
  counts.resize(duration_ms + 1);
  for (uint64_t k = lap_ms + 1; k <= duration_ms; ++k) counts[k] = counts[k - lap_ms];
  return counts;
}

Counts concatenate(Counts counts, const Counts& other) {
  must_fit_a_day("trace", period(counts) + period(other));
  const Counts more = folded(other);
  counts.insert(counts.end(), more.begin() + 1, more.end());
  return counts;
}

Counts scale(Counts counts, uint64_t millionths) {
  constexpr uint64_t kOne = 1'000'000;
  uint64_t credit = 0;
  for (uint32_t& n : counts) {
    credit += n * millionths;
    const uint64_t packets = credit / kOne;
    if (packets > kMaxTracePerMs)
      throw Refused{"factor", "more than " + std::to_string(kMaxTracePerMs) + " packets in one millisecond"};
    n = static_cast<uint32_t>(packets);
    credit %= kOne;
  }
  return counts;
}

Counts smooth(const Counts& counts, uint64_t window_ms) {
  const uint64_t lap_ms = period(counts);
  if (window_ms > lap_ms) throw Refused{"window_ms", "longer than the trace, " + ms(lap_ms)};
  // Milliseconds by their place in the lap, 0 to T-1.
  const auto count = [&counts, lap_ms](uint64_t place) -> uint64_t { return counts[1 + place % lap_ms]; };
  // The sum of two windows, of which an even length puts one a millisecond before the other; half of it is the sum around k.
  const uint64_t before = window_ms / 2;
  const uint64_t after = (window_ms - 1) / 2;
  uint64_t earlier = 0;  // [k - before, k + after]
  for (uint64_t i = 0; i < window_ms; ++i) earlier += count(lap_ms - before + i);
  uint64_t later = earlier;  // [k - after, k + before]
  if (before != after) later += count(before) - count(lap_ms - before);
  Counts out(counts.size());
  uint64_t credit = 0;
  for (uint64_t k = 0; k < lap_ms; ++k) {
    credit += earlier + later;
    out[k + 1] = static_cast<uint32_t>(credit / (2 * window_ms));
    credit %= 2 * window_ms;
    earlier += count(k + after + 1) - count(k + lap_ms - before);
    later += count(k + before + 1) - count(k + lap_ms - after);
  }
  return out;
}

Counts insert_outage(Counts counts, uint64_t at_ms, uint64_t duration_ms) {
  must_be_within("at_ms", at_ms, counts);
  must_fit_a_day("duration_ms", period(counts) + duration_ms);
  counts.insert(at(counts, at_ms), duration_ms, 0);
  return counts;
}

Counts overwrite_outage(Counts counts, uint64_t at_ms, uint64_t duration_ms) {
  check_span("duration_ms", at_ms, duration_ms, counts);
  std::fill(at(counts, at_ms), at(counts, at_ms + duration_ms), 0);
  return counts;
}

Counts handover(Counts counts, uint64_t at_ms, uint64_t interruption_ms, uint64_t ramp_ms) {
  check_span("interruption_ms", at_ms, interruption_ms, counts);
  const uint64_t again_ms = at_ms + interruption_ms;
  must_be_within("ramp_ms", again_ms + ramp_ms, counts);
  std::fill(at(counts, at_ms), at(counts, again_ms), 0);
  uint64_t credit = 0;
  for (uint64_t k = 0; k < ramp_ms; ++k) {  // the share in the middle of each millisecond
    uint32_t& n = *at(counts, again_ms + k);
    credit += n * (2 * k + 1);
    n = static_cast<uint32_t>(credit / (2 * ramp_ms));
    credit %= 2 * ramp_ms;
  }
  return counts;
}

Counts reverse(Counts counts) {
  std::reverse(at(counts, 0), counts.end());
  return counts;
}

Counts shift(Counts counts, uint64_t by_ms) {
  must_be_within("by_ms", by_ms, counts);
  std::rotate(at(counts, 0), at(counts, by_ms), counts.end());
  return counts;
}

}  // namespace paceline::trace_edit
