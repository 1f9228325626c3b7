// The distribution of delays behind the C interface.
#include "c_abi/paceline_histogram.h"

#include <cmath>
#include <cstdint>
#include <memory>

#include <doctest/doctest.h>

namespace {

struct Destroy {
  void operator()(paceline_histogram* h) const { paceline_histogram_destroy(h); }
};
using Histogram = std::unique_ptr<paceline_histogram, Destroy>;

paceline_delays read(const Histogram& h) {
  paceline_delays delays{};
  paceline_histogram_read(h.get(), &delays);
  return delays;
}

}  // namespace

TEST_CASE("Delays of 1 to 100 ms have their mean and maximum exactly, and percentiles within 0.4 %") {
  const Histogram h{paceline_histogram_create()};
  for (int64_t ms = 1; ms <= 100; ++ms) paceline_histogram_add(h.get(), ms * 1'000'000, 1);
  const paceline_delays delays = read(h);
  CHECK(delays.count == 100);
  CHECK(delays.mean_ms == 50.5);
  CHECK(delays.max_ms == 100);
  CHECK(delays.p50_ms == doctest::Approx(50).epsilon(0.004));
  CHECK(delays.p95_ms == doctest::Approx(95).epsilon(0.004));
  CHECK(delays.p99_ms == doctest::Approx(99).epsilon(0.004));
}

// What the QUIC helper's own histogram found of the same delays before it used this one. It took the middle of a bucket half a
// nanosecond lower.
TEST_CASE("The percentiles are those that the QUIC helper always had") {
  const Histogram h{paceline_histogram_create()};
  uint64_t x = 1;
  for (uint32_t i = 0; i < 10'000; ++i) {
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    paceline_histogram_add(h.get(), static_cast<int64_t>(x >> 36), 1 + i % 3);
  }
  const paceline_delays delays = read(h);
  CHECK(delays.count == 19'999);
  CHECK(delays.mean_ms == 134.43060731281562);
  CHECK(std::abs(delays.p50_ms - 133.9555835) < 1e-6);
  CHECK(std::abs(delays.p95_ms - 254.2796795) < 1e-6);
  CHECK(std::abs(delays.p99_ms - 265.8140155) < 1e-6);
  CHECK(delays.max_ms == 268.428536);
}

TEST_CASE("Nonsense does no harm to a histogram") {
  const Histogram h{paceline_histogram_create()};
  CHECK(read(h).count == 0);
  CHECK(std::isnan(read(h).mean_ms));
  CHECK(std::isnan(read(h).p99_ms));
  paceline_histogram_add(h.get(), 5, 0);
  CHECK(std::isnan(read(h).max_ms));
  paceline_histogram_add(h.get(), INT64_MIN, 1);
  CHECK(read(h).max_ms == 0);
  paceline_histogram_add(h.get(), INT64_MAX, UINT32_MAX);
  CHECK(read(h).count == uint64_t{1} + UINT32_MAX);
  CHECK(read(h).max_ms == doctest::Approx(9.223372036854776e12));
  CHECK(read(h).p99_ms == doctest::Approx(9.223372036854776e12).epsilon(0.004));
  paceline_histogram_add(nullptr, 1, 1);
  CHECK(read(Histogram{}).count == 0);
  paceline_histogram_destroy(nullptr);
}
