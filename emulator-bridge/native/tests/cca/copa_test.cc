#include <doctest/doctest.h>

#include <cmath>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t { mode, target_mbps, rate_mbps, delta, velocity, waiting_ms, standing_ms, least_ms, count };
constexpr double kDefault = 1;
constexpr double kCompetitive = 2;

Params::Given by_the_paper(Params::Given params = {}) {
  params.emplace("profile", std::string{"paper"});
  return params;
}

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

}  // namespace

TEST_CASE("copa doubles per round trip until its rate exceeds one packet per delta times the queueing delay") {
  const auto cca = make_cca("copa", by_the_paper());
  EventFeeder feed{*cca};
  for (const int64_t expected : {10, 20, 40, 80}) {
    CHECK(feed.cwnd() == expected);
    feed.round();
  }
  CHECK(cca->phase() == "slow start");
  CHECK(std::isnan(value(*cca, target_mbps)));  // no queue: no limit
  feed.set_rtt(Duration::millis(110));          // 160 packets in 110 ms: 1455/s; target 1 / (0.5 * 10 ms) = 200/s
  feed.wait(Duration::millis(110));
  feed.ack(1);
  CHECK(cca->phase() == "default");
  CHECK(value(*cca, waiting_ms) == doctest::Approx(10).epsilon(0.001));
  CHECK(value(*cca, target_mbps) == doctest::Approx(200 * 0.012).epsilon(0.001));
  CHECK(value(*cca, rate_mbps) == doctest::Approx(160 / 0.110 * 0.012).epsilon(0.01));
  CHECK(cca->pacing_rate().to_mbps() == doctest::Approx(2 * value(*cca, rate_mbps)).epsilon(0.001));
}

TEST_CASE("copa moves its window by 1/delta per round trip, and twice as fast each round trip after the third") {
  for (const double d : {0.5, 0.1}) {
    CAPTURE(d);
    const auto cca = make_cca("copa", by_the_paper({{"delta", d}, {"mode", std::string{"default_only"}}}));
    EventFeeder feed{*cca};
    for (int i = 0; i < 6; ++i) feed.round();  // 640 packets
    feed.set_rtt(Duration::millis(200));
    feed.wait(Duration::millis(200));
    feed.ack(1);
    REQUIRE(cca->phase() == "default");
    // rounds at velocity 1 until the direction has been kept three times more, then 2, 4, 8
    for (const double v : {1.0, 1.0, 1.0, 2.0, 4.0, 8.0}) {
      const double before = static_cast<double>(cca->cwnd().v) / kPacket;
      feed.round();
      const double moved = before - static_cast<double>(cca->cwnd().v) / kPacket;
      CAPTURE(v);
      CHECK(moved > 0.4 * v / d);  // the velocity changes within a round of the feeder
      CHECK(moved < 1.1 * v / d);
    }
  }
}

TEST_CASE("copa competes when the queue has not been nearly empty for five round trips, and stops when it is again") {
  const auto cca = make_cca("copa", by_the_paper());
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_rtt(Duration::millis(80));
  feed.wait(Duration::millis(80));
  feed.ack(1);
  REQUIRE(cca->phase() == "default");
  for (int i = 0; i < 4; ++i) {
    feed.round();
    CHECK(value(*cca, mode) == kDefault);
  }
  for (int i = 0; i < 3; ++i) feed.round();
  CHECK(value(*cca, mode) == kCompetitive);
  // one more packet of queue for each round trip without a loss
  const double at_first = 1 / value(*cca, delta);
  for (int i = 0; i < 6; ++i) feed.round();
  const double later = 1 / value(*cca, delta);
  CHECK(later - at_first == doctest::Approx(6).epsilon(0.2));
  // half of it at a loss, once per round trip
  feed.lose(1, true);
  feed.lose(2, false);
  CHECK(1 / value(*cca, delta) == doctest::Approx(later / 2));
  // delta never exceeds its default
  for (int i = 0; i < 8; ++i) {
    feed.lose(1, true);
    feed.round();
  }
  CHECK(value(*cca, delta) <= 0.5);

  feed.set_rtt(Duration::millis(40));
  for (int i = 0; i < 3; ++i) feed.round();
  CHECK(value(*cca, mode) == kDefault);
  CHECK(value(*cca, delta) == doctest::Approx(0.5));
}

TEST_CASE("copa does not compete while it drains the queue itself, however long that takes") {
  const auto cca = make_cca("copa", by_the_paper());
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  for (int rtt_ms = 100; rtt_ms > 60; rtt_ms -= 3) {
    feed.set_rtt(Duration::millis(rtt_ms));
    feed.round();
    CHECK(value(*cca, mode) != kCompetitive);
  }
  for (int i = 0; i < 8; ++i) feed.round();  // as much waits as before: somebody fills it up
  CHECK(value(*cca, mode) == kCompetitive);
}

TEST_CASE("copa that may not compete keeps delta whatever stands in the queue") {
  const auto cca = make_cca("copa", by_the_paper({{"mode", std::string{"default_only"}}}));
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_rtt(Duration::millis(80));
  for (int i = 0; i < 20; ++i) feed.round();
  CHECK(value(*cca, mode) == kDefault);
  CHECK(value(*cca, delta) == doctest::Approx(0.5));
}

TEST_CASE("copa ignores losses in its default mode") {
  const auto cca = make_cca("copa", by_the_paper());
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.lose(5, true);
  CHECK(feed.cwnd() == 80);
}

TEST_CASE("the authors' program cuts its window by 30 % when more than 30 % are lost over two RTTs") {
  const auto window_after = [](uint32_t lost) {
    const auto cca = make_cca("copa", {{"mode", std::string{"default_only"}}});
    EventFeeder feed{*cca};
    for (int i = 0; i < 6; ++i) feed.round();
    feed.set_rtt(Duration::millis(110));
    for (int i = 0; i < 2; ++i) feed.round();
    REQUIRE(cca->phase() != "slow start");
    if (lost > 0) feed.lose(lost, true);
    feed.wait(Duration::millis(300));
    feed.ack(1);
    return static_cast<double>(cca->cwnd().v);
  };
  CHECK(window_after(400) == doctest::Approx(0.7 * window_after(0)).epsilon(0.02));
  CHECK(window_after(20) == doctest::Approx(window_after(0)).epsilon(0.02));
}

TEST_CASE("the authors' program does nothing before its twentieth packet") {
  const auto cca = make_cca("copa");
  EventFeeder feed{*cca};
  feed.ack(10);
  feed.ack(9);
  CHECK(feed.cwnd() == 10);
  feed.ack(1);
  CHECK(feed.cwnd() == 11);
}

TEST_CASE(
    "the authors' program moves two steps per RTT after slow start, then doubles to no more than the window by delta") {
  const auto cca = make_cca("copa", {{"mode", std::string{"default_only"}}});
  EventFeeder feed{*cca};
  for (int i = 0; i < 4; ++i) feed.round();
  const double least = static_cast<double>(feed.cwnd());
  feed.set_rtt(Duration::millis(200));
  feed.wait(Duration::millis(200));
  const auto next = [&] {
    feed.wait(Duration::millis(201));
    feed.ack(1);
    return value(*cca, velocity);
  };
  feed.ack(1);
  REQUIRE(cca->phase() == "default");
  feed.ack(1);
  CHECK(value(*cca, velocity) == 2);  // begun upwards
  CHECK(next() == 1);                 // the way down is another one
  double at_most = 1;
  for (const double doubled : {2.0, 4.0, 8.0, 16.0}) {
    const double window = static_cast<double>(cca->cwnd().v) / kPacket;
    at_most = doubled > window * 0.5 ? at_most : doubled;
    CAPTURE(least);
    CHECK(next() == at_most);
  }
  CHECK(at_most > 2);
}

TEST_CASE(
    "the authors' program competes from the first packet in a standing queue on, but raises 1/delta only after an RTT "
    "of it") {
  const auto cca = make_cca("copa");
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 4; ++i) feed.round();
  feed.set_rtt(Duration::millis(80));
  for (int i = 0; i < 20; ++i) {  // until the least RTT of four smoothed ones is that of the queue
    feed.wait(Duration::millis(20));
    feed.ack(1);
    if (value(*cca, mode) == kCompetitive) break;
    CHECK(1 / value(*cca, delta) == doctest::Approx(2));
  }
  REQUIRE(value(*cca, mode) == kCompetitive);
  for (const double inverse : {3.0, 4.0, 5.0, 6.0}) {
    CHECK(1 / value(*cca, delta) < inverse);
    feed.wait(Duration::millis(81));
    feed.ack(1);
    CHECK(1 / value(*cca, delta) == doctest::Approx(inverse));
  }
  // each acknowledgement that tells of losses halves it
  feed.lose(1, true);
  CHECK(1 / value(*cca, delta) == doctest::Approx(3));
  feed.lose(1, false);
  CHECK(1 / value(*cca, delta) == doctest::Approx(2));
  feed.set_rtt(Duration::millis(40));
  feed.wait(Duration::millis(200));
  feed.ack(1);
  CHECK(value(*cca, mode) == kDefault);
  CHECK(1 / value(*cca, delta) == doctest::Approx(2));
}

TEST_CASE("copa starts over after a timeout, and takes its window back when that was spurious") {
  const auto cca = make_cca("copa", by_the_paper());
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.time_out();
  CHECK(feed.cwnd() == 2);
  CHECK(cca->phase() == "slow start");
  feed.ack(1, Recovery::timeout);
  CHECK(feed.cwnd() == 3);
  feed.ack(1, Recovery::undone);
  CHECK(feed.cwnd() >= 80);
}

TEST_CASE("copa does not grow while the application is the limit") {
  const auto cca = make_cca("copa");
  EventFeeder feed{*cca};
  feed.set_window_limited(false);
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(feed.cwnd() == 10);
}
