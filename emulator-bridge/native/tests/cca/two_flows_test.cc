// Two flows of the same algorithm over the reference's link T2 (120 Mbps, 100 ms, one BDP of queue), the second ten seconds
// later: how equally do they share between 100 and 200 s?
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Expected {
  std::string_view cca;
  double jain{};         // at least
  double utilisation{};  // at least
};
constexpr Expected kExpected[]{
    {"bbr", 0.98, 0.95},
    {"bbr2", 0.75, 0.95},  // no loss, no convergence: the bug that version 3's gains mend (IETF 117, ccwg)
    {"bbr3", 0.98, 0.95},
    {"copa", 0.98, 0.9},  // they swing together on a path of 1000 packets
    {"cubic", 0.98, 0.99},
    {"htcp", 0.98, 0.99},
    // one packet in three round trips near a full queue: two losses in 200 s, and only losses equalise
    {"illinois", 0.7, 0.99},
    {"ledbat", 0.98, 0.99},  // the first one has not filled the path when the second looks at it
    {"newreno", 0.98, 0.99},
    {"vegas", 0.95, 0.99},
    {"westwood", 0.9, 0.99},
};

}  // namespace

TEST_CASE("two flows of one algorithm share a long fat path") {
  for (const Expected& expected : kExpected) {
    CAPTURE(expected.cca);
    const LinkRun run = run_over_link({.cca = std::string{expected.cca},
                                       .rate_mbps = 120,
                                       .queue_packets = 1000,
                                       .duration_s = 200,
                                       .sample_period = Duration::millis(100),
                                       .others = {{.cca = std::string{expected.cca}, .start_s = 10}}});
    CHECK(run.fairness(100) >= expected.jain);
    CHECK(run.utilisation(100) >= expected.utilisation);
  }
}
