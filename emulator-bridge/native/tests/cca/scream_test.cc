// SCReAM v2's congestion core: its checks of docs/reference.md 9.2.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <optional>

#include "cca/scream.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/queue/link.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kTarget = 0;  // positions of the internals
constexpr std::size_t kQueueing = 1;
constexpr std::size_t kAlpha = 6;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 8> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

double packets(const Controller& cca) { return cca.cwnd().in_packets(kMtu); }

// A path of 40 ms on which the whole window is always in flight and evenly spread.
class Feeder {
 public:
  explicit Feeder(Controller& cca) : cca_{cca} {}

  void ack(double queueing_ms = 0, bool marked = false) {
    const Bytes flight = inflight ? *inflight : cca_.cwnd();
    now_ += scale(kRtt, 1 / flight.in_packets(kMtu));
    const Duration queueing = Duration::seconds(queueing_ms * 1e-3);
    const AckedPacket packet{
        .number = number_++, .size = kMtu, .rtt = kRtt, .one_way = Duration::millis(20) + queueing};
    cca_.on_sent({.now = now_, .size = kMtu, .inflight = flight});
    cca_.on_ack({.now = now_,
                 .acked_bytes = kMtu,
                 .acked_packets = 1,
                 .packets = {&packet, 1},
                 .rtt = kRtt,
                 .srtt = kRtt,
                 .inflight = flight,
                 .ce_packets = marked ? 1U : 0U});
  }
  void rounds(int count, double queueing_ms = 0, bool marked = false) {
    for (const Time end = now_ + kRtt * count; now_ < end;) ack(queueing_ms, marked);
  }
  void lose(uint32_t count) {
    cca_.on_loss({.now = now_, .bytes = kMtu * count, .packet_count = count, .new_episode = true});
    ack();
  }

  std::optional<Bytes> inflight{};

 private:
  static constexpr Duration kRtt = Duration::millis(40);

  Controller& cca_;
  Time now_{Time::zero() + Duration::seconds(100)};
  uint64_t number_{};
};

}  // namespace

TEST_CASE("scream's window grows by a packet per round trip and 5 % of itself while nothing ever disturbed it") {
  const auto cca = make_cca("scream");
  Feeder feed{*cca};
  CHECK(packets(*cca) == doctest::Approx(3));
  feed.rounds(30);
  const double before = packets(*cca);
  REQUIRE(before > 20);
  feed.rounds(3);
  CHECK(packets(*cca) / before == doctest::Approx(std::pow(1 + 1 / before + 0.05, 3)).epsilon(0.03));
}

TEST_CASE("scream takes rare losses without a queue for a radio's, and keeps 70 % of its window at others") {
  const auto cca = make_cca("scream");
  Feeder feed{*cca};
  feed.rounds(40);
  double before = packets(*cca);
  feed.lose(1);
  CHECK(packets(*cca) >= before * 0.999);
  before = packets(*cca);
  feed.lose(20);
  CHECK(packets(*cca) / before == doctest::Approx(0.7).epsilon(0.01));
  before = packets(*cca);
  feed.lose(20);  // in the same round trip
  CHECK(packets(*cca) >= before * 0.99);
}

TEST_CASE("scream yields when the queueing delay passes half its target, more the longer it is") {
  for (const double queueing : {40.0, 60.0, 90.0}) {
    CAPTURE(queueing);
    const auto cca = make_cca("scream");
    Feeder feed{*cca};
    feed.rounds(40);
    const double before = packets(*cca);
    feed.rounds(10, queueing);
    if (queueing < 50) {
      CHECK(packets(*cca) > before);
    } else {
      CHECK(packets(*cca) < before);
    }
    CHECK(internal(*cca, kQueueing) == doctest::Approx(queueing).epsilon(0.03));
  }
}

TEST_CASE("scream reduces by a tenth at a classic mark, and by half the share of marked packets with L4S") {
  const auto classic = make_cca("scream", {{"ecn", std::string{"classic"}}});
  Feeder feed{*classic};
  feed.rounds(40);
  double before = packets(*classic);
  feed.ack(0, true);
  CHECK(packets(*classic) / before == doctest::Approx(0.9).epsilon(0.01));

  const auto scalable = make_cca("scream", {{"ecn", std::string{"l4s"}}});
  Feeder all_marked{*scalable};
  all_marked.rounds(20);
  all_marked.rounds(100, 0, true);
  CHECK(internal(*scalable, kAlpha) == doctest::Approx(1).epsilon(0.01));
  CHECK(packets(*scalable) == doctest::Approx(3));  // half of it at each mark, down to the least

  const auto blind = make_cca("scream");
  Feeder ignored{*blind};
  ignored.rounds(40);
  before = packets(*blind);
  ignored.ack(0, true);
  CHECK(packets(*blind) >= before);
}

TEST_CASE("scream's window does not run away from what is in flight") {
  const auto cca = make_cca("scream");
  Feeder feed{*cca};
  feed.inflight = kMtu * 20;
  feed.rounds(500);
  CHECK(packets(*cca) <= 1 + 2 * 20);
  CHECK(packets(*cca) > 35);
}

TEST_CASE("the base delay is the least of the last eight minutes") {
  BaseDelay base;
  Time now{};
  const auto queueing = [&](int64_t one_way_ms) {
    return base.queueing(now, Duration::millis(one_way_ms)).to_millis();
  };
  CHECK(queueing(20) == 0);
  CHECK(queueing(30) == 10);
  for (int s = 0; s < 480; ++s) {
    now += Duration::millis(1000);
    CHECK(queueing(30) == 10);
  }
  for (int s = 0; s < 40; ++s) {
    now += Duration::millis(1000);
    queueing(30);
  }
  CHECK(queueing(30) == 0);  // the path has become longer
}

TEST_CASE("scream fills T1 at half its queueing target") {
  for (const double target : {60.0, 100.0}) {
    CAPTURE(target);
    const LinkRun run = run_over_link({.cca = "scream",
                                       .params = {{"queue_target_ms", target}},
                                       .rtt_ms = 40,
                                       .queue_packets = 160,
                                       .duration_s = 60});
    CHECK(run.utilisation(10) > 0.99);
    CHECK(run.link().queueing_delay.p95_ms < target);
    CHECK(run.link().queueing_delay.mean_ms == doctest::Approx(target / 2).epsilon(0.1));
    CHECK(run.link().dropped_packets == 0);
  }
}

TEST_CASE("scream's target bit rate is below the new capacity a second after it halved") {
  const auto halves = steps({{20, 1000}, {40, 500}});
  const LinkRun run =
      run_over_link({.cca = "scream", .trace = halves, .rtt_ms = 40, .queue_packets = 400, .duration_s = 30});
  const auto rate = [](const Sample& s) { return s.internals[kTarget]; };
  CHECK(run.mean(rate, 19, 20) > 8);
  CHECK(run.mean(rate, 21, 21.2) < 6);
  CHECK(run.utilisation(21, 30) > 0.95);
}

TEST_CASE("a steady source below the capacity sees no queue at all") {
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20), Bytes{240'000}), flow(cca("scream")), 30);
  plan.flows[0].source_rate = Rate::mbps(9);
  Recorder recorder;
  const RunSummary summary = simulate(plan, recorder);
  CHECK(summary.links.front().utilisation == doctest::Approx(0.75).epsilon(0.05));
  constexpr std::size_t kQueuePackets = 4;
  for (const Recorder::Row& row : recorder.rows.at(telemetry::kForwardLinkStream))
    if (row.time > 10) REQUIRE(static_cast<double>(row.values[kQueuePackets]) <= 2);
}

// ScreamV2Tx.cpp makes the cuts small where growth is small, so that others do not displace it.
TEST_CASE("scream with L4S marks fills T1 and shares a coupled queue with Cubic, both without waiting") {
  const FlowPlan l4s = flow(cca("scream"), 1, {{"ecn", std::string{"l4s"}}});
  const Outcome alone = outcome_of(on_t1("dualpi2", {}, {l4s}, 60));
  CHECK(alone.utilisation(10) > 0.95);
  CHECK(alone.mean("sojourn_mean_ms", 10) < 1);

  const Outcome both = outcome_of(on_t1("dualpi2", {}, {l4s, flow(cca("cubic"))}, 120, 48, 20));
  CHECK(both.throughput(0) / both.throughput(1) == doctest::Approx(1).epsilon(0.3));
  CHECK(both.wait_ms(both.summary.receivers[0].owd.p99_ms) < 1);
}
