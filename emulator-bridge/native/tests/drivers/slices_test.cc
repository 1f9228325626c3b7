// A run that a host makes in slices is the run.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("a run in slices is the same run, and its slices are as long as was asked for") {
  for (const char* const id : {"cubic", "optimal"}) {
    CAPTURE(id);
    const RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), flow(cca(id)), 2);
    Recorder whole;
    const RunSummary expected = simulate(plan, whole);
    Recorder sliced;
    const auto run = start_simulation(plan, sliced);
    uint64_t slices = 1;
    while (run->advance(7)) ++slices;
    const RunSummary summary = run->summary();
    CHECK(summary.links[0].utilisation == expected.links[0].utilisation);
    CHECK(summary.senders[0].rtt.mean_ms == expected.senders[0].rtt.mean_ms);
    CHECK(sliced.rows.at(0).size() == whole.rows.at(0).size());
    CHECK((id == std::string{"optimal"} ? slices == 1 : slices > 500));
  }
}
