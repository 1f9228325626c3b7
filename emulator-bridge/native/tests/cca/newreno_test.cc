#include <doctest/doctest.h>

#include "cca/adjustable_window.hh"
#include "tests/cca/event_feeder.hh"

using namespace paceline;
using paceline::testing::EventFeeder;
using paceline::testing::make_cca;

TEST_CASE("newreno doubles its window each round trip in slow start") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  for (const int64_t expected : {10, 20, 40, 80}) {
    CHECK(feed.cwnd() == expected);
    feed.round();
  }
}

TEST_CASE("newreno halves at a loss, once per episode, then adds one packet per round trip") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.lose(1, true);
  CHECK(feed.cwnd() == 40);
  CHECK(feed.ssthresh() == 40);
  feed.ack(1, Recovery::entered);
  feed.lose(3, false);
  feed.ack(30, Recovery::in);
  CHECK(feed.cwnd() == 40);
  feed.ack(1, Recovery::exited);
  feed.round();
  CHECK(feed.cwnd() == 41);
  feed.round();
  CHECK(feed.cwnd() == 42);
}

TEST_CASE("newreno restarts from one packet after a timeout and slow-starts to half the old window") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  CHECK(feed.ssthresh() == 40);
  feed.time_out(true);
  CHECK(feed.ssthresh() == 40);
  for (const int64_t expected : {1, 2, 4, 8, 16, 32, 40, 41}) {
    CHECK(feed.cwnd() == expected);
    feed.round();
  }
}

TEST_CASE("newreno in QUIC restarts from two packets") {
  const auto cca = make_cca("newreno", {}, TransportProfile::quic);
  EventFeeder feed{*cca};
  feed.time_out();
  CHECK(feed.cwnd() == 2);
}

TEST_CASE("newreno gives back the window when the episode was spurious") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  feed.round();
  feed.lose_one();
  CHECK(feed.cwnd() == 10);
  for (int i = 0; i < 2; ++i) feed.round();
  CHECK(feed.cwnd() == 12);
  feed.lose(1, true);
  feed.ack(1, Recovery::undone);
  CHECK(feed.cwnd() == 12);
  CHECK(feed.ssthresh() == 10);  // before the spurious episode
}

TEST_CASE("newreno does not grow while something else than the window is the limit") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  feed.set_window_limited(false);
  feed.round();
  CHECK(feed.cwnd() == 10);
}

TEST_CASE("newreno's slow-start step limit caps what one ACK adds") {
  const auto limited = make_cca("newreno", {{"abc_limit", 2.0}});
  EventFeeder feed{*limited};
  feed.ack(8);
  CHECK(feed.cwnd() == 12);
  const auto free = make_cca("newreno");
  EventFeeder fast{*free};
  fast.ack(8);
  CHECK(fast.cwnd() == 18);
}

TEST_CASE("newreno's window never falls below two packets by losses alone") {
  const auto cca = make_cca("newreno", {{"init_cwnd", 2.0}, {"beta", 0.1}});
  EventFeeder feed{*cca};
  for (int i = 0; i < 5; ++i) feed.lose_one();
  CHECK(feed.cwnd() >= 2);
}

TEST_CASE("newreno halves its window for each RTO it was idle, down to the initial window") {
  const auto cca = make_cca("newreno");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  cca->on_sent({.now = feed.now(), .size = kMtu});
  feed.wait(Duration::millis(700));  // RTO 100 + 200 ms: the window halves at once and after each further 300 ms
  cca->on_idle_restart(feed.now());
  CHECK(feed.cwnd() == 20);
}

TEST_CASE("a window that another algorithm sets from above stays within what numbers of bytes can hold") {
  for (const std::string id : {"newreno", "cubic"}) {
    CAPTURE(id);
    const auto base = make_base(id, {.random = Random{1, 0, id}});
    base->set_window(100);
    CHECK(base->cwnd() == kMtu * 100);
    base->set_window(int64_t{1} << 60);
    CHECK(base->cwnd() == kMtu * kMostSetWindow);
  }
}
