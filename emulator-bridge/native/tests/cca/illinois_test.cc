#include <doctest/doctest.h>

#include <algorithm>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

enum Internal : std::size_t { state, ssthresh, alpha, beta, waiting_ms, most_waiting_ms, count };

double value(const Controller& cca, Internal which) {
  std::vector<float> values(Internal::count);
  cca.internals(values);
  return static_cast<double>(values[which]);
}

// Out of slow start with 40 packets, after a largest queueing delay of 100 ms over a base RTT of 100 ms.
void prepare(EventFeeder& feed) {
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_rtt(Duration::millis(200));
  feed.ack(1);
  feed.set_rtt(Duration::millis(100));
  feed.lose_one();
}

}  // namespace

TEST_CASE("illinois adds ten packets per round trip while no queue is seen, and keeps 7/8 of its window at a loss") {
  const auto cca = make_cca("illinois");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.round();
  feed.lose_one();  // never a queue: beta 1/8
  CHECK(value(*cca, beta) == doctest::Approx(0.125));
  CHECK(feed.cwnd() == doctest::Approx(160 * 0.875).epsilon(0.02));
  const int64_t before = feed.cwnd();
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(value(*cca, alpha) == doctest::Approx(10));
  CHECK(feed.cwnd() - before >= 40);
  CHECK(feed.cwnd() - before <= 50);
}

TEST_CASE("illinois' alpha and beta follow the mean queueing delay of a round") {
  const auto cca = make_cca("illinois");
  EventFeeder feed{*cca};
  prepare(feed);
  struct Point {
    int64_t rtt_ms;
    double alpha;
    double beta;
  };
  // largest delay 100 ms: d1 = 1, d2 = 10, d3 = 80 ms; alpha = 99 * 10 / (99 + (d - 1) * 9.7 / 0.3)
  for (const Point& at :
       {Point{105, 990 / (99 + 4 * 9.7 / 0.3), 0.125}, Point{145, 990 / (99 + 44 * 9.7 / 0.3), 0.3125},
        Point{180, 990 / (99 + 79 * 9.7 / 0.3), 0.5}, Point{200, 0.3, 0.5}}) {
    CAPTURE(at.rtt_ms);
    feed.set_rtt(Duration::millis(at.rtt_ms));
    for (int i = 0; i < 3; ++i) feed.round();
    CHECK(value(*cca, alpha) == doctest::Approx(at.alpha).epsilon(0.01));
    CHECK(value(*cca, beta) == doctest::Approx(at.beta).epsilon(0.01));
  }
}

TEST_CASE("after a queue, illinois waits for five quiet round trips before it adds ten packets again") {
  const auto cca = make_cca("illinois");
  EventFeeder feed{*cca};
  prepare(feed);
  feed.set_rtt(Duration::millis(150));
  for (int i = 0; i < 3; ++i) feed.round();
  const double slow = value(*cca, alpha);
  CHECK(slow < 1);
  feed.set_rtt(Duration::millis(100));
  feed.round();  // its mean still holds samples of the round before
  int quiet = 0;
  while (value(*cca, alpha) < 10 && quiet < 20) {
    feed.round();
    ++quiet;
  }
  CHECK(quiet >= 4);
  CHECK(quiet <= 6);
}

TEST_CASE("what illinois has saved up with a small alpha it spends at once when the queue is gone, as Linux does") {
  int64_t largest = 0;
  for (int rounds = 1; rounds <= 4; ++rounds) {
    const auto cca = make_cca("illinois");
    EventFeeder feed{*cca};
    prepare(feed);
    feed.set_rtt(Duration::millis(200));
    for (int i = 0; i < rounds; ++i) feed.round();
    feed.set_rtt(Duration::millis(100));
    while (value(*cca, alpha) < 10) {
      const int64_t before = feed.cwnd();
      feed.ack(1);
      largest = std::max(largest, feed.cwnd() - before);
    }
  }
  // a packet for each 3.3 round trips at alpha 0.3: nearly as many round trips' packets, times ten
  CHECK(largest > 20);
  CHECK(largest <= 34);
}

TEST_CASE("illinois with a small window, or after a timeout, is Reno") {
  const auto cca = make_cca("illinois");
  EventFeeder feed{*cca};
  feed.time_out();
  CHECK(feed.cwnd() == 1);
  CHECK(value(*cca, alpha) == 1);
  CHECK(value(*cca, beta) == 0.5);
  for (int i = 0; i < 8; ++i) feed.round();
  CHECK(feed.cwnd() > 5);
  CHECK(feed.cwnd() < 15);
  const int64_t before = feed.cwnd();
  feed.round();
  CHECK(feed.cwnd() == before + 1);
}

TEST_CASE("illinois halves at a full queue and gives up an eighth at a random loss with an empty one") {
  // Link T3: 12 Mbps, 100 ms, one BDP of queue (docs/reference.md 2.4). The queue is full at each loss, so beta is 0.5.
  const LinkRun full = run_over_link({.cca = "illinois", .queue_packets = 100, .duration_s = 120});
  const auto cwnd = [](const Sample& s) { return s.cwnd_packets(); };
  CHECK(full.least(cwnd, 40) >= 95);
  CHECK(full.least(cwnd, 40) <= 108);
  CHECK(full.utilisation(20) > 0.99);
  const auto increase = [](const Sample& s) { return s.internals[Internal::alpha]; };
  CHECK(full.largest(increase, 40) > 1);
  CHECK(full.least(increase, 40) < 0.5);

  Scenario lossy{.cca = "illinois", .queue_packets = 100, .duration_s = 60, .loss = 0.01};
  const double illinois = run_over_link(lossy).utilisation(10);
  lossy.cca = "newreno";
  CHECK(illinois > 2 * run_over_link(lossy).utilisation(10));
}
