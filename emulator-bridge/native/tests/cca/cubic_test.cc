#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "tests/cca/event_feeder.hh"

using namespace paceline;
using paceline::testing::EventFeeder;
using paceline::testing::make_cca;

namespace {

constexpr std::size_t kWMax = 2;  // positions in the internals
constexpr std::size_t kK = 3;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 5> values{};
  cca.internals(values);
  return values[index];
}

Params::Given plain(const std::string& profile) {
  return {{"profile", profile}, {"hystart", std::string{"off"}}, {"friendliness", false}};
}

void grow_to(EventFeeder& feed, int64_t window) {
  while (feed.cwnd() < window) feed.ack(static_cast<uint32_t>(std::min<int64_t>(window - feed.cwnd(), 50)));
  REQUIRE(feed.cwnd() == window);
}

}  // namespace

TEST_CASE("cubic keeps 70 % at a loss and its curve is flat at the old window after K seconds") {
  for (const std::string profile : {"linux", "rfc"}) {
    for (const int64_t w_max : {1000, 100}) {  // docs/reference.md 2.2, checks 1 and 2: K = 9.09 s and 4.22 s
      CAPTURE(profile);
      CAPTURE(w_max);
      const double k = std::cbrt(0.3 * static_cast<double>(w_max) / 0.4);
      const auto cca = make_cca("cubic", plain(profile));
      EventFeeder feed{*cca};
      grow_to(feed, w_max);
      feed.lose_one();
      CHECK(feed.cwnd() == w_max * 7 / 10);
      feed.round();
      CHECK(internal(*cca, kK) == doctest::Approx(k).epsilon(0.02));
      const double start = feed.seconds() - 0.1;
      while (feed.seconds() < start + k / 2) feed.round();
      // halfway in time the curve is an eighth of the drop below the plateau; it is sampled once per RTT of 0.1 s
      const double slope = 3 * 0.4 * (k / 2) * (k / 2);
      CHECK(std::abs(static_cast<double>(feed.cwnd()) - static_cast<double>(w_max) * (1 - 0.3 / 8)) < 0.2 * slope + 1);
      while (feed.seconds() < start + k) feed.round();
      const int64_t at_k = feed.cwnd();
      CHECK(std::abs(at_k - w_max) <= 1);
      feed.round();
      CHECK(feed.cwnd() - at_k <= 2);
      // mirror image beyond the plateau: K later the window has risen by as much as it fell
      while (feed.seconds() < start + 2 * k) feed.round();
      CHECK(static_cast<double>(feed.cwnd()) == doctest::Approx(1.3 * static_cast<double>(w_max)).epsilon(0.02));
    }
  }
}

TEST_CASE("cubic aims below a window it did not get back to: W_max is 85 % of the window at the loss") {
  for (const std::string profile : {"linux", "rfc"}) {
    CAPTURE(profile);
    const auto cca = make_cca("cubic", plain(profile));
    EventFeeder feed{*cca};
    grow_to(feed, 1000);
    feed.lose_one();
    CHECK(internal(*cca, kWMax) == doctest::Approx(1000));
    for (int i = 0; i < 20; ++i) feed.round();
    const auto before = static_cast<double>(feed.cwnd());
    REQUIRE(before < 1000);
    feed.lose_one();
    CHECK(internal(*cca, kWMax) == doctest::Approx(0.85 * before).epsilon(0.002));
  }
}

TEST_CASE("cubic without fast convergence aims for the window it lost at") {
  auto given = plain("linux");
  given["fast_convergence"] = false;
  const auto cca = make_cca("cubic", given);
  EventFeeder feed{*cca};
  grow_to(feed, 1000);
  feed.lose_one();
  feed.lose_one();
  CHECK(internal(*cca, kWMax) == doctest::Approx(700));
}

TEST_CASE("cubic in its friendly region grows at least as Reno with the same loss rate would") {
  // Reno-friendly slope 3(1-b)/(1+b) = 0.529 packets per round trip (Linux' eighths: 1/1.875 = 0.533). The RFC takes up
  // Reno's own slope of 1 once the window is back where it was: 12 packets in 22.7 rounds, then one per round.
  for (const auto& [each_profile, gained] :
       {std::pair<std::string, double>{"linux", 60 * 0.533}, {"rfc", 12 + (60 - 22.7)}}) {
    const auto& profile = each_profile;
    CAPTURE(profile);
    auto given = plain(profile);
    given["friendliness"] = true;
    const auto cca = make_cca("cubic", given);
    EventFeeder feed{*cca, Duration::millis(10)};
    grow_to(feed, 40);
    feed.lose_one();
    REQUIRE(feed.cwnd() == 28);
    for (int i = 0; i < 60; ++i) feed.round();  // 0.6 s: the curve has risen by 6 packets only
    CHECK(static_cast<double>(feed.cwnd() - 28) == doctest::Approx(gained).epsilon(0.1));
  }
}

TEST_CASE("cubic without a known loss grows by 5 % per round trip after HyStart has ended slow start") {
  const auto cca = make_cca("cubic");
  EventFeeder feed{*cca};
  for (int i = 0; i < 3; ++i) feed.round();
  feed.set_rtt(Duration::millis(120));  // the queue builds: over 100/8 = 12.5 ms more
  feed.round();
  feed.round();
  REQUIRE(feed.ssthresh() <= feed.cwnd());
  const int64_t before = feed.cwnd();
  for (int i = 0; i < 5; ++i) feed.round();
  CHECK(static_cast<double>(feed.cwnd()) >= static_cast<double>(before) * 1.25 - 2);
}

TEST_CASE(
    "cubic after a timeout starts from one packet; Linux forgets the curve, the RFC keeps the plateau at the window") {
  for (const std::string profile : {"linux", "rfc"}) {
    CAPTURE(profile);
    const auto cca = make_cca("cubic", plain(profile));
    EventFeeder feed{*cca};
    grow_to(feed, 100);
    feed.time_out();
    CHECK(feed.cwnd() == 1);
    CHECK(feed.ssthresh() == 70);
    for (int i = 0; i < 9; ++i) feed.round();
    CHECK(feed.cwnd() >= 70);
    if (profile == "linux") CHECK(std::isnan(internal(*cca, kWMax)));
    if (profile == "rfc") {
      CHECK(internal(*cca, kWMax) == doctest::Approx(70));
      CHECK(internal(*cca, kK) == doctest::Approx(0));
    }
  }
}

TEST_CASE("cubic gives back window, ssthresh and, in the RFC profile, the curve when the episode was spurious") {
  for (const std::string profile : {"linux", "rfc"}) {
    CAPTURE(profile);
    const auto cca = make_cca("cubic", plain(profile));
    EventFeeder feed{*cca};
    grow_to(feed, 1000);
    feed.lose_one();
    for (int i = 0; i < 20; ++i) feed.round();
    const int64_t before = feed.cwnd();
    feed.lose(1, true);
    feed.ack(1, Recovery::undone);
    CHECK(feed.cwnd() >= before);
    CHECK(feed.cwnd() <= before + 1);
    if (profile == "rfc") CHECK(internal(*cca, kWMax) == doctest::Approx(1000));
  }
}

TEST_CASE("cubic's clock stands still while the flow is idle") {
  const auto cca = make_cca("cubic", plain("linux"));
  EventFeeder feed{*cca};
  grow_to(feed, 100);
  feed.lose_one();
  for (int i = 0; i < 10; ++i) feed.round();
  cca->on_sent({.now = feed.now(), .size = kMtu});
  const int64_t before = feed.cwnd();
  feed.wait(Duration::millis(250));  // less than an RTO: the window stays
  cca->on_idle_restart(feed.now());
  feed.round();
  CHECK(feed.cwnd() - before <= 3);
}

TEST_CASE(
    "cubic's curve after a pause in which the window is not used: goes on (RFC 9438 section 5.8), or begins anew "
    "(quic-go)") {
  // Up to half of K, then so long unused, then a round: where the curve stands.
  const auto after = [](const std::string& profile, TransportProfile transport, int unused_rounds) {
    const auto cca = make_cca("cubic", plain(profile), transport);
    EventFeeder feed{*cca};
    grow_to(feed, 1000);
    feed.lose_one();
    for (int i = 0; i < 45; ++i) feed.round();
    feed.set_window_limited(false);
    for (int i = 0; i < unused_rounds; ++i) feed.round();
    feed.set_window_limited(true);
    feed.round();
    return std::pair{feed.cwnd(), internal(*cca, kK)};
  };
  const auto [rfc, rfc_k] = after("rfc", TransportProfile::quic, 20);
  const auto [straight, straight_k] = after("rfc", TransportProfile::quic, 0);
  CHECK(rfc == straight);
  CHECK(rfc_k == doctest::Approx(std::cbrt(0.3 * 1000 / 0.4)).epsilon(0.02));
  // From the window of then: K is of what is left to the old one, and the curve is steep again there.
  const auto [anew, anew_k] = after("quic-go", TransportProfile::quic, 20);
  CHECK(anew_k < 0.7 * rfc_k);
  CHECK(anew_k == doctest::Approx(std::cbrt((1000 - static_cast<double>(straight)) / 0.4)).epsilon(0.1));
  CHECK(after("stack", TransportProfile::quic, 20) == std::pair{anew, anew_k});
  CHECK(after("stack", TransportProfile::tcp, 20) == after("linux", TransportProfile::tcp, 20));
  CHECK(after("quic-go", TransportProfile::quic, 0) == after("rfc", TransportProfile::quic, 0));
}
