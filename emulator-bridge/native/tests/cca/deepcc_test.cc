// DeepCC's loop: the cap, what its agent sees, its reward, and its rule (docs/reference.md 7.2).
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "cca/running_scale.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/cca/networks.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Positions of the internals.
enum : std::size_t {
  kBase,
  kCap,
  kHolds,
  kAction,
  kReward,
  kRtt,
  kShare,
  kOver,
  kUnder,
  kSamples,
  kThroughput,
  kWindow
};

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 12> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

Params::Given on(const std::string& base, const std::string& policy) { return {{"base", base}, {"policy", policy}}; }

// An agent that always does the same.
Params::Given always_acts(float action) {
  return {{"policy", std::string{"network"}}, {"weights", always("deepcc", "window", action)}};
}

// One ACK with this RTT on a path of 40 ms, and the look at the end of its period.
void period(Controller& cca, EventFeeder& feed, int rtt_ms, int packets = 1) {
  for (int i = 0; i < packets; ++i) {
    AckEvent ack = feed.next_ack(1);
    ack.rtt = ack.srtt = Duration::millis(rtt_ms);
    ack.min_rtt = Duration::millis(40);
    cca.on_ack(ack);
  }
  feed.wait(Duration::millis(20));
  cca.on_tick(feed.now());
}

}  // namespace

TEST_CASE("deepcc's loop with the neutral agent is the algorithm underneath") {
  // check 1
  for (const std::string base : {"cubic", "westwood", "illinois", "bbr"}) {
    CAPTURE(base);
    const auto over = [](const std::string& cca, const Params::Given& given) {
      return run_over_link(
          {.cca = cca, .params = given, .rtt_ms = 40, .queue_packets = 80, .duration_s = 40, .loss = 1e-4});
    };
    const LinkRun deepcc = over("deepcc", on(base, "neutral"));
    const LinkRun alone = over(base, {});
    REQUIRE(deepcc.samples.size() == alone.samples.size());
    if (base == "bbr") {  // draws where in its cycle it begins from a random stream that bears the algorithm's name
      CHECK(deepcc.utilisation(10) == doctest::Approx(alone.utilisation(10)).epsilon(0.01));
      CHECK(deepcc.summary.senders[0].rtt.mean_ms ==
            doctest::Approx(alone.summary.senders[0].rtt.mean_ms).epsilon(0.03));
      continue;
    }
    for (std::size_t i = 0; i < deepcc.samples.size(); ++i)
      REQUIRE(std::memcmp(&deepcc.samples[i].sender, &alone.samples[i].sender, sizeof(telemetry::SenderRow)) == 0);
  }
}

TEST_CASE("deepcc's loop with the neutral agent on BBR is BBR where both draw alike") {
  const Descriptor* bbr = find_cca("bbr");
  const Descriptor* deepcc = find_cca("deepcc");
  const Setup setup{.random = Random{7, 0, "the same"}};
  const auto alone = bbr->make(setup, Params{bbr->params, {}});
  const auto under = deepcc->make(setup, Params{deepcc->params, on("bbr", "neutral")});
  EventFeeder one{*under, Duration::millis(40)};
  EventFeeder other{*alone, Duration::millis(40)};
  one.set_rate(Rate::mbps(12));
  other.set_rate(Rate::mbps(12));
  for (int i = 0; i < 400; ++i) {
    one.round();
    other.round();
    REQUIRE(under->cwnd() == alone->cwnd());
    REQUIRE(under->pacing_rate() == alone->pacing_rate());
    REQUIRE(under->send_quantum() == alone->send_quantum());
    REQUIRE(under->limits_itself() == alone->limits_itself());
  }
  const auto needs = needs_of(*deepcc, Params{deepcc->params, on("bbr", "neutral")});
  CHECK(needs.pacing == bbr->needs.pacing);
  CHECK(needs.prr == bbr->needs.prr);
}

TEST_CASE(
    "deepcc's cap is the window times two to the power of the action, never below four packets nor above 40 000") {
  // check 3
  const auto half = make_cca("deepcc", always_acts(-1));
  EventFeeder feed{*half, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  REQUIRE(feed.cwnd() == 80);
  feed.set_window_limited(false);
  half->on_tick(feed.now());
  for (const int64_t cap : {20, 10, 5, 4, 4, 4}) {  // the first look has halved it to 40 already
    period(*half, feed, 40);
    CHECK(feed.cwnd() == cap);
    CHECK(internal(*half, kCap) == cap);
    CHECK(internal(*half, kBase) >= 80);
    CHECK(internal(*half, kHolds) == 1);
  }

  const auto twice = make_cca("deepcc", always_acts(1));
  EventFeeder up{*twice, Duration::millis(40)};
  for (int i = 0; i < 12; ++i) up.round();
  REQUIRE(up.cwnd() == 40'960);
  period(*twice, up, 40);
  CHECK(internal(*twice, kCap) == 40'000);
  // 2 to the power of 0.3 is 1.2311: in hundredths 1.23
  const auto some = make_cca("deepcc", always_acts(0.3F));
  EventFeeder little{*some, Duration::millis(40)};
  for (int i = 0; i < 4; ++i) little.round();
  const int64_t window = little.cwnd();
  little.set_window_limited(false);
  period(*some, little, 40);
  CHECK(internal(*some, kCap) == std::floor(1.23 * static_cast<double>(window)));
}

TEST_CASE("the algorithm under deepcc's cap does not grow a window that the cap keeps it from using") {
  const auto cca = make_cca("deepcc", always_acts(-1));
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  period(*cca, feed, 40);
  REQUIRE(internal(*cca, kHolds) == 1);
  const double before = internal(*cca, kBase);
  for (int i = 0; i < 50; ++i) feed.ack(1);
  CHECK(internal(*cca, kBase) == before);
  feed.lose(1, true);  // it still answers losses, and what is repaired meanwhile stays under the cap
  CHECK(internal(*cca, kBase) == std::floor(before * 0.7));
  CHECK(cca->ssthresh() == cca->cwnd());
}

TEST_CASE("deepcc sees the delay as a share of the target, on the scale of its authors' training") {
  const auto cca = make_cca("deepcc", [] {
    auto given = always_acts(1);
    given["target_ms"] = 100.0;
    return given;
  }());
  EventFeeder feed{*cca, Duration::millis(40)};
  period(*cca, feed, 40);
  // d = 40 - 40 + 21, T = 100 - 40 + 21
  CHECK(internal(*cca, kShare) == doctest::Approx(21.0 / 81));
  CHECK(internal(*cca, kUnder) == doctest::Approx(60.0 / 81));
  CHECK(internal(*cca, kOver) == 0);
  period(*cca, feed, 70, 3);
  CHECK(internal(*cca, kRtt) == doctest::Approx(70));
  CHECK(internal(*cca, kShare) == doctest::Approx(51.0 / 81));
  CHECK(internal(*cca, kSamples) > 0);
  CHECK(internal(*cca, kThroughput) > 0);
  const double reward = internal(*cca, kSamples) * internal(*cca, kThroughput) * internal(*cca, kShare);
  CHECK(internal(*cca, kReward) == doctest::Approx(std::min(reward, 100.0)));
  period(*cca, feed, 140, 3);
  CHECK(internal(*cca, kOver) == doctest::Approx(121.0 / 81));
  CHECK(internal(*cca, kUnder) == 0);
  CHECK(internal(*cca, kSamples) == 0);
  CHECK(internal(*cca, kThroughput) == 0);
  CHECK(internal(*cca, kReward) < 0);  // (51 + 121) / 2 are over 81
}

TEST_CASE("values are put on the scale of what they have been, and never below 0") {
  RunningScale scale;
  CHECK(scale.scaled(5) == 0);
  // mean 6, deviation 1: a score of 1, where the least so far was 0
  CHECK(scale.scaled(7) == doctest::Approx(1));
  // 5, 7, 3: mean 5, deviation 1.632993: a score of -1.224745, which is the least now
  CHECK(scale.scaled(3) == 0);
  // 5, 7, 3, 5: mean 5: 0 above the least of -1.224745
  CHECK(scale.scaled(5) == doctest::Approx(1.224745));
}

TEST_CASE("deepcc's rule halves the cap over the target, waits a round trip, and lifts it by a quarter well below") {
  const auto cca = make_cca("deepcc", {{"policy", std::string{"rule"}}, {"target_ms", 80.0}});
  EventFeeder feed{*cca, Duration::millis(40)};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_window_limited(false);
  period(*cca, feed, 70);  // 30 ms above the least: neither over 40 nor below 20
  period(*cca, feed, 70);
  const int64_t free = feed.cwnd();
  period(*cca, feed, 90);
  CHECK(feed.cwnd() == free / 2);
  for (int i = 0; i < 4; ++i) {  // 90 ms until it shows
    period(*cca, feed, 90);
    CHECK(feed.cwnd() == free / 2);
  }
  period(*cca, feed, 90);
  CHECK(feed.cwnd() == free / 4);
  for (int i = 0; i < 5; ++i) period(*cca, feed, 59);
  CHECK(feed.cwnd() > free / 4);
  CHECK(feed.cwnd() == free / 4 * 125 / 100);
}

TEST_CASE("deepcc's rule keeps the delay of a deep queue at its target whatever is underneath") {
  // check 2: T1 with 10 BDP, a target of 50 ms: less than 60 ms of queueing
  for (const std::string base : {"cubic", "westwood", "illinois", "bbr"}) {
    CAPTURE(base);
    for (const double target_ms : {50.0, 90.0}) {
      auto given = on(base, "rule");
      given["target_ms"] = target_ms;
      const LinkRun run = run_over_link({.cca = "deepcc", .params = given, .rtt_ms = 40, .queue_packets = 400});
      const LinkRun alone = run_over_link({.cca = base, .rtt_ms = 40, .queue_packets = 400});
      const double queueing = run.summary.senders[0].rtt.mean_ms - 40;
      MESSAGE(base << " to " << target_ms << " ms: queueing " << queueing << " ms, utilisation " << run.utilisation(10)
                   << "; alone " << alone.summary.senders[0].rtt.mean_ms - 40 << " ms, " << alone.utilisation(10));
      CHECK(queueing < 60);
      CHECK(queueing < 1.5 * (target_ms - 40));
      CHECK(run.utilisation(10) > (target_ms == 50 ? 0.75 : 0.9));
    }
  }
}
