// Sprout and Sprout-EWMA over links (docs/reference.md 6.3 and 6.4; numbers marked [sim] there are of an independent model, which does
// not pace either), and over the link on which the authors' program was measured.
#include <doctest/doctest.h>

#include "tests/cca/link_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kPacketMbps = 0.012;  // a packet per second

LinkRun over(const std::string& cca, double packets_per_s, double rtt_ms, const Params::Given& given = {}) {
  return run_over_link({.cca = cca,
                        .params = given,
                        .rate_mbps = packets_per_s * kPacketMbps,
                        .rtt_ms = rtt_ms,
                        .queue_packets = 400,
                        .duration_s = 30});
}

}  // namespace

TEST_CASE("sprout fills links of 500 to 900 packets per second with 20 to 40 ms of queue") {
  for (const double rate : {500.0, 600.0, 700.0, 800.0, 900.0}) {
    CAPTURE(rate);
    const LinkRun run = over("sprout", rate, 40);
    CHECK(run.utilisation(10) >= 0.95);             // check 1
    CHECK(run.link().queueing_delay.mean_ms > 20);  // [sim: 27 to 34]
    CHECK(run.link().queueing_delay.mean_ms < 39);
    CHECK(run.link().queueing_delay.p95_ms <= 50);  // [sim: <= 50]
    const LinkRun paced = over("sprout", rate, 40, {{"pacing", std::string{"on"}}});
    CHECK(paced.utilisation(10) >= 0.95);
    CHECK(paced.link().queueing_delay.mean_ms < run.link().queueing_delay.mean_ms);
  }
}

TEST_CASE("sprout keeps itself small where its caution asks for more packets than the path holds") {
  CHECK(over("sprout", 333, 40).utilisation(10) > 0.3);  // [sim: 0.55 to 0.6]; ours 0.38, paced 0.75
  CHECK(over("sprout", 333, 40).utilisation(10) < 0.8);
  CHECK(over("sprout", 333, 100).utilisation(10) < 0.2);  // [sim: below 0.1]; ours 0.17, paced 0.06
}

TEST_CASE("sprout fills the fastest link of its range over longer round trips, where pacing lets it collapse") {
  const Params::Given paced{{"pacing", std::string{"on"}}};
  for (const double rtt : {40.0, 48.0, 50.0, 60.0}) {
    CAPTURE(rtt);
    CHECK(over("sprout", 1000, rtt).utilisation(10) > 0.93);
  }
  CHECK(over("sprout", 1000, 50, paced).utilisation(10) < 0.1);
}

TEST_CASE("sprout is back within 200 ms after an outage of two seconds") {
  const auto outage = steps({{10, 700}, {12, 0}, {30, 700}});
  for (const char* cca : {"sprout", "sprout-ewma"}) {
    CAPTURE(cca);
    const LinkRun run =
        run_over_link({.cca = cca, .trace = outage, .rtt_ms = 40, .queue_packets = 400, .duration_s = 15});
    // check 2: packets of before the outage arrive at once; 200 ms later new ones do, too
    CHECK(run.utilisation(12.2, 12.6) > 0.1);
    CHECK(run.utilisation(13.5) > 0.9);
  }
}

TEST_CASE("sprout over the link of its authors' program tops out as it does") {
  // 24 Mbps, 2 x 20 ms, 240 kB: the program reached 14.4 Mbps and 8 ms of queueing delay, on any link no more
  const LinkRun run =
      run_over_link({.cca = "sprout", .rate_mbps = 24, .rtt_ms = 40, .queue_packets = 160, .duration_s = 20});
  const double mbps = run.link().utilisation * 24;
  CHECK(mbps > 14.4);  // its loop sleeps up to 10 ms, which ours does not; with 10 ms more RTT:
  CHECK(mbps < 17.5);
  CHECK(run.link().queueing_delay.mean_ms < 12);
  const LinkRun slower = over("sprout", 2000, 50);
  CHECK(slower.utilisation(10) * 24 < mbps - 0.5);
}

TEST_CASE("sprout scales to a faster link") {
  const LinkRun run = run_over_link({.cca = "sprout",
                                     .params = {{"max_rate_mbps", 150.0}},
                                     .rate_mbps = 100,
                                     .rtt_ms = 40,
                                     .queue_packets = 2000,
                                     .duration_s = 20});
  CHECK(run.utilisation(10) > 0.9);
  CHECK(run.link().queueing_delay.mean_ms < 50);
}

TEST_CASE("sprout is the more cautious the lower its quantile") {
  const auto rtt = [](double quantile) {
    return over("sprout", 700, 40, {{"quantile", quantile}}).summary.senders[0].rtt.mean_ms;
  };
  CHECK(rtt(0.5) > rtt(0.05) + 10);
}

TEST_CASE("sprout sends a packet every 50 ms when its window stays closed") {
  const auto dead = steps({{1, 700}, {60, 0.01}});
  const LinkRun run =
      run_over_link({.cca = "sprout", .trace = dead, .rtt_ms = 40, .queue_packets = 4000, .duration_s = 11});
  const double at_6 = run.mean([](const Sample& s) { return s.inflight_packets(); }, 5.9, 6);
  const double at_10 = run.mean([](const Sample& s) { return s.inflight_packets(); }, 9.9, 10);
  CHECK(at_10 - at_6 < 4 / 0.05 + 2);
  CHECK(run.summary.senders[0].sent_packets > 100);
}

TEST_CASE("sprout-ewma fills a slow link with its 100 ms less the way there and back") {
  const LinkRun run = over("sprout-ewma", 333, 40);
  CHECK(run.utilisation(10) >= 0.98);                                            // check 1
  CHECK(run.link().queueing_delay.mean_ms == doctest::Approx(51).epsilon(0.1));  // [sim: 51 ms, p95 62 ms]
  CHECK(run.link().queueing_delay.p95_ms == doctest::Approx(62).epsilon(0.1));
}

TEST_CASE("sprout-ewma lets the queue grow when the capacity halves, until its average has followed; sprout less") {
  const auto halved = steps({{10, 800}, {20, 400}});
  const auto peak = [&](const char* cca) {
    const LinkRun run =
        run_over_link({.cca = cca, .trace = halved, .rtt_ms = 40, .queue_packets = 400, .duration_s = 15});
    return run.largest([](const Sample& s) { return s.link.sojourn_max_ms; }, 10, 12);
  };
  CHECK(peak("sprout-ewma") > peak("sprout") + 20);  // check 2
  CHECK(peak("sprout-ewma") < 250);
}

TEST_CASE("sprout that starts late wants nothing before its start") {
  const Time start = Time::zero() + Duration::seconds(9);
  for (const std::string id : {"sprout", "sprout-ewma"}) {
    const Descriptor* cca = find_cca(id);
    CHECK(cca->make({.now = start, .random = Random{1, 0, id}}, Params{cca->params, {}})->next_tick() >= start);
  }
}
