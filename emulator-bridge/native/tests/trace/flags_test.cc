// Each fault in a trace that has it, and not in one that does not.
#include "trace/flags.hh"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "channel/piecewise.hh"
#include "core/random.hh"

using namespace paceline;

namespace {

using Counts = std::vector<uint32_t>;

std::vector<TraceFlag> flags(const Counts& counts, TraceOrigin origin = TraceOrigin::recorded) {
  return trace_flags(counts, trace_stats(counts), origin);
}
const TraceFlag* find(const std::vector<TraceFlag>& all, const std::string& id) {
  const auto found = std::ranges::find(all, id, &TraceFlag::id);
  return found == all.end() ? nullptr : &*found;
}
bool has(const Counts& counts, const std::string& id) {
  const auto all = flags(counts);
  return find(all, id) != nullptr;
}

// A link that wanders between 12 and 36 Mbps and has no fault.
Counts wandering(uint32_t seconds = 60) {
  Random random{3, 0, "trace"};
  Counts counts(seconds * 1000 + 1);
  double rate = 2;
  for (std::size_t ms = 1; ms < counts.size(); ++ms) {
    if (ms % 50 == 0) rate = std::clamp(rate + random.uniform() - 0.5, 1.0, 3.0);
    counts[ms] = static_cast<uint32_t>(rate + random.uniform());
  }
  counts.back() = 1;
  return counts;
}

}  // namespace

TEST_CASE("A trace without faults has no flag") {
  const auto none = flags(wandering());
  for (const TraceFlag& flag : none) MESSAGE(flag.id << ": " << flag.says);
  CHECK(none.empty());
  CHECK(flags(piecewise_trace(std::vector<RatePiece>{{48'000, 48'000, 60'000}}, 1)).empty());
}

TEST_CASE("Seconds without capacity are flagged where they are") {
  Counts counts = wandering();
  std::fill(counts.begin() + 20'001, counts.begin() + 22'500, 0);
  counts[20'000] = counts[22'500] = 1;
  const auto all = flags(counts);
  const TraceFlag* flag = find(all, "silent_seconds");
  REQUIRE(flag != nullptr);
  CHECK(flag->says == "Nothing is delivered for up to 2.5 s, once for a second or more.");
  REQUIRE(flag->at.size() == 1);
  CHECK(flag->at[0].from_ms == 20'000);
  CHECK(flag->at[0].to_ms == 22'500);
  Counts shorter = wandering();
  std::fill(shorter.begin() + 20'001, shorter.begin() + 20'900, 0);
  CHECK_FALSE(has(shorter, "silent_seconds"));
}

TEST_CASE("Pauses at the start and the end of every lap are told apart from those within") {
  Counts counts = wandering();
  std::fill(counts.begin(), counts.begin() + 831, 0);
  std::fill(counts.end() - 1500, counts.end(), 0);
  const auto all = flags(counts);
  REQUIRE(find(all, "late_start") != nullptr);
  CHECK(find(all, "late_start")->at[0].to_ms >= 831);
  REQUIRE(find(all, "trailing_gap") != nullptr);
  CHECK(find(all, "trailing_gap")->at[0].to_ms == 60'000);
  CHECK(find(all, "silent_seconds") == nullptr);
}

TEST_CASE("What the source measured no finer, and what is only short") {
  std::vector<RatePiece> seconds;
  for (uint64_t i = 0; i < 30; ++i) seconds.push_back({20'000 + 7'919 * (i % 7), 20'000 + 7'919 * (i % 7), 1000});
  const Counts coarse = piecewise_trace(seconds, 1);
  CHECK(has(coarse, "coarse_resolution"));
  CHECK(flags(coarse, TraceOrigin::made).empty());
  CHECK(has(wandering(9), "short"));
}

TEST_CASE("Steps of the source that lie on no grid are found all the same") {
  std::vector<RatePiece> intervals;
  for (uint64_t i = 0; i < 300; ++i)
    intervals.push_back({200'000 + 79'190 * (i * 3 % 7), 200'000 + 79'190 * (i * 3 % 7), 103});
  const Counts counts = piecewise_trace(intervals, 1);
  CHECK(usual_run_ms(counts) >= 95);
  CHECK(has(counts, "coarse_resolution"));
  CHECK(usual_run_ms(wandering()) < 30);
}

TEST_CASE("A plateau is the recorder's, a steady volume that comes in bursts is a steady sender's") {
  // 58 packets per ms half of the time.
  Counts capped(60'001, 58);
  Random random{5, 0, "trace"};
  for (std::size_t ms = 1; ms < capped.size(); ++ms)
    if (ms / 700 % 2 == 0) capped[ms] = 5 + static_cast<uint32_t>(40 * random.uniform());
  CHECK(has(capped, "source_limited"));
  // 24 Mbps at most, half of the time.
  Counts slow = wandering();
  for (std::size_t ms = 1; ms < slow.size(); ++ms)
    if (ms / 1000 % 2 == 0)
      slow[ms] = 2 + static_cast<uint32_t>(ms % 2);
    else
      slow[ms] = std::min(slow[ms], 2U);
  CHECK(has(slow, "source_limited"));
  // 100 Mbps, of which up to 40 ms are held back and released.
  Counts held(60'001);
  uint32_t waiting = 0;
  uint32_t until = 0;
  for (uint32_t ms = 1; ms < held.size(); ++ms) {
    waiting += 8 + ms % 3 / 2;
    if (ms < until) continue;
    held[ms] = waiting;
    waiting = 0;
    until = ms + 1 + static_cast<uint32_t>(60 * random.uniform() * random.uniform());
  }
  const auto all = flags(held);
  REQUIRE(find(all, "source_limited") != nullptr);
  CHECK(find(all, "source_limited")->says.starts_with("Each second delivers nearly the same"));
}

TEST_CASE("A burst that brings what a silence withheld is flagged, a higher rate without one is not") {
  Counts counts = wandering();
  uint32_t withheld = 0;
  for (std::size_t ms = 30'000; ms < 30'200; ++ms) {
    withheld += counts[ms];
    counts[ms] = 0;
  }
  counts[30'203] += withheld / 2;
  const auto at = catch_up_bursts(counts, 1);
  REQUIRE(at.size() == 1);
  CHECK(at[0].from_ms == 30'000);
  CHECK(at[0].to_ms == 30'210);
  CHECK(has(counts, "catch_up_bursts"));
  Counts risen = wandering();
  risen[30'203] += withheld / 2;
  CHECK_FALSE(has(risen, "catch_up_bursts"));
  // Far more than the link can have withheld is something else.
  counts[30'203] += 100 * withheld;
  CHECK(catch_up_bursts(counts, 1).empty());
  CHECK(find(flags(counts, TraceOrigin::made), "catch_up_bursts") == nullptr);
}
