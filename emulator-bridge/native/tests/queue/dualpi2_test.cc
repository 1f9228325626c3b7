#include <doctest/doctest.h>

#include "tests/queue/link.hh"
#include "tests/queue/scalable.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

double p99_wait(const Outcome& o, std::size_t flow) { return o.wait_ms(o.summary.receivers[flow].owd.p99_ms); }

}  // namespace

// RFC 9331 section 4.1: ECT(1) and CE are of the low-latency queue, ECT(0) and not-ECT of the classic one.
TEST_CASE("what a packet carries decides which queue it waits in") {
  Drive drive{make("dualpi2")};
  drive.in(at_ms(1), 0, 1500, EcnMark::not_ect);
  drive.in(at_ms(1), 0, 1500, EcnMark::ect0);
  drive.in(at_ms(1), 0, 1500, EcnMark::ect1);
  drive.in(at_ms(1), 0, 1500, EcnMark::ce);
  for (int i = 0; i < 4; ++i) drive.out(at_ms(1.1));
  std::vector<uint64_t> order;
  for (const Gone& g : drive.delivered) order.push_back(g.packet.number);
  CHECK(order == std::vector<uint64_t>{2, 3, 0, 1});
}

// RFC 9332 section 4.2.2 and Linux' step: whatever the probability, a packet that waited longer than a millisecond is marked.
TEST_CASE("the low-latency queue marks above its threshold, but not a queue of one packet") {
  Drive drive{make("dualpi2")};
  for (int i = 0; i < 6; ++i) drive.in(at_ms(1), 0, 1500, EcnMark::ect1);
  for (int i = 0; i < 6; ++i) drive.out(at_ms(1.2 + 0.4 * i));
  std::vector<bool> marked;
  for (const Gone& g : drive.delivered) marked.push_back(g.packet.ecn == EcnMark::ce);
  // They waited 0.2, 0.6, 1.0, 1.4, 1.8 and 2.2 ms; the last is alone.
  CHECK(marked == std::vector<bool>{false, false, false, true, true, false});
  CHECK(drive.queue->marked_packets() == 2);
}

// RFC 9332 section 2.5.1.1: the low-latency queue must not starve the classic one. Linux: ten per cent.
TEST_CASE("the classic queue keeps a tenth of the link beside scalable flows that do not slow down") {
  Drive drive{make("dualpi2", Bytes::infinite(), {{"drop_on_overload", false}})};
  for (int ms = 1; ms < 2000; ++ms) {
    for (int i = 0; i < 2; ++i) drive.in(at_ms(ms), 0, 1500, EcnMark::ect1);
    drive.in(at_ms(ms), 1, 1500, EcnMark::ect0);
    drive.out(at_ms(ms + 0.5));
  }
  const auto classic = std::ranges::count_if(drive.delivered, [](const Gone& g) { return g.packet.flow == 1; });
  CHECK(static_cast<double>(classic) == doctest::Approx(200).epsilon(0.03));
}

// RFC 9332 section 2.4: p_C = p'^2 and p_CL = k p', so that marks of the one are k times the root of drops of the other.
TEST_CASE("marking is coupled to the root of dropping") {
  Drive drive{make("dualpi2", Bytes::infinite(), {{"step_ms", 100.0}})};
  uint64_t scalable_packets = 0;
  uint64_t classic_packets = 0;
  for (int ms = 1; ms < 4000; ++ms) {
    // A little more than leaves, so that the probability grows slowly; half of it scalable.
    for (const EcnMark ecn : {EcnMark::ect1, EcnMark::not_ect}) drive.in(at_ms(ms), 0, ms % 40 == 0 ? 1500 : 730, ecn);
    drive.out(at_ms(ms + 0.4));
    drive.out(at_ms(ms + 0.9));
  }
  for (const Gone& g : drive.delivered) ++(g.packet.ecn == EcnMark::not_ect ? classic_packets : scalable_packets);
  CHECK(drive.queue->marked_packets() + drive.dropped.size() ==
        0);  // two leave for every two that come: no queue, no signal

  // An excess of one classic packet in 20, until the base probability holds it; scalable packets pass as they come.
  for (int ms = 4000; ms < 60'000; ++ms) {
    drive.in(at_ms(ms), 0, 1500, EcnMark::ect1);
    drive.in(at_ms(ms), 0, 1500, EcnMark::not_ect);
    if (ms % 20 == 0) drive.in(at_ms(ms), 0, 1500, EcnMark::not_ect);
    drive.out(at_ms(ms + 0.4));
    drive.out(at_ms(ms + 0.9));
  }
  const auto late = [](const std::vector<Gone>& all, auto which) {
    return static_cast<double>(
        std::ranges::count_if(all, [&](const Gone& g) { return g.time > at_ms(30'000) && which(g.packet.ecn); }));
  };
  const double drops = late(drive.dropped, [](EcnMark e) { return e == EcnMark::not_ect; });
  const double kept = late(drive.delivered, [](EcnMark e) { return e == EcnMark::not_ect; });
  const double marks = late(drive.delivered, [](EcnMark e) { return e == EcnMark::ce; });
  const double unmarked = late(drive.delivered, [](EcnMark e) { return e == EcnMark::ect1; });
  const double p_classic = drops / (drops + kept);
  CHECK(p_classic == doctest::Approx(1.0 / 21).epsilon(0.1));
  CHECK(marks / (marks + unmarked) == doctest::Approx(2 * std::sqrt(p_classic)).epsilon(0.1));
}

// RFC 9332 section 4.2.3: when every packet is marked and that is not enough, both queues drop.
TEST_CASE("a scalable flow that ignores marks is dropped from, so that neither queue grows without bound") {
  const Outcome o = outcome_of(on_t1("dualpi2", {}, {flow(deaf(14.4)), flow(cca("cubic"))}, 60));
  CHECK(o.link().dropped_packets > 1000);
  CHECK(o.quantile("sojourn_mean_ms", 0.95, 20) < 100);
  // A sixth of what comes is too much; Cubic lives with the same share of losses.
  CHECK(o.throughput(1) > 0.15);
}

// RFC 9330 section 1: a wait below the threshold of a millisecond; here 12 Mbit/s send a single packet in one.
TEST_CASE("a scalable flow alone fills T1 with a wait of about a millisecond and no loss") {
  const Outcome o = outcome_of(on_t1("dualpi2", {}, {flow(scalable())}, 60));
  CHECK(o.mean("sojourn_mean_ms", 10) < 1.5);
  CHECK(o.utilisation(10) > 0.9);
  CHECK(o.link().dropped_packets == 0);
  CHECK(o.link().marked_packets > 100);
}

// RFC 9332 appendix A.1: 15 ms for the classic queue; rates of the same order for both (k = 2), RFC 9332 section 2.1.
TEST_CASE("beside Cubic a scalable flow waits less than a millisecond, and neither starves") {
  const Outcome o = outcome_of(on_t1("dualpi2", {}, {flow(scalable()), flow(cca("cubic"))}, 120, 48));
  CHECK(p99_wait(o, 0) < 1);
  CHECK(p99_wait(o, 1) > 10);
  CHECK(p99_wait(o, 1) < 25);
  // Twice Cubic's: the test's flow has a shorter round trip by the target's 15 of 55 ms, which it does not make up for.
  CHECK(o.throughput(0) / o.throughput(1) == doctest::Approx(2).epsilon(0.25));
  CHECK(o.utilisation(10) > 0.96);
}

// Without marks in play it is PI2 for one queue.
TEST_CASE("Cubic alone waits for the target") {
  for (const std::size_t flows : {std::size_t{1}, std::size_t{10}}) {
    CAPTURE(flows);
    const Outcome o = outcome_of(on_t1("dualpi2", {}, std::vector<FlowPlan>(flows, flow(cca("cubic"))), 120));
    CHECK(o.mean("sojourn_mean_ms", 10) == doctest::Approx(15).epsilon(0.12));
    CHECK(o.utilisation(10) > 0.99);
  }
}
