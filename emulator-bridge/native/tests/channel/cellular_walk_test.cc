#include "channel/cellular_walk.hh"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "trace/stats.hh"

using namespace paceline;

TEST_CASE("The same seed gives the same trace, another seed another") {
  CellularWalk walk{.seed = 5, .duration_ms = 5000};
  const auto first = cellular_walk_trace(walk);
  CHECK(first == cellular_walk_trace(walk));
  walk.seed = 6;
  CHECK(first != cellular_walk_trace(walk));
}

TEST_CASE("Without any randomness in it, the walk is a constant rate") {
  const TraceStats stats = trace_stats(cellular_walk_trace(
      {.duration_ms = 10'000, .median_mbps = 24, .slow_sigma = 0, .fast_sigma = 0, .share = 1, .outages_per_s = 0}));
  CHECK(stats.mean_mbps == doctest::Approx(24));
  CHECK(stats.std_10ms_mbps == doctest::Approx(0));
}

TEST_CASE("Rate, scheduler share and outages have the means that were asked for") {
  const auto mean = [](const CellularWalk& walk) { return trace_stats(cellular_walk_trace(walk)).mean_mbps; };
  CellularWalk walk{.seed = 1,
                    .duration_ms = 600'000,
                    .median_mbps = 20,
                    .min_mbps = 0,
                    .max_mbps = 1000,
                    .slow_sigma = 0,
                    .fast_sigma = 0,
                    .share = 0.4,
                    .outages_per_s = 0};
  CHECK(mean(walk) == doctest::Approx(20).epsilon(0.01));
  walk.fast_sigma = 0.5;  // a log-normal's mean is median * exp(sigma^2 / 2)
  CHECK(mean(walk) == doctest::Approx(20 * 1.1331).epsilon(0.02));
  walk.fast_sigma = 0;
  walk.outages_per_s = 1;
  walk.outage_mean_ms = 250;  // on average 1000 ms between the end of one and the begin of the next
  CHECK(mean(walk) == doctest::Approx(20 * 0.8).epsilon(0.03));
}

TEST_CASE("The rate stays within its bounds and drifts with its correlation time") {
  CellularWalk walk{.seed = 9,
                    .duration_ms = 600'000,
                    .median_mbps = 30,
                    .min_mbps = 12,
                    .max_mbps = 60,
                    .slow_sigma = 0.5,
                    .slow_tau_ms = 3000,
                    .fast_sigma = 0,
                    .share = 1,
                    .outages_per_s = 0};
  const auto counts = cellular_walk_trace(walk);
  const TraceStats stats = trace_stats(counts);
  CHECK(stats.peak_1s_mbps <= 60.0 + 0.02);
  CHECK(*std::max_element(counts.begin(), counts.end()) <= 6);
  CHECK(stats.p5_1s_mbps >= 12.0 - 0.02);
  REQUIRE(stats.acf_1e_s);
  CHECK(*stats.acf_1e_s == doctest::Approx(3).epsilon(0.25));
}

TEST_CASE("Impossible parameters are refused by name") {
  CHECK_THROWS_WITH_AS((void)cellular_walk_trace({.share = 0}), doctest::Contains("share"), std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)cellular_walk_trace({.median_mbps = 5, .min_mbps = 6}), doctest::Contains("min_mbps"),
                       std::invalid_argument);
  CHECK_THROWS_WITH_AS((void)cellular_walk_trace({.duration_ms = 0}), doctest::Contains("duration_ms"),
                       std::invalid_argument);
}
