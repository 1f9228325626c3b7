// What edits make of a trace, by hand and for random ones.

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "core/random.hh"
#include "trace/edit.hh"

using namespace paceline;
using namespace paceline::trace_edit;

namespace {

uint64_t total(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{}); }

Counts random_counts(Random& random) {
  Counts counts(2 + random.below(400));
  for (uint32_t& n : counts) n = random.below(3) == 0 ? 0 : static_cast<uint32_t>(random.below(50));
  if (random.below(2) == 0) counts.back() = 0;
  return folded(counts);
}

template <typename Edit>
std::string refusal(Edit edit) {
  try {
    (void)edit();
    return "done";
  } catch (const Refused& refused) {
    return refused.parameter() + ": " + refused.what();
  }
}

constexpr int kTraces = 300;

}  // namespace

TEST_CASE("Opportunities at 0 are those of the end") {
  CHECK(folded({3, 1, 0, 2}) == Counts{0, 1, 0, 5});
  CHECK(concatenate({0, 1}, {3, 1, 0, 2}) == Counts{0, 1, 1, 0, 5});
}

TEST_CASE("cut keeps a part, remove takes it out") {
  const Counts trace{0, 1, 2, 3, 4, 5};
  CHECK(cut(trace, 0, 5) == trace);
  CHECK(cut(trace, 1, 3) == Counts{0, 2, 3});
  CHECK(cut(trace, 4, 5) == Counts{0, 5});
  CHECK(cut({0, 1, 0, 0}, 0, 2) == Counts{0, 1, 0});  // ends in a pause
  CHECK(remove(trace, 1, 3) == Counts{0, 1, 4, 5});
  CHECK(remove(trace, 0, 4) == Counts{0, 5});
  CHECK(refusal([&] { return cut(trace, 1, 6); }) == "to_ms: beyond the trace's end, 5 ms");
  CHECK(refusal([&] { return cut(trace, 6, 7); }) == "from_ms: beyond the trace's end, 5 ms");
  CHECK(refusal([&] { return cut(trace, 3, 3); }) == "to_ms: must be after from_ms, 3 ms");
  CHECK(refusal([&] { return remove(trace, 0, 5); }) == "to_ms: nothing of the trace would be left");
}

TEST_CASE("loop repeats up to a length, concatenate appends, shift and reverse reorder") {
  CHECK(loop({0, 1, 2, 0}, 8) == Counts{0, 1, 2, 0, 1, 2, 0, 1, 2});
  CHECK(loop({0, 1, 2}, 2) == Counts{0, 1, 2});
  CHECK(refusal([] { return loop({0, 1, 2}, 1); }) == "duration_ms: the trace lasts 2 ms already: cut it instead");
  CHECK(refusal([] { return loop({0, 1, 2}, 86'400'001); }).find("longer than a day") != std::string::npos);
  CHECK(concatenate({0, 1, 0}, {0, 2, 3}) == Counts{0, 1, 0, 2, 3});
  CHECK(shift({0, 1, 2, 3, 4}, 1) == Counts{0, 2, 3, 4, 1});
  CHECK(shift({0, 1, 2, 3, 4}, 4) == Counts{0, 1, 2, 3, 4});
  CHECK(reverse({0, 1, 2, 0}) == Counts{0, 0, 2, 1});
}

TEST_CASE("scale carries what is left of a packet") {
  CHECK(scale({0, 1, 1, 1, 1, 1}, 500'000) == Counts{0, 0, 1, 0, 1, 0});
  CHECK(scale({0, 1, 0, 3}, 1'500'000) == Counts{0, 1, 0, 5});
  CHECK(scale({0, 2, 2}, 1) == Counts{0, 0, 0});
  CHECK(refusal([] { return scale({0, 1'000'000}, 2'000'000); }).starts_with("factor: more than"));
}

TEST_CASE("smooth averages around each millisecond, over the end into the beginning") {
  CHECK(smooth({0, 0, 0, 9, 0, 0}, 3) == Counts{0, 0, 3, 3, 3, 0});
  CHECK(smooth({0, 9, 0, 0, 0, 0}, 3) == Counts{0, 3, 3, 0, 0, 3});
  // 8 over an even window of 2: a quarter, a half, a quarter.
  CHECK(smooth({0, 0, 0, 8, 0, 0}, 2) == Counts{0, 0, 2, 4, 2, 0});
  CHECK(smooth({0, 1, 0, 0, 0}, 3) == Counts{0, 0, 0, 0, 1});  // thirds: at 1, 2 and 4, whole at the last
  CHECK(smooth({0, 4, 0, 0, 0}, 4) == Counts{0, 1, 1, 1, 1});
  CHECK(smooth({0, 5, 7}, 1) == Counts{0, 5, 7});
  CHECK(refusal([] { return smooth({0, 5, 7}, 3); }) == "window_ms: longer than the trace, 2 ms");
}

TEST_CASE("an outage moves the rest back or overwrites; a handover interrupts and ramps up") {
  const Counts trace{0, 4, 4, 4, 4};
  CHECK(insert_outage(trace, 1, 2) == Counts{0, 4, 0, 0, 4, 4, 4});
  CHECK(insert_outage(trace, 4, 1) == Counts{0, 4, 4, 4, 4, 0});
  CHECK(overwrite_outage(trace, 1, 2) == Counts{0, 4, 0, 0, 4});
  CHECK(refusal([&] { return overwrite_outage(trace, 3, 2); }) == "duration_ms: beyond the trace's end, 4 ms");
  CHECK(refusal([&] { return insert_outage(trace, 5, 2); }) == "at_ms: beyond the trace's end, 4 ms");
  CHECK(handover(trace, 1, 1, 0) == Counts{0, 4, 0, 4, 4});
  // A ramp of 2 ms: a quarter, then three quarters.
  CHECK(handover(trace, 0, 1, 2) == Counts{0, 0, 1, 3, 4});
  CHECK(refusal([&] { return handover(trace, 2, 1, 2); }) == "ramp_ms: beyond the trace's end, 4 ms");
}

TEST_CASE("Totals and lengths of edits of random traces") {
  Random random{21, 0, "edits"};
  for (int i = 0; i < kTraces; ++i) {
    CAPTURE(i);
    const Counts trace = random_counts(random);
    const uint64_t lap = trace.size() - 1;
    const uint64_t packets = total(trace);
    const uint64_t from = random.below(lap);
    const uint64_t to = from + 1 + random.below(lap - from);
    CHECK(cut(trace, from, to).size() == to - from + 1);
    if (to - from < lap) CHECK(total(cut(trace, from, to)) + total(remove(trace, from, to)) == packets);
    const uint64_t millionths = 1 + random.below(3'000'000);
    CHECK(total(scale(trace, millionths)) == packets * millionths / 1'000'000);
    const uint64_t window = 1 + random.below(lap);
    const Counts smoothed = smooth(trace, window);
    CHECK(total(smoothed) == packets);
    CHECK(smoothed.size() == trace.size());
    // Each millisecond's average, computed the long way: twice the sum around it, the outermost of an even window halved.
    uint64_t sum = 0;
    uint64_t given = 0;
    for (uint64_t k = 0; k < lap; ++k) {
      for (uint64_t j = 0; j < window; ++j)
        sum += trace[1 + (k + lap - window / 2 + j) % lap] + trace[1 + (k + lap - (window - 1) / 2 + j) % lap];
      given += smoothed[k + 1];
      REQUIRE(given == sum / (2 * window));
    }
    const uint64_t longer = lap + random.below(3 * lap);
    const Counts looped = loop(trace, longer);
    CHECK(looped.size() == longer + 1);
    CHECK(total(looped) == packets * (longer / lap) + (longer % lap == 0 ? 0 : total(cut(trace, 0, longer % lap))));
    CHECK(total(insert_outage(trace, from, 7)) == packets);
    CHECK(total(overwrite_outage(trace, from, to - from)) == packets - total(cut(trace, from, to)));
    CHECK(reverse(reverse(trace)) == trace);
    CHECK(shift(shift(trace, from), lap - from) == trace);
    CHECK(total(concatenate(trace, trace)) == 2 * packets);
  }
}
