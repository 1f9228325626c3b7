// PCC Allegro: its checks of docs/reference.md 5.2, numbers marked [sim] there come from an independent packet model.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/random.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/cca/paced_path.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kBase = 0;  // positions of the internals
constexpr std::size_t kUtility = 2;
constexpr std::size_t kLossPct = 3;
constexpr std::size_t kEpsilon = 5;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 9> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

std::unique_ptr<Controller> allegro_at(double mbps, Params::Given params = {}) {
  params["init_rate_mbps"] = mbps;
  return make_cca("allegro", params);
}

}  // namespace

TEST_CASE(
    "allegro doubles its rate each interval until one loses more than it may, and goes back to the last good one") {
  const LinkRun run = run_over_link(
      {.cca = "allegro", .rtt_ms = 40, .queue_packets = 40, .duration_s = 3, .sample_period = Duration::millis(1)});
  std::vector<double> rates;
  double left_at = 0;
  for (const Sample& s : run.samples) {
    if (s.time_s < 0.002) continue;
    if (s.internals[1] > 0) {  // not STARTING any more
      left_at = s.time_s;
      break;
    }
    const auto rate = static_cast<double>(s.sender.pacing_mbps);
    if (rates.empty() || rates.back() != rate) rates.push_back(rate);
  }
  REQUIRE(rates.size() >= 5);
  CHECK(rates.front() == doctest::Approx(1));
  for (std::size_t i = 1; i < rates.size(); ++i) CHECK(rates[i] / rates[i - 1] == doctest::Approx(2));
  const auto after = run.values([](const Sample& s) { return s.internals[kBase]; }, left_at, left_at + 0.005).front();
  const auto loss = run.values([](const Sample& s) { return s.internals[kLossPct]; }, left_at, left_at + 0.005).front();
  CHECK(loss > 5);
  // one or two further doublings were on the wire when the loss was noticed
  CHECK(rates.back() / after >= 2);
  CHECK(rates.back() / after <= 8);
}

TEST_CASE("allegro's trials come in fours, two faster and two slower, in random order") {
  // 6 % of random loss: utilities are noise around a slope, so that it decides over and over again
  const auto cca = allegro_at(50);
  PacedPath path{*cca, Duration::millis(40)};
  Random random{7, 0, "loss"};
  path.lost = [&](uint64_t, Rate) { return random.chance(0.06); };
  int faster_first = 0;
  int pairs = 0;
  std::vector<double> group;
  double last_rate = 0;
  path.after_send = [&] {
    const double base = internal(*cca, kBase);
    const double rate = cca->pacing_rate().to_mbps();
    if (cca->phase() != "DECISION" || std::abs(rate / base - 1) < 1e-4) {
      group.clear();
      last_rate = 0;
      return;
    }
    if (rate == last_rate) return;  // the two of a pair differ; a pair may begin with the rate the other ended with
    last_rate = rate;
    group.push_back(rate / base - 1);
    if (group.size() % 2 == 0) {
      ++pairs;
      faster_first += group[group.size() - 2] > 0 ? 1 : 0;
      CHECK(group[group.size() - 2] == doctest::Approx(-group.back()).epsilon(1e-3));
      const double eps = std::abs(group.back());
      CHECK(eps >= 0.01 - 1e-4);
      CHECK(eps <= 0.05 + 1e-4);
      CHECK(eps * 100 == doctest::Approx(std::round(eps * 100)).epsilon(1e-2));
      last_rate = 0;
    }
  };
  for (int i = 0; i < 4000 && pairs < 1000; ++i) path.send_for(Duration::seconds(1));
  REQUIRE(pairs >= 1000);
  CHECK(static_cast<double>(faster_first) / pairs > 0.45);
  CHECK(static_cast<double>(faster_first) / pairs < 0.55);
}

TEST_CASE("allegro's utility is what gets through, cut off at 5 % of loss, less what is lost") {
  for (const double loss : {0.0, 0.02, 0.05, 0.1}) {
    CAPTURE(loss);
    const auto cca = allegro_at(50, {{"eps_min", 0.001}, {"eps_max", 0.001}});
    PacedPath path{*cca, Duration::millis(40)};
    // the share of packets that are lost, evenly spread
    path.lost = [&](uint64_t n, Rate) {
      const auto k = static_cast<double>(n);
      return std::floor((k + 1) * loss) > std::floor(k * loss);
    };
    path.send(3000);
    const double measured = internal(*cca, kLossPct) / 100;
    CHECK(measured == doctest::Approx(loss).epsilon(0.2));
    const double through = (1 - measured) / (1 + std::exp(100 * (measured - 0.05)));
    const double rate = internal(*cca, kUtility) / (through - measured);
    CHECK(rate > 40);  // the rate of an interval: the first one's times a power of two
    const double doublings = std::log2(rate / 50);
    CHECK(doublings == doctest::Approx(std::round(doublings)).epsilon(0.03));
  }
}

TEST_CASE("allegro moves by 1, 2, 3 … percent while utility grows") {
  const auto cca = allegro_at(10);
  PacedPath path{*cca, Duration::millis(40)};
  // lossless below 19 Mbps, useless above: the start ends at 10, and the way up is free up to 19
  path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 19 && n % 5 == 0; };
  std::vector<double> steps;
  path.after_send = [&] {
    if (cca->phase() != "ADJUSTING") return;
    const double base = internal(*cca, kBase);
    if (steps.empty() || steps.back() != base) steps.push_back(base);
  };
  path.send_for(Duration::seconds(4));
  REQUIRE(steps.size() > 8);
  for (std::size_t i = 1; i < 8; ++i)
    CHECK(steps[i] / steps[i - 1] == doctest::Approx(1 + 0.01 * static_cast<double>(i + 1)).epsilon(1e-4));
}

TEST_CASE("allegro halves its rate once per silence, and tries again from there") {
  const auto cca = allegro_at(10);
  PacedPath path{*cca, Duration::millis(40)};
  path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 15 && n % 5 == 0; };
  path.send(2000);
  const double before = internal(*cca, kBase);
  path.time_out();
  CHECK(internal(*cca, kBase) == doctest::Approx(before / 2));
  CHECK(cca->phase() == "DECISION");
  path.time_out(true);
  path.time_out(true);
  CHECK(internal(*cca, kBase) == doctest::Approx(before / 2));
}

TEST_CASE("allegro holds its rate while the application is the limit") {
  const auto cca = allegro_at(10);
  PacedPath path{*cca, Duration::millis(40)};
  path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 15 && n % 5 == 0; };
  path.send(2000);
  path.app_limited = true;
  path.send(500);
  const double before = internal(*cca, kBase);
  path.send(5000);
  CHECK(internal(*cca, kBase) == before);
  CHECK(internal(*cca, kEpsilon) == doctest::Approx(0.01));
}

TEST_CASE("allegro keeps a link full at 1 % of random loss and gives way at 10 %") {
  // preset to 60 Mbps on T2
  const Scenario t2{.cca = "allegro",
                    .params = {{"init_rate_mbps", 60.0}},
                    .rate_mbps = 120,
                    .rtt_ms = 100,
                    .queue_packets = 1000,
                    .duration_s = 60,
                    .sample_period = Duration::millis(100)};
  Scenario one = t2;
  one.loss = 0.01;
  one.duration_s = 20;
  const LinkRun light = run_over_link(one);
  CHECK(light.utilisation(5, 10) > 0.98);  // "within 10 s"
  // 4 % in all [sim]; here 6 to 8 % at the queue alone, most of it at the start, where 120 Mbps are tried on top of the 60
  CHECK(light.loss_share() > 0.02);
  CHECK(light.loss_share() < 0.1);

  Scenario ten = t2;
  ten.loss = 0.1;
  const LinkRun heavy = run_over_link(ten);
  // 60 -> 50 Mbps in 60 s [sim]; the way down is a random walk with a drift: five seeds end between 36 and 65, at 47 on average
  const auto base = [](const Sample& s) { return s.internals[kBase]; };
  CHECK(heavy.mean(base, 50, 60) < heavy.mean(base, 2, 7));
  CHECK(heavy.mean(base, 50, 60) > 30);
}

TEST_CASE("allegro alone keeps the queue of T1 mostly full and loses about the tolerated share") {
  const LinkRun run = run_over_link({.cca = "allegro", .rtt_ms = 40, .queue_packets = 40, .duration_s = 60});
  CHECK(run.utilisation(10) >= 0.99);
  // 75 % of the queue and 5 % loss [sim]; measured over five seeds 80 to 91 % and 3 to 5 %
  const double queue = run.mean([](const Sample& s) { return s.link.queue_packets; }, 10) / 40;
  CHECK(queue > 0.7);
  CHECK(queue < 0.95);
  CHECK(run.loss_share() > 0.02);
  CHECK(run.loss_share() < 0.07);
}

TEST_CASE("allegro fills the queue of 24 Mbps and 40 ms, and loses more than it tolerates by its start") {
  const LinkRun run =
      run_over_link({.cca = "allegro", .rate_mbps = 24, .rtt_ms = 40, .queue_packets = 160, .duration_s = 20});
  CHECK(run.link().utilisation * 24 == doctest::Approx(23.6).epsilon(0.03));
  CHECK(run.link().queueing_delay.mean_ms == doctest::Approx(67).epsilon(0.15));
  CHECK(run.loss_share() > 0.05);
  CHECK(run.loss_share() < 0.14);
}

TEST_CASE("allegro's latency variant keeps the queue short") {
  const LinkRun run = run_over_link({.cca = "allegro",
                                     .params = {{"latency", true}},
                                     .rate_mbps = 24,
                                     .rtt_ms = 40,
                                     .queue_packets = 160,
                                     .duration_s = 20});
  CHECK(run.utilisation(10) > 0.9);
  CHECK(run.link().queueing_delay.mean_ms < 10);
}
