#include <doctest/doctest.h>

#include <vector>

#include "core/random.hh"
#include "metrics/fairness.hh"

using namespace paceline;

namespace {

const FairnessSummary& of(const std::vector<FairnessSummary>& all, int k) {
  for (const auto& s : all)
    if (s.k == k) return s;
  FAIL("no window of " << k);
  return all.front();
}

constexpr Time at_ms(int64_t ms) { return Time::zero() + Duration::millis(ms); }

}  // namespace

TEST_CASE("two equal flows have an index of 1, one that gets nothing 1/2") {
  FairnessMeter fair{2, Duration::millis(10), Time::zero(), at_ms(1000)};
  FairnessMeter unfair{2, Duration::millis(10), Time::zero(), at_ms(1000)};
  for (int64_t ms = 1; ms < 1000; ++ms) {
    fair.add(0, Bytes{1500}, at_ms(ms));
    fair.add(1, Bytes{1500}, at_ms(ms));
    unfair.add(0, Bytes{1500}, at_ms(ms));
  }
  CHECK(of(fair.summary(at_ms(1000)), 1).mean == doctest::Approx(1));
  CHECK(of(unfair.summary(at_ms(1000)), 10).p50 == doctest::Approx(0.5));
}

TEST_CASE("flows that take turns are unfair at short and fair at long windows") {
  FairnessMeter meter{2, Duration::millis(10), Time::zero(), at_ms(10'000)};
  for (int64_t ms = 0; ms < 10'000; ++ms) meter.add(static_cast<std::size_t>(ms / 10 % 2), Bytes{1500}, at_ms(ms));
  const auto all = meter.summary(at_ms(10'000));
  CHECK(of(all, 1).mean == doctest::Approx(0.5));
  CHECK(of(all, 2).mean == doctest::Approx(1));
  CHECK(of(all, 5).mean == doctest::Approx(25.0 / (2 * (9 + 4))));
  CHECK(of(all, 1).windows == 1000);
  CHECK(of(all, 500).windows == 501);
  CHECK(of(all, 3000).windows == 0);
}

TEST_CASE("windows are only those in which all flows run and somebody moves") {
  FairnessMeter meter{2, Duration::millis(10), at_ms(100), at_ms(200)};
  meter.add(0, Bytes{9000}, at_ms(50));  // before the second flow starts
  meter.add(0, Bytes{1500}, at_ms(105));
  meter.add(1, Bytes{1500}, at_ms(106));
  meter.add(1, Bytes{9000}, at_ms(250));  // after the first has stopped
  const auto all = meter.summary(at_ms(300));
  CHECK(of(all, 1).windows == 1);
  CHECK(of(all, 1).mean == doctest::Approx(1));
}

TEST_CASE("the rolling sums equal a computation from scratch") {
  Random random{3, 0, "fairness"};
  constexpr std::size_t flows = 3;
  constexpr int bins = 400;
  std::vector<std::vector<double>> moved(bins, std::vector<double>(flows));
  FairnessMeter meter{flows, Duration::millis(7), Time::zero(), at_ms(7 * bins)};
  for (int bin = 0; bin < bins; ++bin)
    for (std::size_t f = 0; f < flows; ++f) {
      const auto bytes = static_cast<int64_t>(random.below(5) * 1500);
      moved[static_cast<std::size_t>(bin)][f] = static_cast<double>(bytes);
      meter.add(f, Bytes{bytes}, at_ms(7 * bin + 1));
    }
  const auto all = meter.summary(at_ms(7 * bins));
  for (const int k : {1, 2, 5, 10, 20, 50, 100}) {
    double sum = 0;
    uint64_t windows = 0;
    for (int end = k; end <= bins; ++end) {
      double total = 0, squares = 0;
      for (std::size_t f = 0; f < flows; ++f) {
        double x = 0;
        for (int b = end - k; b < end; ++b) x += moved[static_cast<std::size_t>(b)][f];
        total += x;
        squares += x * x;
      }
      if (squares > 0) {
        sum += total * total / (flows * squares);
        ++windows;
      }
    }
    CHECK(of(all, k).windows == windows);
    CHECK(of(all, k).mean == doctest::Approx(sum / static_cast<double>(windows)));
  }
}

TEST_CASE("a single flow has no fairness") {
  FairnessMeter meter{1, Duration::millis(10), Time::zero(), at_ms(1000)};
  meter.add(0, Bytes{1500}, at_ms(5));
  CHECK(meter.summary(at_ms(1000)).empty());
}
