// Reminis' Guardian, one look at a time, with the paper's settings to the letter (section IV; docs/reference.md 6.5, whose decisions R1–R10
// are what is asserted).
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/reminis_letter.hh"

using namespace paceline;
using paceline::testing::by_the_letter;
using paceline::testing::EventFeeder;
using paceline::testing::make_cca;

namespace {

constexpr double kExploration = 1;  // zones
constexpr double kSlowdown = 2;
constexpr double kMitigation = 3;

struct Look {
  double zone, delay_ms, gradient, mu, variance, safe_zone, factor, dtt_ms, mrtt_ms;
};

Look look(const Controller& cca) {
  std::array<float, 9> v{};
  cca.internals(v);
  return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]};
}

// One interval of `cca` in which every packet took `rtt_ms`.
class Guarded {
 public:
  explicit Guarded(const Params::Given& given = {}) : cca_{make_cca("reminis", by_the_letter(given))}, feed_{*cca_} {}

  Look interval(double rtt_ms, bool window_limited = true) {
    acknowledge(rtt_ms, window_limited);
    const double before = packets();
    cca_->on_tick(cca_->next_tick());
    ratio_ = packets() / before;
    return look(*cca_);
  }
  void acknowledge(double rtt_ms, bool window_limited = true) {
    feed_.set_rtt(Duration::seconds(rtt_ms / 1000));
    least_ = std::min(least_, Duration::seconds(rtt_ms / 1000));
    AckEvent ack = feed_.next_ack(1);
    if (!cca_->next_tick().is_never()) ack.now = cca_->next_tick() - Duration::micros(1);
    ack.min_rtt = least_;
    ack.window_limited = window_limited;
    cca_->on_ack(ack);
  }
  [[nodiscard]] double packets() const { return cca_->cwnd().in_packets(kMtu); }
  [[nodiscard]] double ratio() const { return ratio_; }  // of the windows after and before the last look
  Controller& cca() { return *cca_; }
  EventFeeder& feed() { return feed_; }

 private:
  std::unique_ptr<Controller> cca_;
  EventFeeder feed_;
  Duration least_{Duration::infinite()};
  double ratio_{};
};

double safe_zone(double d, double mrtt, double dtt) { return 1 - (d - mrtt) / (dtt - mrtt); }

}  // namespace

TEST_CASE(
    "reminis explores by a factor between 1 and 2, slows down by at most 1, and gives up at least half beyond its "
    "threshold") {
  Guarded guarded;
  Random weather{3, 0, "weather"};
  guarded.interval(20);
  int seen[4]{};
  for (int i = 0; i < 10'000; ++i) {  // check 1
    const Look now = guarded.interval(weather.uniform(20, weather.chance(0.2) ? 60 : 32));
    ++seen[static_cast<int>(now.zone)];
    if (now.zone == kExploration) {
      REQUIRE(now.gradient <= 0);
      REQUIRE(now.delay_ms <= now.dtt_ms);
      REQUIRE(now.factor >= 1);
      REQUIRE(now.factor <= 2);
    } else if (now.zone == kSlowdown) {
      REQUIRE(now.gradient > 0);
      REQUIRE(now.delay_ms <= now.dtt_ms);
      REQUIRE(now.factor <= 1);
      REQUIRE(now.factor == doctest::Approx(std::exp2(std::min(
                                0.0, safe_zone(now.delay_ms + now.gradient * now.mrtt_ms, now.mrtt_ms, now.dtt_ms)))));
    } else {
      REQUIRE(now.delay_ms > now.dtt_ms);
      REQUIRE(now.factor <= 0.5);
      REQUIRE(now.factor == doctest::Approx(0.5 * std::exp2(safe_zone(now.delay_ms, now.mrtt_ms, now.dtt_ms))));
    }
    REQUIRE(guarded.packets() >= 2);
    REQUIRE(std::abs(now.mu) <= 8);
  }
  CHECK(seen[1] > 1000);
  CHECK(seen[2] > 1000);
  CHECK(seen[3] > 1000);
}

TEST_CASE("reminis multiplies its window by the square root of two while the queue stays empty") {
  Guarded guarded{{{"pacing", std::string{"on"}}}};
  for (int i = 0; i < 6; ++i) {  // check 2: µ = 0, so no spread either (R3), and S(0) = 1/2
    const Look now = guarded.interval(20);
    CHECK(now.zone == kExploration);
    CHECK(now.mu == 0);
    CHECK(now.factor == doctest::Approx(std::sqrt(2)));
    CHECK(guarded.ratio() == doctest::Approx(std::sqrt(2)).epsilon(0.01));
  }
}

TEST_CASE("reminis' µ adds up the changes of delay per time, and is held within its bounds") {
  Guarded guarded{{{"mu_clamp", 0.3}}};
  CHECK(guarded.interval(20).mu == doctest::Approx(0));
  // R4, R5: with intervals of the least RTT the sum telescopes to (first - now) / SI, without unit
  CHECK(guarded.interval(24).mu == doctest::Approx(-4.0 / 20).epsilon(0.001));
  CHECK(guarded.interval(22).mu == doctest::Approx(-2.0 / 20).epsilon(0.001));
  CHECK(look(guarded.cca()).variance == doctest::Approx(0.1 / 4).epsilon(0.001));  // R3: without its sign
  CHECK(guarded.interval(29).mu == doctest::Approx(-0.3));
}

TEST_CASE("reminis draws without spread below zero when told so") {
  Guarded guarded{{{"sigma_mode", std::string{"clamp0"}}}};
  guarded.interval(20);
  guarded.interval(24);
  const Look now = guarded.interval(22);
  CHECK(now.variance == 0);
  CHECK(now.factor == doctest::Approx(std::exp2(1 / (1 + std::exp(0.1)))));
}

TEST_CASE("reminis' first look takes the least RTT or the sample to compare with") {
  // slow start filled the queue before the first look: 28 ms over a least RTT of 20 ms
  for (const auto& [first, mu] : {std::pair<std::string, double>{"mrtt", -0.4}, {"sample", 0.0}}) {
    Guarded guarded{{{"first_d", first}}};
    guarded.acknowledge(20);
    guarded.cca().on_tick(guarded.cca().next_tick());
    Guarded late{{{"first_d", first}, {"d_stat", std::string{"last"}}}};
    late.acknowledge(20);
    CHECK(late.interval(28).mu == doctest::Approx(mu));
  }
}

TEST_CASE("reminis goes by the mean, the last or the least RTT of an interval") {
  for (const auto& [statistic, expected] : {std::pair<std::string, double>{"mean", 25}, {"last", 30}, {"min", 20}}) {
    Guarded guarded{{{"d_stat", statistic}}};
    guarded.acknowledge(20);
    CHECK(guarded.interval(30).delay_ms == doctest::Approx(expected));
  }
}

TEST_CASE("reminis' threshold follows the least RTT down, or is what the application names") {
  Guarded relative;
  CHECK(relative.interval(40).dtt_ms == doctest::Approx(60));
  CHECK(relative.interval(30).dtt_ms == doctest::Approx(45));
  CHECK(relative.interval(40).dtt_ms == doctest::Approx(45));

  Guarded absolute{{{"dtt_mode", std::string{"absolute"}}, {"dtt_ms", 60.0}}};
  CHECK(absolute.interval(40).dtt_ms == doctest::Approx(60));
  CHECK(absolute.interval(20).dtt_ms == doctest::Approx(60));
  Guarded impossible{{{"dtt_mode", std::string{"absolute"}}, {"dtt_ms", 10.0}}};
  CHECK(impossible.interval(20).dtt_ms ==
        doctest::Approx(22));  // below the path's own delay: as near to it as makes sense
}

TEST_CASE("reminis takes the wait for an acknowledgement as the delay once it is over the threshold") {
  Guarded guarded;
  for (int i = 0; i < 8; ++i) guarded.interval(20);
  const double before = guarded.packets();
  guarded.cca().on_sent(
      {.now = guarded.cca().next_tick(), .size = kMtu, .inflight_before = kMtu, .inflight = kMtu * 2});
  guarded.cca().on_tick(guarded.cca().next_tick());  // 20 ms without an ACK: below 30, nothing is known (R2)
  CHECK(guarded.packets() == before);
  guarded.cca().on_tick(guarded.cca().next_tick());  // 40 ms
  CHECK(look(guarded.cca()).zone == kMitigation);
  CHECK(look(guarded.cca()).delay_ms == doctest::Approx(40).epsilon(0.001));
  CHECK(guarded.packets() < before / 2);
}

TEST_CASE("reminis does not explore with a window that is not used, nor while losses are repaired") {
  Guarded idle;
  idle.interval(20);
  idle.interval(20, false);
  CHECK(look(idle.cca()).zone == kExploration);
  CHECK(idle.ratio() == 1);

  Guarded losing;
  for (int i = 0; i < 4; ++i) losing.interval(20);
  const double before = losing.packets();
  losing.feed().lose(1, true);
  const double halved = losing.packets();
  CHECK(halved == doctest::Approx(before / 2).epsilon(0.1));  // the AIMD below
  losing.feed().ack(1, Recovery::in);
  losing.cca().on_tick(losing.cca().next_tick());
  CHECK(losing.packets() == halved);
}

TEST_CASE("reminis without its AIMD keeps slow start and timeouts, and neither grows nor halves otherwise") {
  Guarded guarded{{{"aimd", false}}};
  for (int i = 0; i < 5; ++i) guarded.acknowledge(20);
  CHECK(guarded.packets() == 15);
  guarded.interval(20);
  guarded.interval(24);  // the first look that sees the delay rise ends slow start (R9)
  const double before = guarded.packets();
  for (int i = 0; i < 200; ++i) guarded.acknowledge(24);
  CHECK(guarded.packets() == before);
  guarded.feed().lose(1, true);
  CHECK(guarded.packets() == before);
  guarded.feed().time_out();
  CHECK(guarded.packets() == 1);
}

TEST_CASE("reminis keeps fractions of packets unless told to cut them") {
  for (const auto& [cut, window] : {std::pair<bool, double>{false, 11 * std::sqrt(2)}, {true, 15}}) {
    Guarded guarded{{{"int_cwnd", cut}}};
    guarded.interval(20);  // slow start adds one packet before the look
    CHECK(guarded.packets() == doctest::Approx(window).epsilon(0.001));
  }
}

TEST_CASE("what reminis cuts after slow start, its AIMD climbs back, or slow start if it is asked for again") {
  for (const bool again : {false, true}) {
    CAPTURE(again);
    Guarded guarded{{{"slow_start_again", again}}};
    for (int i = 0; i < 10; ++i) guarded.interval(20);
    guarded.interval(24);  // R9: here slow start ends
    const Bytes threshold = guarded.cca().ssthresh();
    CHECK(threshold.in_packets(kMtu) == std::floor(guarded.packets()));
    guarded.interval(45);
    guarded.interval(45);
    REQUIRE(guarded.packets() < 0.25 * threshold.in_packets(kMtu));
    const double cut = guarded.packets();
    CHECK(guarded.cca().ssthresh().in_packets(kMtu) == (again ? threshold.in_packets(kMtu) : std::floor(cut)));
    guarded.acknowledge(20);
    CHECK(guarded.packets() == doctest::Approx(again ? cut + 1 : cut).epsilon(0.001));
  }
}
