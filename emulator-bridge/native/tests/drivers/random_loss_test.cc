#include <doctest/doctest.h>

#include <cmath>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("random loss p is measured as p within five standard deviations") {
  for (const double p : {0.001, 0.01, 0.1, 0.5}) {
    CAPTURE(p);
    RunPlan plan = one_flow(constant_link(100, Duration::millis(5)), flow(fixed_window(50)), 20);
    plan.forward.loss = p;
    plan.seed = 42;
    Recorder sink;
    const RunSummary s = simulate(plan, sink);
    const auto sent = static_cast<double>(s.senders[0].sent_packets);
    const auto lost = static_cast<double>(s.links[0].lost_packets);
    CHECK(sent > 1000);
    CHECK(std::abs(lost - p * sent) < 5 * std::sqrt(p * (1 - p) * sent));
    CHECK(s.links[0].dropped_packets == 0);
    // The sender finds every loss but the last few, and nothing else.
    CHECK(static_cast<double>(s.senders[0].lost_packets - s.senders[0].spurious_packets.value_or(0)) <= lost);
    CHECK(static_cast<double>(s.senders[0].lost_packets) >= lost - 60);
  }
}

TEST_CASE("another seed loses other packets, the same seed the same") {
  const auto run = [](uint64_t seed) {
    RunPlan plan = one_flow(constant_link(100, Duration::millis(5)), flow(fixed_window(50)), 2);
    plan.forward.loss = 0.05;
    plan.seed = seed;
    Recorder sink;
    return simulate(plan, sink).links[0].lost_packets;
  };
  CHECK(run(1) == run(1));
  CHECK(run(1) != run(2));
}

TEST_CASE("lost acknowledgements hurt little") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(fixed_window(60)), 20);
  plan.reverse.loss = 0.2;
  Recorder sink;
  const RunSummary s = simulate(plan, sink);
  CHECK(s.links[0].utilisation > 0.98);
  CHECK(s.senders[0].timeouts == 0);
  CHECK(s.receivers[0].duplicate_packets < 10);
}
