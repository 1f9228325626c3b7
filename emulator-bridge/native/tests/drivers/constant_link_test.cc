// One flow with a fixed window over a constant link: everything can be computed by hand.
// 12 Mbps is one full packet per millisecond.

#include <doctest/doctest.h>

#include <cmath>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

RunSummary run_window(int packets, double seconds = 10) {
  Recorder sink;
  return simulate(one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(packets)), seconds), sink);
}

}  // namespace

// In flight are W packets: what does not fit on the path of BDP + the packet being serialised waits. A packet arrives just
// when the one W before it was acknowledged, so it finds W - 41 packets before it: W - 41 ms.
TEST_CASE("a window above the BDP keeps exactly the excess in the queue") {
  for (const int window : {41, 45, 60, 100, 400}) {
    CAPTURE(window);
    const RunSummary s = run_window(window);
    CHECK(s.links[0].queueing_delay.p50_ms == doctest::Approx(window - 41).epsilon(0.004));
    CHECK(s.senders[0].rtt.p50_ms == doctest::Approx(window).epsilon(0.004));
    CHECK(s.links[0].utilisation > 0.997);
    CHECK(s.links[0].utilisation <= 1.0);
  }
}

TEST_CASE("a window below the BDP uses its share of the link and never queues after the first round trip") {
  for (const int window : {1, 4, 10, 20, 40}) {
    CAPTURE(window);
    const RunSummary s = run_window(window);
    CHECK(s.links[0].utilisation == doctest::Approx(window / 41.0).epsilon(0.006));
    CHECK(s.links[0].queueing_delay.p95_ms == 0);  // the link spread the first burst for good
  }
}

TEST_CASE("a paced flow below the capacity never queues") {
  Recorder sink;
  const auto plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(1000, Rate::mbps(6))), 10);
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[0].utilisation == doctest::Approx(0.5).epsilon(0.005));
  CHECK(s.links[0].queueing_delay.p99_ms <= 9);  // the ten packets that are not paced
  CHECK(s.links[0].queueing_delay.p95_ms == 0);
}

TEST_CASE("RTTs are known from the first acknowledgement until a stopped flow's last packet was acknowledged") {
  Recorder sink;
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(10)), 3);
  plan.flows[0].start = Time::zero() + Duration::seconds(1);
  plan.flows[0].stop = Time::zero() + Duration::seconds(2);
  simulate(plan, sink);
  const auto& rows = sink.rows.at(telemetry::kFirstSenderStream);
  for (const char* name : {"srtt_ms", "latest_rtt_ms", "min_rtt_ms", "delivery_rate_mbps"}) {
    CAPTURE(name);
    const std::vector<float> values = sink.sender_column(0, name);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CAPTURE(rows[i].time);
      if (rows[i].time < 1.04 || rows[i].time > 2.06) CHECK(std::isnan(values[i]));
      if (rows[i].time > 1.06 && rows[i].time < 2) CHECK(values[i] > 0);
    }
  }
}
