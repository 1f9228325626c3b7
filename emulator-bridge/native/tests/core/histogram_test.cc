#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/histogram.hh"
#include "core/random.hh"

using namespace paceline;

TEST_CASE("count, mean and maximum are exact") {
  DelayHistogram h;
  h.add(Duration{1});
  h.add(Duration::millis(3), 2);
  h.add(Duration::seconds(20));
  CHECK(h.count() == 4);
  CHECK(h.mean_ms() == doctest::Approx((1e-6 + 6 + 20000) / 4).epsilon(1e-12));
  CHECK(h.max() == Duration::seconds(20));
}

TEST_CASE("percentiles are within 0.4 % of the exact nearest rank, over twelve orders of magnitude") {
  Random random{7, 0, "histogram"};
  for (int round = 0; round < 30; ++round) {
    DelayHistogram h;
    std::vector<int64_t> values;
    const double magnitude = random.uniform(0, 12);
    for (int i = 0; i < 997; ++i) {
      values.push_back(static_cast<int64_t>(std::pow(10.0, random.uniform(0, magnitude))));
      h.add(Duration{values.back()});
    }
    std::ranges::sort(values);
    for (const double share : {0.001, 0.25, 0.5, 0.95, 0.99, 1.0}) {
      const auto rank = static_cast<std::size_t>(std::ceil(share * 997)) - 1;
      const double exact = static_cast<double>(values[rank]) * 1e-6;
      CHECK(std::abs(h.percentile_ms(share) - exact) <= 0.004 * exact + 1e-12);
    }
  }
}

TEST_CASE("an empty histogram has no percentiles to show, only a zero count") {
  const DelayHistogram h;
  CHECK(h.count() == 0);
  CHECK(h.max() == Duration::zero());
}

TEST_CASE("in eighths of an octave the share of what took longer is exact at each, and there are few of them") {
  Random random{7, 0, "eighths"};
  DelayHistogram h;
  std::vector<int64_t> values;
  for (int i = 0; i < 2000; ++i) {
    values.push_back(static_cast<int64_t>(std::pow(10.0, random.uniform(0, 10))));  // up to ten seconds
    h.add(Duration{values.back()});
  }
  const std::vector<double> all = h.eighths();
  CHECK(all.size() <= 2 * (1 + 8 * 16));
  double seen = 0;
  double before = 0;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    CHECK(all[i] > before);
    before = all[i];
    seen += all[i + 1];
    CHECK(seen == static_cast<double>(
                      std::ranges::count_if(values, [&](int64_t v) { return static_cast<double>(v) < all[i] * 1e6; })));
  }
  CHECK(seen == 2000);
  CHECK(all[0] == doctest::Approx(0.262144).epsilon(1e-12));
  CHECK(DelayHistogram{}.eighths().empty());
}

TEST_CASE("an eighth by hand: 10 ms lies between 9.4 and 10.5") {
  DelayHistogram h;
  h.add(Duration::millis(10), 3);
  CHECK(h.eighths() == std::vector<double>{10.485760, 3});
}
