#include "cca/time_window.hh"

#include <doctest/doctest.h>

#include <vector>

#include "core/random.hh"

using namespace paceline;

namespace {

struct Seen {
  Time at{};
  int64_t value{};
};

// The least of everything seen in (now - window, now], of what was seen in the order of its times.
int64_t least(const std::vector<Seen>& seen, Time now, Duration window) {
  int64_t best = INT64_MAX;
  for (auto s = seen.rbegin(); s != seen.rend() && now - s->at <= window; ++s) best = std::min(best, s->value);
  return best;
}

}  // namespace

TEST_CASE("a window of time gives the least of its values, right to within a thirty-second of its length") {
  const Duration window = Duration::millis(320);
  Random random{7, 0, "time window"};
  LeastOver<int64_t> filter;
  std::vector<Seen> seen;
  Time now{};
  int64_t value = 1000;
  for (int i = 0; i < 20000; ++i) {
    now += Duration::micros(static_cast<int64_t>(random.below(2000)));
    value = std::max<int64_t>(0, value + static_cast<int64_t>(random.below(41)) - 20);
    seen.push_back({now, value});
    filter.update(now, window, value);
    const int64_t got = filter.get(-1);
    // never better than anything in the window, never worse than the best of all but its oldest thirty-second
    REQUIRE(got >= least(seen, now, window));
    REQUIRE(got <= least(seen, now, window - window / 32));
  }
}

TEST_CASE("the largest value leaves the window with its time") {
  LargestOver<int64_t> filter;
  const Duration window = Duration::millis(100);
  CHECK(filter.empty());
  CHECK(filter.get(3) == 3);
  const auto at = [](int64_t ms) { return Time::zero() + Duration::millis(ms); };
  filter.update(at(0), window, 9);
  filter.update(at(50), window, 5);
  CHECK(filter.get(0) == 9);
  filter.update(at(100), window, 1);
  CHECK(filter.get(0) == 9);
  filter.update(at(101), window, 1);
  CHECK(filter.get(0) == 5);
  filter.update(at(300), window, 2);
  CHECK(filter.get(0) == 2);
}

TEST_CASE("a window that grows a hundredfold keeps what it has, in its fixed space") {
  LeastOver<int64_t> filter;
  Time now{};
  for (int i = 0; i < 100000; ++i) {  // rising values are the worst case: each could be the least one day
    now += Duration::millis(1);
    filter.update(now, Duration::millis(i < 1000 ? 100 : 10000), i);
    REQUIRE(filter.get(-1) <= i);
  }
  CHECK(filter.get(-1) >= 90000 - 400);
  CHECK(filter.get(-1) <= 90000 + 400);
}
