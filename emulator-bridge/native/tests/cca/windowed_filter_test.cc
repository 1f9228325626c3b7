#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "cca/windowed_filter.hh"
#include "core/random.hh"

using namespace paceline;

TEST_CASE("the windowed maximum never exceeds the true one, and keeps a new maximum for the whole window") {
  constexpr uint64_t kWindow = 10;
  Random random{7, 0, "windowed filter"};
  WindowedMax<double> filter{kWindow};
  std::deque<std::pair<uint64_t, double>> recent;
  uint64_t now = 0;
  for (int i = 0; i < 20'000; ++i) {
    now += random.below(3);
    const double value = random.uniform();
    filter.update(now, value);
    recent.emplace_back(now, value);
    // the estimator checks expiry against its oldest choice only, so it may hold a value for one further window
    while (now - recent.front().first > 2 * kWindow) recent.pop_front();
    double in_window = 0;
    double in_two = 0;
    for (const auto& [at, v] : recent) {
      in_two = std::max(in_two, v);
      if (at == now) in_window = std::max(in_window, v);
    }
    REQUIRE(filter.get() <= in_two);
    REQUIRE(filter.get() >= in_window);
  }
}

TEST_CASE("the windowed maximum falls to the second best when the best expires") {
  WindowedMax<double> filter{10};
  filter.update(0, 9);
  for (uint64_t t = 1; t <= 10; ++t) filter.update(t, 5);
  CHECK(filter.get() == 9);
  filter.update(11, 4);
  CHECK(filter.get() == 5);
}
