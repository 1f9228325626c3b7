// Aurora's loop: its intervals, what its agent sees of them, what its actions do, and its reward (docs/reference.md 7.3).
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/cca/networks.hh"
#include "tests/cca/paced_path.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// Positions of the internals.
enum : std::size_t { kBase, kAction, kReward, kGradient, kRatio, kSending };

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 6> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

// Over a path of 40 ms, with this network in the place of the trained one.
struct Loop {
  explicit Loop(const Params::Weights& network, Params::Given given = {})
      : cca{make_cca("aurora", with(network, std::move(given)))}, path{*cca, Duration::millis(40)} {}

  static Params::Given with(const Params::Weights& network, Params::Given given) {
    given["policy"] = std::string{"network"};
    given["weights"] = network;
    return given;
  }
  // The rates of the intervals while so many packets are sent, each with how many packets it sent.
  std::vector<std::pair<double, int>> rates(uint64_t packets) {
    std::vector<std::pair<double, int>> seen;
    path.after_send = [this, &seen] {
      const double rate = cca->pacing_rate().to_mbps();
      if (seen.empty() || seen.back().first != rate) seen.emplace_back(rate, 0);
      ++seen.back().second;
    };
    path.send(packets);
    path.after_send = [] {};
    return seen;
  }

  std::unique_ptr<Controller> cca;
  PacedPath path;
};

std::shared_ptr<FeedForward> still() { return always("aurora", "latency_ratio", 0); }

}  // namespace

TEST_CASE("an action moves aurora's rate by its share of the step, up as far as down") {
  for (const float action : {1.0F, 0.5F, -0.5F, -1.0F}) {
    CAPTURE(action);
    Loop loop{always("aurora", "latency_ratio", action), {{"step", 0.2}, {"init_rate_mbps", 24.0}}};
    const auto rates = loop.rates(1500);
    REQUIRE(rates.size() > 6);
    CHECK(rates[0].first == doctest::Approx(24));
    const double factor =
        action > 0 ? 1 + 0.2 * static_cast<double>(action) : 1 / (1 - 0.2 * static_cast<double>(action));
    // One interval is settled while another is sent; at a border of both it may be none or two.
    int once = 0;
    for (std::size_t i = 1; i < rates.size() && rates[i].first > 0.5; ++i) {
      const double steps = std::log(rates[i].first / rates[i - 1].first) / std::log(factor);
      CHECK(steps == doctest::Approx(std::round(steps)));
      CHECK(std::round(steps) >= 1);
      CHECK(std::round(steps) <= 2);
      once += std::round(steps) == 1 ? 1 : 0;
    }
    CHECK(once > 3);
    CHECK(internal(*loop.cca, kAction) == doctest::Approx(static_cast<double>(action)));
  }
}

TEST_CASE("aurora's rate stays between half a megabit and a hundred gigabits a second") {
  Loop down{always("aurora", "latency_ratio", -1), {{"step", 1.0}}};
  down.path.send(300);
  CHECK(down.cca->pacing_rate().to_mbps() == doctest::Approx(0.5));
  Loop up{always("aurora", "latency_ratio", 1), {{"step", 1.0}, {"init_rate_mbps", 1000.0}}};
  up.path.send(20'000);
  CHECK(internal(*up.cca, kBase) <= 1e5);
}

TEST_CASE("an interval of aurora's is half a round trip long, and five packets at least") {
  // 24 Mbps are 2000 packets a second, 40 in half a round trip; 3 Mbps are 5 in 20 ms
  struct Link {
    double mbps;
    uint64_t packets;
  };
  for (const Link link : {Link{24.0, 40}, Link{1.2, 5}}) {
    const auto mbps = link.mbps;
    const auto packets = link.packets;
    CAPTURE(mbps);
    // the rate creeps up, so that intervals can be told apart
    Loop loop{always("aurora", "latency_ratio", 0.01F), {{"step", 0.001}, {"init_rate_mbps", mbps}}};
    loop.path.send(packets * 6);  // until the RTT is known
    const auto rates = loop.rates(packets * 6);
    REQUIRE(rates.size() > 4);
    for (std::size_t i = 1; i + 1 < rates.size(); ++i) {
      CHECK(rates[i].second >= packets);
      CHECK(rates[i].second <= packets + 1);
    }
  }
}

TEST_CASE("what aurora's agent sees of a path that stands still, and what that is worth") {
  Loop loop{still(), {{"init_rate_mbps", 12.0}}};
  loop.path.send(400);
  CHECK(internal(*loop.cca, kGradient) == doctest::Approx(0));
  CHECK(internal(*loop.cca, kRatio) == doctest::Approx(1));
  CHECK(internal(*loop.cca, kSending) == doctest::Approx(1));
  // 1000 packets a second, 40 ms, nothing lost
  CHECK(internal(*loop.cca, kReward) == doctest::Approx(10 * 1000 - 1000 * 0.04).epsilon(1e-3));
  CHECK(loop.cca->pacing_rate().to_mbps() == doctest::Approx(12));
}

TEST_CASE("what aurora's agent sees of an RTT that rises and of losses") {
  Loop loop{still(), {{"init_rate_mbps", 12.0}}};
  loop.path.send(200);
  const Time begun = loop.path.now();
  // a tenth of a second in each second
  loop.path.rtt_of = [begun](Time now, Rate) { return Duration::millis(40) + scale(now - begun, 0.1); };
  loop.path.send(1000);
  CHECK(internal(*loop.cca, kGradient) == doctest::Approx(0.1).epsilon(0.01));
  // one second later; what was settled when the current interval began left about 230 ms ago
  CHECK(internal(*loop.cca, kRatio) == doctest::Approx((40 + 100 - 23) / 40.0).epsilon(0.05));

  Loop losing{still(), {{"init_rate_mbps", 12.0}}};
  losing.path.send(200);
  losing.path.lost = [](uint64_t number, Rate) { return number % 5 == 0; };
  losing.path.send(400);
  CHECK(internal(*losing.cca, kSending) == doctest::Approx(1.25).epsilon(0.07));
  CHECK(internal(*losing.cca, kReward) == doctest::Approx(10 * 800 - 1000 * 0.04 - 2000 * 0.2).epsilon(0.07));
}

TEST_CASE("aurora's agent sees that packets arrive more slowly than they were sent, though none is lost") {
  Loop loop{still(), {{"init_rate_mbps", 12.0}}};
  loop.path.send(200);
  const Time begun = loop.path.now();
  // A link of 6 Mbps behind an endless queue: each second of sending takes two to arrive.
  loop.path.rtt_of = [begun](Time now, Rate) { return Duration::millis(40) + (now - begun); };
  loop.path.send(400);
  CHECK(internal(*loop.cca, kSending) == doctest::Approx(2).epsilon(0.05));
  CHECK(internal(*loop.cca, kGradient) == doctest::Approx(1).epsilon(0.01));
  CHECK(internal(*loop.cca, kReward) + 1000 * (0.04 + 0.18) == doctest::Approx(10 * 500).epsilon(0.05));
}

TEST_CASE("a silence halves aurora's rate, once") {
  Loop loop{still(), {{"init_rate_mbps", 12.0}}};
  loop.path.send(200);
  loop.path.time_out();
  loop.path.send(1);
  CHECK(loop.cca->pacing_rate().to_mbps() == doctest::Approx(6));
  loop.path.time_out(true);
  loop.path.send(1);
  CHECK(loop.cca->pacing_rate().to_mbps() == doctest::Approx(6));
}

TEST_CASE("aurora has a window only where it is asked for") {
  Loop loop{still()};
  loop.path.send(200);
  CHECK(loop.cca->cwnd() == Bytes::infinite());
  Loop capped{still(), {{"window_rtts", 2.0}, {"init_rate_mbps", 12.0}}};
  capped.path.send(200);
  CHECK(capped.cca->cwnd().v == doctest::Approx(2 * 40 * 1500).epsilon(0.01));
}
