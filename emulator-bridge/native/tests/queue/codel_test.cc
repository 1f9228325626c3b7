#include <doctest/doctest.h>

#include <cmath>

#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Constant load on a link of one packet per millisecond, from `from_ms` on.
void load(Drive& drive, double packets_per_ms, double from_ms, double to_ms, EcnMark ecn = EcnMark::not_ect) {
  double next = from_ms;
  for (double ms = std::ceil(from_ms); ms < to_ms; ++ms) {
    for (; next < ms; next += 1 / packets_per_ms) drive.in(at_ms(next), 0, 1500, ecn);
    drive.out(at_ms(ms));
  }
}

std::vector<double> gaps_ms(const std::vector<Gone>& gone) {
  std::vector<double> gaps;
  for (std::size_t i = 1; i < gone.size(); ++i) gaps.push_back((gone[i].time - gone[i - 1].time).to_millis());
  return gaps;
}

}  // namespace

// RFC 8289; docs/reference.md 10.3, check 1: next <- t + interval / sqrt(count).
TEST_CASE("an unresponsive flow sees drops that come closer as the square root of their number grows") {
  Drive drive{make("codel")};
  load(drive, 1.2, 1, 600);  // 14.4 Mbit/s into 12
  REQUIRE(drive.dropped.size() > 7);
  const auto gaps = gaps_ms(drive.dropped);
  const double expected[] = {100, 71, 58, 50, 45, 40};
  for (std::size_t i = 0; i < std::size(expected); ++i) CHECK(gaps[i] == doctest::Approx(expected[i]).epsilon(0.03));
  CHECK(drive.accounted());
  // Each had waited for more than the target, and was at the head.
  for (const Gone& g : drive.dropped) CHECK(g.time - g.packet.stamp >= Duration::millis(5));
}

// RFC 8289 section 4.3: the first drop needs an interval without a moment below the target.
TEST_CASE("a burst that drains within an interval loses nothing") {
  Drive drive{make("codel")};
  for (int i = 0; i < 90; ++i) drive.in(at_ms(1));
  for (double ms = 2; ms < 200; ++ms) drive.out(at_ms(ms));
  CHECK(drive.dropped.empty());
  CHECK(drive.delivered.size() == 90);
}

// RFC 8289 section 5.6 and Linux codel_should_drop: what holds one packet is no queue, however slow the link.
TEST_CASE("a queue of one packet is never dropped from") {
  Drive drive{make("codel")};
  for (int s = 1; s < 60; ++s) {
    drive.in(at_ms(1000.0 * s));
    drive.out(at_ms(1000.0 * s + 900));
  }
  CHECK(drive.dropped.empty());
}

// docs/reference.md 10.3, check 3.
TEST_CASE(
    "dropping stops once the delay is below the target, and goes on where it was if it must within 16 intervals") {
  const auto second_gap = [](double pause_ms) {
    Drive drive{make("codel")};
    load(drive, 1.2, 1, 1500);
    const double end = 1500 + static_cast<double>(drive.queue->packets()) + 10;
    for (double ms = 1500; ms < end; ++ms) drive.out(at_ms(ms));  // the queue drains
    REQUIRE(drive.queue->packets() == 0);
    const std::size_t before = drive.dropped.size();
    REQUIRE(before > 20);
    load(drive, 1.2, end + pause_ms, end + pause_ms + 400);
    REQUIRE(drive.dropped.size() > before + 2);
    return (drive.dropped[before + 1].time - drive.dropped[before].time).to_millis();
  };
  CHECK(second_gap(200) < 25);                                    // about 100 / sqrt(40)
  CHECK(second_gap(5000) == doctest::Approx(100).epsilon(0.02));  // forgotten
}

TEST_CASE("where marks are understood and wanted nothing is dropped, and marks keep the same times") {
  Drive dropping{make("codel")};
  load(dropping, 1.05, 1, 500, EcnMark::ect0);
  Drive marking{make("codel", Bytes::infinite(), {{"ecn", true}})};
  load(marking, 1.05, 1, 500, EcnMark::ect0);
  CHECK(marking.dropped.empty());
  std::vector<Gone> marked;
  for (const Gone& g : marking.delivered)
    if (g.packet.ecn == EcnMark::ce) marked.push_back(g);
  CHECK(marking.queue->marked_packets() == marked.size());
  REQUIRE(dropping.dropped.size() == marked.size());
  CHECK(marked.front().time == dropping.dropped.front().time);
}

// Mahimahi codel_packet_queue: the packet behind goes, the head is delivered.
TEST_CASE("Mahimahi's variant drops behind the head") {
  Drive drive{make("codel", Bytes::infinite(), {{"mahimahi_quirk", true}})};
  load(drive, 1.2, 1, 300);
  REQUIRE(drive.dropped.size() >= 2);
  const Gone& dropped = drive.dropped.front();
  const bool head_left = std::ranges::any_of(drive.delivered, [&](const Gone& g) {
    return g.packet.number + 1 == dropped.packet.number && g.time == dropped.time;
  });
  CHECK(head_left);
  CHECK(drive.accounted());
}

// docs/reference.md 10.3, check 2 (an independent model counts a packet's own millisecond on the wire: mean 2 ms, p95 6 ms, 95 %).
TEST_CASE("one paced Cubic flow on T1 stands a millisecond in the queue and uses 94 % of the link") {
  const Outcome o = outcome_of(on_t1("codel", {}, {flow(cca("cubic"))}, 120));
  CHECK(o.mean("sojourn_mean_ms", 10) + 1 == doctest::Approx(2.3).epsilon(0.15));
  CHECK(o.quantile("sojourn_mean_ms", 0.95, 10) + 1 == doctest::Approx(6).epsilon(0.1));
  CHECK(o.utilisation(10) == doctest::Approx(0.94).epsilon(0.02));
}

// RFC 8289 section 1: with droptail it would be the whole buffer.
TEST_CASE("two Cubic flows keep the standing queue at the target and the link full") {
  const Outcome o = outcome_of(on_t1("codel", {}, {flow(cca("cubic")), flow(cca("cubic"))}, 120));
  CHECK(o.mean("sojourn_mean_ms", 10) > 3);
  CHECK(o.mean("sojourn_mean_ms", 10) < 6);
  CHECK(o.utilisation(10) > 0.985);
}
