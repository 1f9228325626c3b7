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

// Zeus: 60 s and 20 ms, of which the start's jitter takes up to 20 ms.
TEST_CASE("the window of 3000 RTTs is all of Zeus' 60 s but the start's jitter") {
  const Time from = at_ms(17);
  FairnessMeter meter{2, Duration::millis(20), from, at_ms(60'000)};
  meter.add(0, Bytes{900'000}, at_ms(16));  // the second flow has not begun
  for (int64_t ms = 17; ms < 60'000; ++ms) meter.add(ms % 4 == 0 ? 1 : 0, Bytes{1500}, at_ms(ms));
  meter.add(1, Bytes{900'000'000}, at_ms(60'001));  // over
  const FairnessSummary all = of(meter.summary(at_ms(60'010)), 3000);
  CHECK(all.windows == 1);
  // 44 988 packets against 14 995: by hand (a + b)^2 / (2 (a^2 + b^2)).
  const double a = 44'988, b = 14'995;
  CHECK(all.mean == doctest::Approx((a + b) * (a + b) / (2 * (a * a + b * b))).epsilon(1e-9));
  CHECK(all.p25 == all.mean);
  CHECK(all.p75 == all.mean);
}

TEST_CASE("a window is not there when more than a hundredth of it is missing, or when nobody moved in it") {
  const auto windows = [](Time to, bool moves) {
    FairnessMeter meter{2, Duration::millis(20), Time::zero(), to};
    if (moves) meter.add(0, Bytes{1500}, at_ms(5));
    return meter.summary(to);
  };
  CHECK(of(windows(at_ms(59'399), true), 3000).windows == 0);
  CHECK(of(windows(at_ms(59'400), true), 3000).windows == 1);
  CHECK(of(windows(at_ms(59'400), false), 3000).windows == 0);
  CHECK(of(windows(at_ms(995), true), 50).windows == 1);
  CHECK(of(windows(at_ms(19), true), 1).windows == 0);
}

TEST_CASE("the time in which all flows run ends with the first that ends by itself") {
  FairnessMeter meter{2, Duration::millis(20), Time::zero(), at_ms(2000)};
  meter.add(0, Bytes{1500}, at_ms(500));
  meter.add(1, Bytes{1500}, at_ms(500));
  meter.ends(at_ms(995));
  meter.add(1, Bytes{90'000}, at_ms(1000));
  const auto all = meter.summary(at_ms(2000));
  CHECK(of(all, 50).windows == 1);
  CHECK(of(all, 50).mean == doctest::Approx(1));
  CHECK(of(all, 100).windows == 0);
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
