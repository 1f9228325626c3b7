// The sender's column `rto_ms` against RFC 6298 and RFC 9002, worked by hand.

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// 20 packets over 12 Mbps and 2 x 20 ms: each takes 41 ms there and back.
constexpr double kRttMs = 41;

std::vector<float> rto_of(RunPlan plan, Recorder& sink) {
  simulate(plan, sink);
  return sink.sender_column(0, "rto_ms");
}
// At the end of a sample of 10 ms.
float at_ms(const std::vector<float>& column, int64_t ms) { return column.at(static_cast<std::size_t>(ms / 10 - 1)); }

}  // namespace

TEST_CASE(
    "the timeout is a second before the first RTT, then the RTT and the floor of 200 ms, and unknown outside a flow") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(20)), 4);
  plan.flows[0].start = Time::zero() + Duration::seconds(1);
  plan.flows[0].stop = Time::zero() + Duration::seconds(3);
  Recorder sink;
  const auto rto = rto_of(plan, sink);
  CHECK(std::isnan(at_ms(rto, 500)));
  CHECK(at_ms(rto, 1020) == 1000);
  CHECK(at_ms(rto, 2900) == doctest::Approx(kRttMs + 200).epsilon(0.002));
  CHECK(std::isnan(at_ms(rto, 3500)));
}

TEST_CASE("each timeout of an outage doubles the next, and the first acknowledgement takes that back") {
  // A packet a millisecond, and nothing at all from 2 s to 5 s.
  std::vector<uint32_t> counts(10'001, 1);
  std::fill(counts.begin() + 2000, counts.begin() + 5000, 0);
  Recorder sink;
  const auto rto =
      rto_of(one_flow(trace_link(std::move(counts), Duration::millis(20)), flow(fixed_window(20)), 9), sink);
  const double once = at_ms(rto, 1990);
  CHECK(once == doctest::Approx(kRttMs + 200).epsilon(0.01));
  const auto timeouts = sink.events_named("rto");
  REQUIRE(timeouts.size() >= 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CAPTURE(i);
    const Duration since = timeouts[i].time - Time::zero();
    const auto told = at_ms(rto, since.ns / 10'000'000 * 10 + 10);
    CHECK(told == doctest::Approx(once * std::pow(2, i + 1)).epsilon(0.001));
    // What stood in the column is how long the next one took.
    if (i < 2) CHECK((timeouts[i + 1].time - timeouts[i].time).to_millis() == doctest::Approx(told).epsilon(0.001));
  }
  CHECK(at_ms(rto, 8900) < 2 * once);
}

TEST_CASE("of QUIC it is the probe timeout: srtt, four times the variance or 1 ms, and 25 ms of the receiver's") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(20)), 4);
  plan.flows[0].profile = TransportProfile::quic;
  Recorder sink;
  const auto rto = rto_of(plan, sink);
  CHECK(at_ms(rto, 20) == 999);
  CHECK(at_ms(rto, 3900) == doctest::Approx(kRttMs + 1 + 25).epsilon(0.01));
}

TEST_CASE("the optimal waits for nothing") {
  Recorder sink;
  for (const float value : rto_of(one_flow(constant_link(12, Duration::millis(20)), flow(cca("optimal")), 1), sink))
    CHECK(std::isnan(value));
}
