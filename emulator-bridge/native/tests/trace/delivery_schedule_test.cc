#include <doctest/doctest.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "trace/trace.hh"

using namespace paceline;

namespace {

// The first ticks of a schedule as {millisecond, opportunities}.
std::vector<std::pair<int64_t, uint32_t>> ticks(const Trace& trace, int64_t offset_ms, std::size_t count) {
  DeliverySchedule schedule{trace, offset_ms};
  std::vector<std::pair<int64_t, uint32_t>> all;
  for (; all.size() < count; schedule.advance()) all.emplace_back(schedule.next().ns / 1'000'000, schedule.count());
  return all;
}

using Ticks = std::vector<std::pair<int64_t, uint32_t>>;

}  // namespace

TEST_CASE("a trace repeats with the period of its last stamp") {
  const Trace trace{{0, 2, 0, 1, 3}};  // stamps 1 1 3 4 4 4
  CHECK(trace.period_ms() == 4);
  CHECK(trace.opportunities_per_lap() == 6);
  CHECK(ticks(trace, 0, 7) == Ticks{{1, 2}, {3, 1}, {4, 3}, {5, 2}, {7, 1}, {8, 3}, {9, 2}});
  CHECK(trace.mean_rate().to_mbps() == doctest::Approx(6 * 0.012 / 4e-3));
}

TEST_CASE("stamps of 0 fire at the start and then together with the end of each lap") {
  const Trace trace{{2, 0, 1}};  // stamps 0 0 2
  CHECK(ticks(trace, 0, 4) == Ticks{{0, 2}, {2, 3}, {4, 3}, {6, 3}});
}

TEST_CASE("a period that ends in silence stays silent") {
  const Trace trace{{0, 5, 0, 0}};
  CHECK(ticks(trace, 0, 3) == Ticks{{1, 5}, {4, 5}, {7, 5}});
}

TEST_CASE("an offset begins within the trace, and whole laps of it change nothing") {
  const Trace trace{{1, 2, 0, 1, 3}};
  CHECK(ticks(trace, 3, 4) == Ticks{{0, 1}, {1, 4}, {2, 2}, {4, 1}});  // position 4 carries the stamps of 4 and of 0
  CHECK(ticks(trace, 0, 5) == ticks(trace, 4, 5));
  CHECK(ticks(trace, 7, 5) == ticks(trace, 3, 5));
}

TEST_CASE("what is no trace is refused") {
  CHECK_THROWS_AS(Trace{{}}, std::invalid_argument);
  CHECK_THROWS_AS(Trace{{5}}, std::invalid_argument);
  CHECK_THROWS_AS((Trace{{0, 0, 0}}), std::invalid_argument);
}

TEST_CASE("the capacity of the recent past is a mean over whole milliseconds") {
  const Trace trace{{0, 1, 2, 3, 4}};
  const auto mbps = [&](double at_ms, int window_ms) {
    return capacity_before(trace, 0, Time{static_cast<int64_t>(at_ms * 1e6)}, Duration::millis(window_ms)).to_mbps();
  };
  CHECK(mbps(3.0, 1) == doctest::Approx(36));
  CHECK(mbps(3.9, 1) == doctest::Approx(36));
  CHECK(mbps(3.0, 3) == doctest::Approx(24));
  CHECK(mbps(5.0, 2) == doctest::Approx(12 * 2.5));  // the fourth and, in the next lap, the first
  CHECK(mbps(-0.5, 1) == doctest::Approx(36));       // before the start: as if a lap had gone before
}
