#include <doctest/doctest.h>

#include "cca/ledbat_delays.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t { state, waiting_ms, target_ms, base_ms, off_target, gain, signal, count };

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

double packets(const Controller& cca) { return static_cast<double>(cca.cwnd().v) / kPacket; }

// Link T3 of the reference: 12 Mbps, 100 ms, BDP 100 packets; four BDP of queue. One packet waiting is one millisecond.
Scenario t3(Params::Given params = {}, double duration_s = 60) {
  return {.cca = "ledbat", .params = std::move(params), .queue_packets = 400, .duration_s = duration_s};
}

double delay_ms(const LinkRun& run, double from_s, double to_s = 1e9) {
  return run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, from_s, to_s);
}

}  // namespace

TEST_CASE("ledbat's base delay is the least of ten minutes, minute by minute") {
  LedbatDelays delays{10, 4};
  const auto at = [](double s) { return Time::zero() + Duration::seconds(s); };
  delays.add(at(0), Duration::millis(50));
  CHECK(delays.base() == Duration::millis(50));
  for (int minute = 0; minute < 9; ++minute) {
    delays.add(at(30 + 60.0 * minute), Duration::millis(70));
    delays.add(at(61 + 60.0 * minute), Duration::millis(80));
    CHECK(delays.base() == Duration::millis(50));
  }
  delays.add(at(640), Duration::millis(80));
  CHECK(delays.base() == Duration::millis(70));  // the first minute has left
}

TEST_CASE("ledbat's current delay is the least of the last four samples, and clocks may disagree") {
  LedbatDelays delays{10, 4};
  Time now{};
  const auto add = [&](int64_t ms) { delays.add(now += Duration::millis(1), Duration::millis(ms)); };
  for (const int64_t ms : {-500, -470, -480, -460}) add(ms);
  CHECK(delays.queueing() == Duration::zero());
  add(-450);
  CHECK(delays.queueing() == Duration::millis(20));
  add(-450);
  add(-450);
  CHECK(delays.queueing() == Duration::millis(40));
}

TEST_CASE(
    "ledbat adds a packet per round trip without a queue, nothing at its target, and subtracts at twice the target") {
  const auto cca = make_cca("ledbat");
  EventFeeder feed{*cca};
  for (int i = 0; i < 10; ++i) feed.round();
  for (int i = 0; i < 30; ++i) {
    const double before = packets(*cca);
    feed.round();
    CHECK(packets(*cca) - before == doctest::Approx(1).epsilon(0.1));
  }
  struct Point {
    int64_t waiting_ms;
    double change;
  };
  for (const Point& at : {Point{25, 0}, Point{50, -1}, Point{12, 0.52}}) {
    CAPTURE(at.waiting_ms);
    feed.set_rtt(Duration::millis(100 + at.waiting_ms));
    feed.ack(1);
    feed.ack(1);
    feed.ack(1);
    feed.ack(1);
    const double before = packets(*cca);
    feed.round();
    CHECK(packets(*cca) - before == doctest::Approx(at.change).epsilon(0.1));
    CHECK(value(*cca, off_target) == doctest::Approx(1 - static_cast<double>(at.waiting_ms) / 25));
  }
}

TEST_CASE("ledbat's window exceeds what is in flight by at most one packet") {
  const auto cca = make_cca("ledbat");
  EventFeeder feed{*cca};
  for (int i = 0; i < 20; ++i) feed.round();
  AckEvent ack = feed.next_ack(1);
  ack.inflight_before = kMtu * 6;
  cca->on_ack(ack);
  CHECK(packets(*cca) == doctest::Approx(7));
}

TEST_CASE("ledbat halves at a loss, keeps at least two packets, and has one after a timeout") {
  const auto cca = make_cca("ledbat");
  EventFeeder feed{*cca};
  for (int i = 0; i < 18; ++i) feed.round();
  const double before = packets(*cca);
  feed.lose(3, true);
  CHECK(packets(*cca) == doctest::Approx(before / 2).epsilon(0.01));
  feed.lose(3, false);
  CHECK(packets(*cca) == doctest::Approx(before / 2).epsilon(0.01));
  AckEvent undone = feed.next_ack(1);
  undone.recovery = Recovery::undone;
  undone.inflight_before = kMtu * 18;  // the window stays within what is in flight and one packet
  cca->on_ack(undone);
  CHECK(packets(*cca) >= before);
  for (int i = 0; i < 8; ++i) feed.lose_one();
  CHECK(feed.cwnd() >= 2);
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  feed.ack(1, Recovery::timeout);
  CHECK(feed.cwnd() == 2);
}

TEST_CASE("ledbat takes the profile's target unless one is given, and the round trip where it has nothing better") {
  CHECK(value(*make_cca("ledbat"), target_ms) == 25);
  CHECK(value(*make_cca("ledbat", {{"profile", std::string{"rfc6817"}}}), target_ms) == 100);
  CHECK(value(*make_cca("ledbat", {{"profile", std::string{"ledbat++"}}}), target_ms) == 60);
  CHECK(value(*make_cca("ledbat", {{"target_ms", 40.0}}), target_ms) == 40);

  const auto cca = make_cca("ledbat");
  EventFeeder feed{*cca};
  AckEvent ack = feed.next_ack(1);
  cca->on_ack(ack);
  CHECK(value(*cca, signal) == 1);  // this transport carries no receiver's time stamps
  ack.one_way = Duration::millis(50);
  cca->on_ack(ack);
  CHECK(value(*cca, signal) == 0);
}

TEST_CASE("ledbat holds the queueing delay at its target") {
  // docs/reference.md 4.2, check 1: 25 packets of queue, window 125; a target of 100 ms is reached within 90 s
  const LinkRun run = run_over_link(t3());
  CHECK(delay_ms(run, 30) == doctest::Approx(25).epsilon(0.1));
  CHECK(run.mean([](const Sample& s) { return s.cwnd_packets(); }, 30) == doctest::Approx(125).epsilon(0.03));
  CHECK(run.utilisation(30) > 0.999);
  // one-way delays: half of the round trip, and the link's millisecond per packet
  CHECK(run.samples.back().internals[Internal::signal] == 0);
  CHECK(run.samples.back().internals[Internal::base_ms] == doctest::Approx(51).epsilon(0.01));
  const LinkRun rfc = run_over_link(t3({{"profile", std::string{"rfc6817"}}}, 100));
  CHECK(delay_ms(rfc, 90) == doctest::Approx(100).epsilon(0.1));
}

TEST_CASE("ledbat needs about ten seconds from an idle start to the BDP, and slow start skips them") {
  // check 2: from 2 to 100 packets at one per round trip, 98 round trips
  const auto reached = [](const LinkRun& run) {
    return std::ranges::find_if(run.samples, [](const Sample& s) { return s.cwnd_packets() >= 100; })->time_s;
  };
  const double slowly = reached(run_over_link(t3()));
  CHECK(slowly > 9);
  CHECK(slowly < 12);
  CHECK(reached(run_over_link(t3({{"slow_start", true}}))) < 1.5);
}

TEST_CASE("ledbat makes way for cubic") {
  Scenario scenario = t3();
  scenario.others = {{.cca = "cubic", .start_s = 20}};
  const LinkRun run = run_over_link(scenario);
  CHECK(run.largest([](const Sample& s) { return s.cwnd_packets(); }, 32) <= 3);
  CHECK(run.throughput_mbps(1, 32) > 11.8);
}

TEST_CASE(
    "a ledbat flow that comes late takes the first one's queue for the path and wins; ledbat++ slows down and shares") {
  Scenario scenario = t3({}, 180);
  scenario.others = {{.cca = "ledbat", .start_s = 30}};
  const LinkRun plain = run_over_link(scenario);
  CHECK(plain.throughput_mbps(1, 120) > 8 * plain.throughput_mbps(0, 120));

  scenario.params = {{"profile", std::string{"ledbat++"}}};
  scenario.others.front().params = scenario.params;
  const LinkRun plus = run_over_link(scenario);
  CHECK(plus.fairness(60) > 0.9);
}

TEST_CASE("ledbat++ starts slowly by its gain, and spends a tenth of its time seeing the empty path") {
  const auto cca = make_cca("ledbat", {{"profile", std::string{"ledbat++"}}});
  EventFeeder feed{*cca};
  feed.round();
  feed.round();
  CHECK(value(*cca, gain) == doctest::Approx(0.5));  // 1 / ceil(2 * 60 / 100)

  const LinkRun run = run_over_link(t3({{"profile", std::string{"ledbat++"}}}, 120));
  CHECK(run.link().queueing_delay.mean_ms < 61);
  CHECK(run.utilisation(20) > 0.85);
  CHECK(run.utilisation(20) < 0.97);
  std::vector<double> slowdowns;
  float before = 0;
  for (const Sample& s : run.samples) {
    if (s.internals[Internal::state] == 3 && before != 3 && s.time_s > 10) slowdowns.push_back(s.time_s);
    before = s.internals[Internal::state];
  }
  REQUIRE(slowdowns.size() >= 5);
  // frozen for two round trips, back in about seven of slow start at half the speed; then nine times as long
  const double period = (slowdowns.back() - slowdowns.front()) / static_cast<double>(slowdowns.size() - 1);
  CHECK(period > 10);
  CHECK(period < 20);
}

TEST_CASE("ledbat++ decreases by a share of its window above the target, at most half per round trip") {
  const auto cca = make_cca("ledbat", {{"profile", std::string{"ledbat++"}}});
  EventFeeder feed{*cca};
  for (int i = 0; i < 8; ++i) feed.round();
  feed.lose_one();  // out of slow start, into the first slowdown
  CHECK(value(*cca, state) == 3);
  for (int i = 0; i < 15; ++i) feed.round();
  REQUIRE(value(*cca, state) == 1);
  REQUIRE(packets(*cca) > 10);
  feed.set_rtt(Duration::millis(100 + 60 + 240));  // five times the target
  for (int i = 0; i < 4; ++i) feed.ack(1);
  const double at = packets(*cca);
  feed.round();
  CHECK(packets(*cca) < 0.7 * at);
  CHECK(packets(*cca) > 0.45 * at);
}
