// LEDBAT's libutp profile: the window arithmetic event by event, then over the reference's link T3 (12 Mbps, 100 ms, BDP 100
// packets, four BDP of queue); docs/reference.md 4.2. One packet waiting is one millisecond.
#include "cca/libutp.hh"

#include <doctest/doctest.h>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t { state, waiting_ms, target_ms, base_ms, off_target, gain, signal, count };

const Params::Given kProfile{{"profile", std::string{"libutp"}}};

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

double packets(const Controller& cca) { return static_cast<double>(cca.cwnd().v) / kPacket; }

// Out of slow start, with a window of some packets and a base delay of 100 ms.
void settle(Controller& cca, EventFeeder& feed, int rounds = 10) {
  for (int i = 0; i < rounds; ++i) feed.round();
  feed.lose(1, true);
  for (int i = 0; i < rounds; ++i) feed.round();
  REQUIRE(value(cca, state) == 1);
}

// Acknowledgements that all waited so long, until the filter knows nothing else.
void queue_of(EventFeeder& feed, int64_t ms) {
  feed.set_rtt(Duration::millis(100 + ms));
  for (int i = 0; i < 3; ++i) feed.ack(1);
}

Scenario t3(double duration_s = 60) {
  return {.cca = "ledbat", .params = kProfile, .queue_packets = 400, .duration_s = duration_s};
}

}  // namespace

TEST_CASE("libutp begins with one packet and moves by two packets per round trip times the distance from 100 ms") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  CHECK(feed.cwnd() == 1);
  CHECK(value(*cca, target_ms) == 100);
  settle(*cca, feed);
  struct Point {
    int64_t waiting_ms;
    double change;
  };
  for (const Point& at : {Point{0, 2}, Point{50, 1}, Point{100, 0}, Point{150, -1}}) {
    CAPTURE(at.waiting_ms);
    queue_of(feed, at.waiting_ms);
    const double before = packets(*cca);
    feed.round();
    CHECK(packets(*cca) - before == doctest::Approx(at.change).epsilon(0.1));
  }
}

TEST_CASE("libutp believes no queue longer than the round trip itself") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  const auto ack = [&](int64_t one_way_ms) {
    AckEvent event = feed.next_ack(1);
    event.one_way = Duration::millis(one_way_ms);
    cca->on_ack(event);
  };
  ack(0);
  for (int i = 0; i < 3; ++i) ack(500);  // the receiver's clock has jumped
  CHECK(value(*cca, waiting_ms) == 500);
  CHECK(value(*cca, off_target) == doctest::Approx(0));  // 100 ms of round trip, all taken for queue
  CHECK(value(*cca, signal) == 0);
}

TEST_CASE("libutp stops growing when its window has not been the limit for a second") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  settle(*cca, feed);
  feed.set_window_limited(false);
  const double before = packets(*cca);
  for (int i = 0; i < 10; ++i) feed.round();  // the first second
  const double within = packets(*cca);
  CHECK(within > before + 15);
  for (int i = 0; i < 20; ++i) feed.round();
  CHECK(packets(*cca) - within < 2.5);
}

TEST_CASE("libutp leaves slow start at nine tenths of its target") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(value(*cca, state) == 0);
  queue_of(feed, 89);
  CHECK(value(*cca, state) == 0);
  queue_of(feed, 91);
  CHECK(value(*cca, state) == 1);
}

TEST_CASE("libutp halves at a loss, ten times a second at most, down to less than a packet") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  for (int i = 0; i < 20; ++i) feed.round();
  const double before = packets(*cca);
  feed.lose(3, true);
  CHECK(packets(*cca) == doctest::Approx(before / 2).epsilon(0.01));
  feed.wait(Duration::millis(99));
  feed.lose(3, true);
  CHECK(packets(*cca) == doctest::Approx(before / 2).epsilon(0.01));
  feed.wait(Duration::millis(1));
  feed.lose(1, false);
  CHECK(packets(*cca) == doctest::Approx(before / 4).epsilon(0.01));
  for (int i = 0; i < 8; ++i) {
    feed.wait(Duration::millis(100));
    feed.lose(1, true);
  }
  CHECK(feed.cwnd() == 1);                 // what the transport is told
  CHECK_FALSE(cca->may_send(feed.now()));  // but nothing fits
  AckEvent last = feed.next_ack(1);
  last.inflight = Bytes::zero();
  last.rtt = Duration::millis(350);
  last.acked_bytes = Bytes{1};
  last.srtt = Duration::millis(100);
  cca->on_ack(last);
  REQUIRE_FALSE(cca->may_send(feed.now()));
  CHECK(cca->next_tick() == last.now + Duration::millis(1000));  // silence for the time of a timeout
  cca->on_tick(cca->next_tick());
  CHECK(cca->may_send(feed.now()));
  CHECK(value(*cca, state) == 0);  // from one packet, in slow start
  CHECK(cca->next_tick().is_never());
}

TEST_CASE("libutp begins again also when the last of a window below a packet is lost right after a reduction") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  for (int i = 0; i < 20; ++i) feed.round();
  for (int i = 0; i < 12; ++i) {
    feed.lose(1, true);
    feed.wait(Duration::millis(100));
  }
  REQUIRE_FALSE(cca->may_send(feed.now()));
  AckEvent ack = feed.next_ack(1);
  ack.inflight = kMtu;  // one packet is still under way …
  ack.acked_bytes = Bytes{1};
  cca->on_ack(ack);
  LossEvent last{};
  last.now = ack.now;
  last.inflight = kMtu;
  cca->on_loss(last);
  REQUIRE_FALSE(cca->may_send(ack.now));
  REQUIRE(cca->next_tick().is_never());
  last.now = ack.now + Duration::millis(50);
  last.inflight = Bytes::zero();  // … which is lost, too, before the window may be halved again
  cca->on_loss(last);
  CHECK(cca->next_tick() == last.now + Duration::millis(1000));
}

TEST_CASE("libutp starts again from one packet after a timeout") {
  const auto cca = make_cca("ledbat", kProfile);
  EventFeeder feed{*cca};
  settle(*cca, feed);
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  CHECK(value(*cca, state) == 0);
}

TEST_CASE("a raw delay that falls by more than 200 ms in five seconds costs a seventh of the excess, averaged") {
  ClockDrift drift;
  Time now{};
  const auto slot = [&](int64_t ms) {
    for (int i = 0; i < 10; ++i) {
      now += Duration::millis(501);
      drift.add(now, Duration::millis(ms));
    }
  };
  int64_t delay = 0;
  for (int i = 0; i < 60; ++i) {
    slot(delay);
    delay -= 190;
  }
  CHECK(drift.penalty() == Duration::zero());
  for (int i = 0; i < 60; ++i) {
    slot(delay);
    delay -= 550;
  }
  CHECK(drift.penalty().to_millis() == doctest::Approx((550.0 - 200) / 7).epsilon(0.02));
}

TEST_CASE("libutp reaches the BDP twice as fast as the RFC's window and holds the delay at 100 ms") {
  const LinkRun run = run_over_link(t3(90));
  const double full =
      std::ranges::find_if(run.samples, [](const Sample& s) { return s.cwnd_packets() >= 100; })->time_s;
  CHECK(full > 4.5);  // two packets per round trip instead of one: 49 round trips
  CHECK(full < 6);
  CHECK(run.mean([](const Sample& s) { return s.link.sojourn_mean_ms; }, 60) == doctest::Approx(100).epsilon(0.1));
  CHECK(run.utilisation(30) > 0.999);
}

TEST_CASE("libutp makes way for cubic and comes back") {
  Scenario scenario = t3(60);
  scenario.others = {{.cca = "cubic", .start_s = 20}};
  const LinkRun run = run_over_link(scenario);
  CHECK(run.throughput_mbps(1, 45) > 10.8);
}

TEST_CASE("libutp survives 30 % loss and outages, and is back after them") {
  const auto outage = steps({{10, 1000}, {15, 0}, {60, 1000}});
  const LinkRun run =
      run_over_link({.cca = "ledbat", .params = kProfile, .trace = outage, .rtt_ms = 40, .queue_packets = 40});
  double back = 0;
  for (double t = 15; t < 50 && back == 0; t += 0.25)
    if (run.utilisation(t, t + 0.5) >= 0.5) back = t;
  REQUIRE(back > 0);
  CHECK(back - 15 <
        20);  // the delay of the outage stays in the window of samples, and two packets per round trip are few
  for (const double rtt_ms : {20.0, 1000.0}) {
    const LinkRun lossy = run_over_link(
        {.cca = "ledbat", .params = kProfile, .rtt_ms = rtt_ms, .queue_packets = 2, .duration_s = 60, .loss = 0.3});
    const auto late = lossy.values([](const Sample& s) { return s.link.delivered_mbps; }, 30);
    CHECK(std::ranges::any_of(late, [](double mbps) { return mbps > 0; }));  // it never falls silent for good
  }
}
