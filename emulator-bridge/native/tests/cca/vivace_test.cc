// PCC Vivace: its checks of docs/reference.md 5.3, numbers marked [sim] there come from an independent packet model.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

#include "cca/pcc_gradient.hh"
#include "cca/vivace_step.hh"
#include "core/random.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"
#include "tests/cca/paced_path.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr std::size_t kBase = 0;  // positions of the internals
constexpr std::size_t kUtility = 2;

double internal(const Controller& cca, std::size_t index) {
  std::array<float, 11> values{};
  cca.internals(values);
  return static_cast<double>(values[index]);
}

double rtt_p95(const LinkRun& run, double from_s) {
  auto rtts = run.values([](const Sample& s) { return s.sender.latest_rtt_ms; }, from_s);
  const auto at = rtts.begin() + static_cast<std::ptrdiff_t>(rtts.size() * 95 / 100);
  std::ranges::nth_element(rtts, at);
  return *at;
}

}  // namespace

TEST_CASE("vivace's utility has its maximum under random loss where the paper's constants put it") {
  // without latency: (0.9 / (11.35 p))^10 Mbps
  const VivaceUtility u{.latency = 0};
  for (const auto& [each_loss, best] : {std::pair{0.04, 937.0}, {0.05, 101.0}, {0.06, 16.0}}) {
    const auto& loss = each_loss;
    CAPTURE(loss);
    const double at = std::pow(0.9 / (11.35 * loss), 10);
    CHECK(at == doctest::Approx(best).epsilon(0.02));
    CHECK(u(at, 0, loss) > u(at * 1.01, 0, loss));
    CHECK(u(at, 0, loss) > u(at * 0.99, 0, loss));
  }
  CHECK(VivaceUtility{}(10, 0.01, 0) == doctest::Approx(std::pow(10, 0.9) - 90));
}

TEST_CASE("vivace's steps in one direction grow as 1, 2, 3, 4, 6, 7 … times the gradient, within a growing bound") {
  // a small gradient over a large rate, so that the bound does not matter; the first step only sets the direction
  VivaceStep step{1, 0.05, 0.06};
  CHECK(step.next(1000, 1) == doctest::Approx(1));
  for (const double times : {1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 14}) CHECK(step.next(1000, 1) == doctest::Approx(times));
  // turned: from the start again, and the next two steps in the new direction are not trusted to amplify
  CHECK(step.next(1000, -1) == doctest::Approx(-1));
  for (const double times : {1, 1, 2}) CHECK(step.next(1000, -1) == doctest::Approx(-times));

  // a large gradient: 5 %, 11 %, 17 % … of the rate
  VivaceStep bounded{1, 0.05, 0.06};
  for (const double share : {0.05, 0.11, 0.17, 0.23}) CHECK(bounded.next(10, 100) == doctest::Approx(10 * share));
  CHECK(bounded.next(10, -100) == doctest::Approx(-0.5));

  // never less than half a megabit per second
  VivaceStep small{1, 0.05, 0.06};
  CHECK(small.next(100, 0.01) == doctest::Approx(0.5));
  CHECK(small.next(100, -0.01) == doctest::Approx(-0.5));
}

TEST_CASE("vivace starts at 1.6 Mbps, doubles while utility grows, and then probes 5 % or 0.5 Mbps to both sides") {
  const auto cca = make_cca("vivace");
  PacedPath path{*cca, Duration::millis(40)};
  path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 30 && n % 3 == 0; };
  std::vector<double> starting;
  std::vector<double> probes;
  path.after_send = [&] {
    const double rate = cca->pacing_rate().to_mbps();
    if (cca->phase() == "STARTING" && (starting.empty() || starting.back() != rate)) starting.push_back(rate);
    const double away = rate / internal(*cca, kBase) - 1;
    if (cca->phase() == "PROBING" && std::abs(away) > 1e-3 && (probes.empty() || probes.back() != away))
      probes.push_back(away);
  };
  path.send_for(Duration::millis(1200));
  REQUIRE(starting.size() == 6);  // 1.6 … 51.2
  for (std::size_t i = 0; i < starting.size(); ++i)
    CHECK(starting[i] == doctest::Approx(1.6 * std::pow(2, static_cast<double>(i))));
  REQUIRE(probes.size() >= 2);
  for (const double away : probes) CHECK(std::abs(away) == doctest::Approx(0.05).epsilon(0.01));
}

TEST_CASE("vivace does not see slopes of the RTT below 2 %, and pays 11330 times larger ones") {
  for (const double slope : {0.0, 0.015, 0.05}) {
    CAPTURE(slope);
    const auto cca = make_cca("vivace", {{"init_rate_mbps", 20.0}});
    PacedPath path{*cca, Duration::millis(40)};
    path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 22 && n % 2 == 0; };
    path.send_for(Duration::millis(1000));  // out of the start: half is lost at 40 Mbps
    REQUIRE(cca->phase() != "STARTING");
    const Time from = path.now();
    path.rtt_of = [&](Time now, Rate) {
      return Duration::millis(40) + Duration::seconds((now - from).to_seconds() * slope);
    };
    path.send_for(Duration::millis(250));
    const double base = internal(*cca, kBase);
    const double u = internal(*cca, kUtility);
    if (slope < 0.02) {
      CHECK(u > 0);
    } else {
      CHECK(u < -11330 * 0.03 * base);  // 0.04 counts; rates and intervals move meanwhile
    }
  }
}

TEST_CASE("vivace halves its rate at once when more than half of an interval is lost, and not for a silence") {
  const auto cca = make_cca("vivace", {{"init_rate_mbps", 20.0}});
  PacedPath path{*cca, Duration::millis(40)};
  path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 25 && n % 2 == 0; };
  path.send_for(Duration::seconds(1));
  double before = internal(*cca, kBase);
  path.lost = [](uint64_t n, Rate) { return n % 4 != 0; };
  for (int i = 0; i < 2000 && internal(*cca, kBase) > before * 0.9; ++i) {
    before = internal(*cca, kBase);
    path.send(1);
  }
  CHECK(internal(*cca, kBase) == doctest::Approx(before / 2));
  before = internal(*cca, kBase);
  path.time_out();
  path.time_out(true);
  CHECK(internal(*cca, kBase) == before);
}

TEST_CASE(
    "what vivace's start loses is forgiven in every interval, and no allowance runs out while intervals lose few") {
  const auto cca = make_cca("vivace");
  PacedPath path{*cca, Duration::millis(40)};
  path.lost = [](uint64_t n, Rate) { return n % 10 == 0; };  // 8, 17, 34 packets at 25.6, 51.2 and 102.4 Mbps
  double fastest = 0;
  path.after_send = [&] {
    if (cca->phase() == "STARTING") fastest = std::max(fastest, cca->pacing_rate().to_mbps());
  };
  path.send_for(Duration::seconds(2));
  CHECK(fastest > 400);  // 18 of the 68 of 204.8 Mbps count, which is under 3 %; then it is used up
  CHECK(fastest < 800);
}

TEST_CASE(
    "vivace looks at what was sent at the doubled rate while the doubling's result was awaited: it lost half, so half "
    "again") {
  const auto cca = make_cca("vivace", {{"init_rate_mbps", 12.8}});
  PacedPath path{*cca, Duration::millis(40)};
  uint64_t fast = 0;  // the first interval at the doubled rate is 170 packets long
  path.lost = [&](uint64_t n, Rate rate) { return rate.to_mbps() > 30 && (++fast <= 170 ? n % 5 < 2 : n % 8 < 5); };
  double lowest = 1e9;
  path.after_send = [&] {
    if (cca->phase() == "PROBING") lowest = std::min(lowest, internal(*cca, kBase));
  };
  path.send_for(Duration::millis(700));
  CHECK(lowest == doctest::Approx(12.8));
}

TEST_CASE("vivace holds its rate while the application is the limit") {
  for (const std::string profile : {"nsdi18", "uspace"}) {
    CAPTURE(profile);
    const auto cca = make_cca("vivace", {{"profile", profile}});
    PacedPath path{*cca, Duration::millis(40)};
    path.lost = [](uint64_t n, Rate rate) { return rate.to_mbps() > 15 && n % 5 == 0; };
    path.send(2000);
    path.app_limited = true;
    path.send(500);
    const double before = internal(*cca, kBase);
    path.send(5000);
    CHECK(internal(*cca, kBase) == before);
  }
}

TEST_CASE("vivace fills T1 with hardly a queue") {
  for (const std::string profile : {"nsdi18", "uspace"}) {
    CAPTURE(profile);
    const LinkRun run = run_over_link(
        {.cca = "vivace", .params = {{"profile", profile}}, .rtt_ms = 40, .queue_packets = 40, .duration_s = 60});
    CHECK(run.utilisation(10) >= 0.85);        // 96 % [sim]
    CHECK(rtt_p95(run, 10) <= 1.15 * 40 + 1);  // and the packet's own millisecond on the link
    CHECK(run.mean([](const Sample& s) { return s.link.queue_packets; }, 10) < 2);  // 0.6 ms [sim]
  }
}

TEST_CASE("vivace without the latency term drifts to the rate that its utility tolerates the loss at") {
  const auto base_after = [](double loss) {
    const LinkRun run = run_over_link({.cca = "vivace",
                                       .params = {{"b_latency", 0.0}, {"init_rate_mbps", 60.0}},
                                       .rate_mbps = 120,
                                       .rtt_ms = 100,
                                       .queue_packets = 1000,
                                       .duration_s = 60,
                                       .loss = loss,
                                       .sample_period = Duration::millis(100)});
    return run.mean([](const Sample& s) { return s.internals[kBase]; }, 55);
  };
  // 5 to 20 Mbps [sim]; 16 is the fixed point. The authors' program gets there later: over the 60 s it sends 55 to 83 Mbps, ours
  // 45 to 69.
  const double at6 = base_after(0.06);
  CHECK(at6 > 4);
  CHECK(at6 < 45);
  CHECK(base_after(0.04) > 55);  // 55 to 70 [sim]; the fixed point is beyond the link, which the start filled
}

TEST_CASE("two vivace flows share a link") {
  for (const double queue : {40.0, 160.0}) {
    CAPTURE(queue);
    const LinkRun run = run_over_link({.cca = "vivace",
                                       .rtt_ms = 40,
                                       .queue_packets = queue,
                                       .duration_s = 70,
                                       .others = {{.cca = "vivace", .start_s = 10}}});
    CHECK(run.fairness(40, 70) > 0.85);
  }
}

TEST_CASE("vivace over the link of the authors' prototypes, and with less delay than allegro") {
  // 24 Mbps, 2 x 20 ms, 240 kB, 20 s
  const auto over = [](const std::string& cca, const Params::Given& params) {
    return run_over_link(
        {.cca = cca, .params = params, .rate_mbps = 24, .rtt_ms = 40, .queue_packets = 160, .duration_s = 20});
  };
  // release: 21.9 Mbps, 3.5 ms, 76 drops
  const LinkRun release = over("vivace", {{"profile", std::string{"uspace"}}});
  CHECK(release.link().utilisation * 24 == doctest::Approx(21.9).epsilon(0.05));
  CHECK(release.link().queueing_delay.mean_ms == doctest::Approx(3.5).epsilon(0.3));
  CHECK(release.link().dropped_packets < 150);
  // NSDI 2018, latency variant: 20.0–21.4 Mbps, 1.6–2.2 ms, 0.7 %, p95 below 10 ms
  const LinkRun published = over("vivace", {});
  CHECK(published.link().utilisation * 24 == doctest::Approx(21.2).epsilon(0.08));
  CHECK(published.link().queueing_delay.mean_ms < 2.5);
  CHECK(published.link().queueing_delay.p95_ms < 10);
  CHECK(published.loss_share() == doctest::Approx(0.007).epsilon(0.5));
  // and its loss variant: 22.1 Mbps, 57 ms, 15 %
  const LinkRun loss_only = over("vivace", {{"b_latency", 0.0}});
  CHECK(loss_only.link().utilisation * 24 == doctest::Approx(22.1).epsilon(0.08));
  CHECK(loss_only.link().queueing_delay.mean_ms == doctest::Approx(57).epsilon(0.25));
  CHECK(loss_only.loss_share() == doctest::Approx(0.15).epsilon(0.33));
  const LinkRun allegro = over("allegro", {});
  for (const LinkRun* run : {&release, &published})
    CHECK(run->link().queueing_delay.mean_ms < allegro.link().queueing_delay.mean_ms / 3);
}
