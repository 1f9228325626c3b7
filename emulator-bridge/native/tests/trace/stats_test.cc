#include "trace/stats.hh"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "channel/piecewise.hh"

using namespace paceline;

namespace {
using Counts = std::vector<uint32_t>;
}

TEST_CASE("A constant trace has one rate in every statistic") {
  for (const uint32_t ms : {1U, 7U, 10U, 999U, 1000U, 12'345U}) {
    CAPTURE(ms);
    const TraceStats stats = trace_stats(piecewise_trace(std::vector<RatePiece>{{48'000, 48'000, ms}}, 1));
    CHECK(stats.period_ms == ms);
    CHECK(stats.opportunities == 4 * ms);
    CHECK(stats.mean_mbps == doctest::Approx(48));
    CHECK(stats.peak_10ms_mbps == doctest::Approx(48));
    CHECK(stats.peak_1s_mbps == doctest::Approx(48));
    CHECK(stats.std_10ms_mbps == doctest::Approx(0));
    CHECK(stats.p5_1s_mbps == doctest::Approx(48));
    CHECK(stats.longest_gap_ms == 1);
    CHECK(stats.wrap_gap_ms == 1);
    CHECK(stats.share_below_5mbps_10ms == 0);
    CHECK_FALSE(stats.acf_1e_s);
  }
}

TEST_CASE("A step has the figures computed by hand") {
  const auto counts =
      piecewise_trace(std::vector<RatePiece>{{12'000, 12'000, 10'000}, {0, 0, 2'000}, {48'000, 48'000, 8'000}}, 1);
  const TraceStats stats = trace_stats(counts);
  CHECK(stats.opportunities == 10'000 + 32'000);
  CHECK(stats.mean_mbps == doctest::Approx((12.0 * 10 + 48 * 8) / 20));
  CHECK(stats.peak_1s_mbps == doctest::Approx(48));
  // The opportunities of ms k are those of (k-1, k]: the one at 10 000 is still the first piece's.
  CHECK(stats.longest_gap_ms == 2'001);
  CHECK(stats.empty_seconds == 1);
  CHECK(stats.share_below_5mbps_1s == doctest::Approx(0.1));
  CHECK(stats.max_per_ms == 4);
  CHECK(stats.resolution_ms == 1000);
}

TEST_CASE("The wrap's pause counts as one") {
  Counts counts(101);
  counts[30] = counts[60] = 1;
  const TraceStats stats = trace_stats(counts);
  CHECK(stats.first_ms == 30);
  CHECK(stats.last_ms == 60);
  CHECK(stats.wrap_gap_ms == 70);
  CHECK(stats.longest_gap_ms == 70);
  CHECK(stats.mean_mbps == doctest::Approx(0.24));
}

TEST_CASE("The opportunities of the last millisecond belong to the next lap's first bin") {
  Counts counts(21);
  counts[20] = 10;
  const TracePreview preview = trace_preview(counts, 2, 0, 20);
  CHECK(preview.bin_ms == 10);
  CHECK(preview.mean_mbps == std::vector<double>{12, 0});
}

TEST_CASE("A preview keeps the extremes and the mean whatever the number of bins") {
  Counts counts(10'001, 1);
  counts[5'003] = 500;
  counts[0] = 0;
  std::fill(counts.begin() + 2'000, counts.begin() + 2'020, 0);
  const double mean = trace_stats(counts).mean_mbps;
  for (const uint64_t bins : {1U, 2U, 3U, 10U, 500U, 1000U}) {
    CAPTURE(bins);
    const TracePreview preview = trace_preview(counts, bins, 0, 10'000);
    CHECK(preview.bin_ms % 10 == 0);
    CHECK(preview.mean_mbps.size() <= bins);
    CHECK(*std::max_element(preview.max_mbps.begin(), preview.max_mbps.end()) == doctest::Approx((9 + 500) * 1.2));
    CHECK(*std::min_element(preview.min_mbps.begin(), preview.min_mbps.end()) == doctest::Approx(0));
    double sum = 0;
    for (std::size_t i = 0; i < preview.mean_mbps.size(); ++i) {
      const uint64_t length = std::min<uint64_t>(preview.bin_ms, 10'000 - i * preview.bin_ms);
      sum += preview.mean_mbps[i] * static_cast<double>(length);
    }
    CHECK(sum / 10'000 == doctest::Approx(mean));
  }
  const TracePreview part = trace_preview(counts, 10, 5'000, 5'100);
  CHECK(part.bin_ms == 10);
  CHECK(part.max_mbps.size() == 10);
  CHECK(part.max_mbps.front() == doctest::Approx(610.8));
}

TEST_CASE("A preview of little time has bins down to a millisecond") {
  Counts counts(10'001, 1);
  counts[5'003] = 500;
  const TracePreview finest = trace_preview(counts, 1000, 5'000, 5'200);
  CHECK(finest.bin_ms == 1);
  REQUIRE(finest.mean_mbps.size() == 200);
  CHECK(finest.mean_mbps[3] == doctest::Approx(500 * 12.0));
  CHECK(finest.min_mbps[3] == finest.mean_mbps[3]);
  CHECK(finest.mean_mbps[4] == doctest::Approx(12));
  CHECK(trace_preview(counts, 100, 0, 200).bin_ms == 2);
  CHECK(trace_preview(counts, 100, 0, 300).bin_ms == 5);
  CHECK(trace_preview(counts, 100, 0, 600).bin_ms == 10);
}

TEST_CASE("The resolution is the coarsest time within which the trace is constant") {
  std::vector<RatePiece> tenths;
  for (uint64_t i = 0; i < 100; ++i) tenths.push_back({20'000 + 7'919 * (i % 7), 20'000 + 7'919 * (i % 7), 100});
  CHECK(trace_stats(piecewise_trace(tenths, 1)).resolution_ms == 100);
  CHECK(trace_stats(piecewise_trace(std::vector<RatePiece>{{1'000, 100'000, 60'000}}, 1)).resolution_ms < 1000);
  Counts bursty(10'001);
  for (std::size_t ms = 1; ms < bursty.size(); ms += 1 + ms % 5) bursty[ms] = 3;
  CHECK(trace_stats(bursty).resolution_ms == 1);
}
