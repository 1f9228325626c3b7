// What a trace remembers, when it fails and how it falls: answers computed by hand.
#include "trace/dynamics.hh"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "channel/piecewise.hh"
#include "core/random.hh"
#include "trace/autocorrelation.hh"

using namespace paceline;

namespace {

using Counts = std::vector<uint32_t>;

Counts pieces(const std::vector<RatePiece>& all, uint32_t repeat = 1) { return piecewise_trace(all, repeat); }

// `high` opportunities in each millisecond of the first part of every period, then `low`; on the grid of the bins.
Counts square(uint32_t high, uint32_t low, std::size_t high_ms, std::size_t low_ms, std::size_t repeat) {
  Counts counts(repeat * (high_ms + low_ms) + 1);
  for (std::size_t ms = 0; ms + 1 < counts.size(); ++ms) counts[ms] = ms % (high_ms + low_ms) < high_ms ? high : low;
  return counts;
}

// The definition, product by product.
double by_hand(const std::vector<double>& v, std::size_t lag) {
  const double mean = std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
  double variance = 0;
  for (const double x : v) variance += (x - mean) * (x - mean) / static_cast<double>(v.size());
  double products = 0;
  for (std::size_t i = 0; i + lag < v.size(); ++i) products += (v[i] - mean) * (v[i + lag] - mean);
  return products / static_cast<double>(v.size() - lag) / variance;
}

}  // namespace

TEST_CASE("Autocorrelation by blocks is that of the definition, whatever the length and the number of lags") {
  Random random{7, 0, "trace"};
  for (const std::size_t n : {2U, 3U, 10U, 64U, 1000U, 4097U}) {
    std::vector<double> v(n);
    double walk = 0;
    for (double& x : v) x = walk = 0.9 * walk + random.uniform();
    for (const std::size_t lags : {std::size_t{1}, std::size_t{5}, std::size_t{63}, n}) {
      CAPTURE(n);
      CAPTURE(lags);
      const std::vector<double> r = autocorrelation(v, lags);
      REQUIRE(r.size() == std::min(lags, n / 2) + 1);
      CHECK(r[0] == doctest::Approx(1));
      for (std::size_t lag = 1; lag < r.size(); lag += 1 + lag / 3)
        CHECK(r[lag] == doctest::Approx(by_hand(v, lag)).epsilon(1e-9));
    }
  }
  CHECK(autocorrelation(std::vector<double>(100, 48.3), 10).empty());
}

TEST_CASE("A square wave turns its sign after half a period, and its coherence time is where it passes 1/e") {
  // 25 times 2 s high, 2 s low: of the 10 000 - k pairs k bins of 10 ms apart, 49 k lie on both sides of a step, so
  // r = 1 - 98 k / (10 000 - k): 0.369 at 0.64 s, 0.359 at 0.65 s. In bins of 100 ms: 0.409 at 0.6 s, 0.309 at 0.7 s.
  const TraceDynamics dynamics = trace_dynamics(square(4, 1, 2000, 2000, 25));
  REQUIRE(dynamics.fine.below_1e_s);
  CHECK(*dynamics.fine.below_1e_s == doctest::Approx(0.65));
  REQUIRE(dynamics.coarse.below_1e_s);
  CHECK(*dynamics.coarse.below_1e_s == doctest::Approx(0.7));
  const auto at = [&](const Memory& memory, double lag_s) {
    return std::ranges::min_element(memory.acf, {},
                                    [lag_s](const LagCorrelation& c) { return std::abs(c.lag_s - lag_s); })
        ->r;
  };
  CHECK(at(dynamics.coarse, 1.0) == doctest::Approx(0).epsilon(0.02));
  CHECK(at(dynamics.coarse, 2.0) == doctest::Approx(-1).epsilon(0.02));
  CHECK(at(dynamics.fine, 0.01) == doctest::Approx(0.99).epsilon(0.001));
  CHECK(dynamics.fine.acf.size() < 300);
  CHECK(trace_dynamics(pieces({{48'000, 48'000, 5000}})).fine.acf.empty());
}

TEST_CASE("Silences are those of 100 ms and more, from one opportunity to the next, over the end as well") {
  Counts counts(1001);
  for (const std::size_t ms : {50U, 149U, 249U, 900U}) counts[ms] = 1;  // gaps: 99, 100, 651, and 150 over the end
  const Outages silent = silences(counts);
  REQUIRE(silent.all.size() == 3);
  CHECK(silent.all[0].from_ms == 149);
  CHECK(silent.all[0].length_ms == 100);
  CHECK(silent.all[1].length_ms == 651);
  CHECK(silent.all[2].from_ms == 900);
  CHECK(silent.all[2].length_ms == 150);
  CHECK(silent.longest_ms == 651);
  CHECK(silent.median_ms == 150);
  CHECK(silent.share == doctest::Approx(0.901));
  CHECK(silent.lengths == std::array<uint64_t, 7>{2, 0, 1, 0, 0, 0, 0});
}

TEST_CASE("An outage under 5 Mbps may still deliver; one that reaches the end goes on at the start") {
  const auto counts = pieces(
      {{4'800, 4'800, 500}, {48'000, 48'000, 1000}, {2'400, 2'400, 90}, {48'000, 48'000, 1000}, {1'200, 1'200, 410}});
  const Outages low = outages_below(counts, 5);
  REQUIRE(low.all.size() == 1);  // the 90 ms are too short
  CHECK(low.all[0].from_ms == 2590);
  CHECK(low.all[0].length_ms == doctest::Approx(910).epsilon(0.03));
  CHECK(low.longest_ms == low.all[0].length_ms);
  CHECK(outages_below(pieces({{48'000, 48'000, 1000}}), 5).all.empty());
  const Outages whole = outages_below(pieces({{1'200, 1'200, 1005}}), 5);
  REQUIRE(whole.all.size() == 1);
  CHECK(whole.all[0].length_ms == 1005);
  CHECK(whole.share == doctest::Approx(1));
}

TEST_CASE("A sudden end falls as fast as 100 ms of mean can show, a ramp at its own slope") {
  // 48 Mbps, then nothing: the mean passes from four fifths to one fifth of it in six steps of 10 ms.
  const std::vector<Fall> sudden = trace_falls(square(4, 0, 10'000, 2000, 2));
  REQUIRE(sudden.size() == 2);
  CHECK(sudden[0].to_ms - sudden[0].from_ms == 60);
  CHECK(sudden[0].from_mbps == doctest::Approx(38.4));
  CHECK(sudden[0].to_mbps == doctest::Approx(9.6));
  CHECK(sudden[0].mbps_per_s() == doctest::Approx(480));
  CHECK(sudden[0].to_ms == 10'080);
  // 1 Gbps to nothing within two seconds.
  const std::vector<Fall> ramp =
      trace_falls(pieces({{1'000'000, 1'000'000, 5000}, {1'000'000, 0, 2000}, {0, 0, 3000}}));
  REQUIRE(ramp.size() == 1);
  CHECK(ramp[0].mbps_per_s() == doctest::Approx(500).epsilon(0.03));
  CHECK(trace_falls(pieces({{48'000, 48'000, 10'000}})).empty());
  // To a quarter of it is no fall; nor is what happens far below the mean.
  CHECK(trace_falls(pieces({{48'000, 48'000, 5000}, {12'000, 12'000, 5000}})).empty());
  CHECK(trace_falls(pieces({{480'000, 480'000, 20'000}, {48'000, 48'000, 3000}, {0, 0, 3000}})).size() == 1);
}

TEST_CASE("The count that delivers most of the volume is told with its share") {
  Counts counts(101, 1);
  std::fill(counts.begin() + 10, counts.begin() + 30, 58);
  const TraceDynamics dynamics = trace_dynamics(counts);
  CHECK(dynamics.usual_per_ms == 58);
  CHECK(dynamics.usual_share == doctest::Approx(20.0 * 58 / (20 * 58 + 81)));
}
