#include <doctest/doctest.h>

#include "cca/hystart.hh"
#include "tests/cca/event_feeder.hh"

using namespace paceline;
using paceline::testing::EventFeeder;
using paceline::testing::make_cca;

namespace {

Params::Given with(const std::string& rule) { return {{"hystart", rule}}; }

}  // namespace

TEST_CASE("hystart leaves slow start when the round's least RTT rises by more than an eighth") {
  const auto cca = make_cca("newreno", with("hystart"));
  EventFeeder feed{*cca};
  for (int i = 0; i < 2; ++i) feed.round();
  feed.set_rtt(Duration::millis(112));  // + 12 ms: below the threshold of 12.5 ms
  feed.round();
  CHECK(cca->ssthresh() == Bytes::infinite());
  feed.set_rtt(Duration::millis(114));
  feed.round();
  CHECK(feed.ssthresh() < 170);
}

TEST_CASE("hystart's delay threshold stays between 4 and 16 ms") {
  for (const auto& [each_base, each_rise, leaves] :
       {std::tuple{10, 3, false}, {10, 5, true}, {400, 15, false}, {400, 17, true}}) {
    const auto& base = each_base;
    CAPTURE(base);
    const auto& rise = each_rise;
    CAPTURE(rise);
    const auto cca = make_cca("newreno", with("hystart"));
    EventFeeder feed{*cca, Duration::millis(base)};
    // from far apart ACKs, so that no ACK train is seen
    for (int i = 0; i < 24; ++i) {
      feed.wait(Duration::millis(base > 100 ? 5 : 3));
      feed.ack(1);
    }
    feed.set_rtt(Duration::millis(base + rise));
    for (int i = 0; i < 2; ++i) {
      const int64_t window = feed.cwnd();
      for (int64_t n = 0; n < window; ++n) {
        feed.wait(Duration::millis(3));
        feed.ack(1);
      }
    }
    CHECK((cca->ssthresh() < Bytes::infinite()) == leaves);
  }
}

TEST_CASE("hystart leaves slow start when ACKs come back to back for as long as the path; half of it when unpaced") {
  for (const std::string pacing : {"on", "off"}) {
    CAPTURE(pacing);
    const auto cca =
        make_cca("newreno", {{"hystart", std::string{"hystart"}}, {"pacing", pacing}, {"init_cwnd", 100.0}});
    EventFeeder feed{*cca, Duration::millis(20)};
    feed.ack(1);  // starts a round
    Duration train{};
    while (cca->ssthresh() == Bytes::infinite() && train < Duration::millis(60)) {
      feed.wait(Duration::millis(1));
      train += Duration::millis(1);
      feed.ack(1);
    }
    const double threshold = pacing == "on" ? 21 : 10.5;  // least RTT + 1 ms for the sender's own bursts
    CHECK(train.to_millis() >= threshold);
    CHECK(train.to_millis() <= threshold + 2);
  }
}

TEST_CASE("hystart++ slows to a quarter when delay rises, and ends slow start after five such rounds") {
  const auto cca = make_cca("newreno", with("hystart++"));
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  REQUIRE(feed.cwnd() == 80);
  feed.set_rtt(Duration::millis(120));
  feed.round();  // its eighth sample turns growth down
  int rounds = 0;
  int64_t before = feed.cwnd();
  while (cca->ssthresh() == Bytes::infinite() && rounds < 10) {
    feed.round();
    ++rounds;
    if (cca->ssthresh() == Bytes::infinite())
      CHECK(static_cast<double>(feed.cwnd()) == doctest::Approx(static_cast<double>(before) * 1.25).epsilon(0.03));
    before = feed.cwnd();
  }
  CHECK(rounds >= 4);
  CHECK(rounds <= 6);
}

TEST_CASE("hystart++ resumes slow start when the rise was spurious") {
  const auto cca = make_cca("newreno", with("hystart++"));
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_rtt(Duration::millis(120));
  feed.round();
  feed.set_rtt(Duration::millis(100));
  feed.round();
  const int64_t before = feed.cwnd();
  feed.round();
  CHECK(feed.cwnd() == 2 * before);
}
