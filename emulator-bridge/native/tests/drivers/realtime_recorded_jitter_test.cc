// Delays that were recorded, over real sockets and the machine's clock. What a busy machine makes late is said to be an overrun, and then no times are
// compared; that a delay is never shorter than what was recorded holds on any machine.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/drivers/realtime_run.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kShortMs = 10;
constexpr double kLongMs = 40;
constexpr Duration kSpell = Duration::millis(200);
constexpr Duration kDelay = Duration::millis(5);
constexpr double kSeconds = 2;
constexpr std::size_t kJitter = 2;  // the place: the link's own loss is in front

// 10 ms for 200 ms, then 40 ms for 200 ms, over and over; packets come evenly, far below the capacity.
RunPlan with_recorded(bool keep_order, Duration offset = {}) {
  const ElementDescriptor& jitter = *find_element("jitter");
  const Params params{jitter.params, {{"distribution", std::string{"recorded"}}, {"keep_order", keep_order}}};
  LinkPlan link = constant_link(16, kDelay);
  link.path = {{.own = ElementPlan::Own::bottleneck},
               {.element = &jitter,
                .params = params,
                .recorded = std::make_shared<const RecordedDelays>(
                    std::vector{Duration::zero(), kSpell},
                    std::vector{Duration::seconds(kShortMs / 1e3), Duration::seconds(kLongMs / 1e3)}, offset)},
               {.own = ElementPlan::Own::delay}};
  return one_flow(link, flow(fixed_window(1000, Rate::mbps(4))), kSeconds);
}

double figure(const RealtimeRun& run, std::string_view name) {
  const auto& figures = run.summary.links.at(0).path.at(kJitter).figures;
  const auto found = std::ranges::find(figures, name, &std::pair<std::string_view, double>::first);
  REQUIRE(found != figures.end());
  return found->second;
}

// Until the machine keeps up with one; the last run otherwise.
RealtimeRun kept_up(const RunPlan& plan) {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    RealtimeRun run = run_realtime(plan);
    REQUIRE_FALSE(run.stopped);
    if (!run.overrun || attempt == kAttempts) return run;
  }
}

}  // namespace

TEST_CASE("Over UDP every packet has a recorded delay, that of its time, and they begin anew") {
  for (const Duration offset : {Duration::zero(), kSpell}) {
    CAPTURE(offset.to_millis());
    const RealtimeRun run = kept_up(with_recorded(false, offset));
    const auto& rows = run.emulator.rows.at(element_stream(Direction::forward, kJitter));
    REQUIRE(rows.size() == 200);
    // Of each interval of 10 ms: the mean is one of the two, but where the one spell ends and the other begins.
    int short_rows = 0;
    int long_rows = 0;
    for (const Recorder::Row& row : rows) {
      if (row.values[0] == 0) continue;  // nothing entered
      const double mean = row.values[row.values.size() - 2];
      if (std::isnan(mean)) continue;
      CHECK(mean >= kShortMs - 0.01);
      CHECK(mean <= kLongMs + 0.01);
      const double within = std::fmod(row.time - 0.005 + offset.to_millis() / 1e3, 2 * kSpell.to_millis() / 1e3);
      const bool in_long = within >= kSpell.to_millis() / 1e3;
      short_rows += !in_long && std::abs(mean - kShortMs) < 0.01 ? 1 : 0;
      long_rows += in_long && std::abs(mean - kLongMs) < 0.01 ? 1 : 0;
    }
    const ReceiverSummary& receiver = run.summary.receivers.at(0);
    MESSAGE("one-way delay " << receiver.owd.mean_ms << " ms, of the jitter " << figure(run, "delay_mean_ms") << " ms; "
                             << short_rows << " short and " << long_rows << " long intervals");
    // A late machine delays more, never less.
    CHECK(receiver.owd.mean_ms >= kDelay.to_millis() + figure(run, "delay_mean_ms") - (kLongMs - kShortMs));
    CHECK(figure(run, "delay_max_ms") == doctest::Approx(kLongMs).epsilon(0.001));
    if (run.overrun) {
      MESSAGE("the machine did not keep up with real time (overrun), so no times are compared");
      continue;
    }
    // Five spells of each, 20 intervals long, but for those in which a change or the run's first packets lie.
    CHECK(short_rows >= 85);
    CHECK(long_rows >= 85);
    CHECK(figure(run, "delay_mean_ms") == doctest::Approx((kShortMs + kLongMs) / 2).epsilon(0.05));
    // The packet's own time on the wire is 0.75 ms.
    CHECK(receiver.owd.mean_ms ==
          doctest::Approx(kDelay.to_millis() + 0.75 + figure(run, "delay_mean_ms")).epsilon(0.1));
  }
}

TEST_CASE("Over UDP recorded delays that fall let packets overtake, unless the order is kept") {
  const auto losses_of_order = [](bool keep_order) {
    const RealtimeRun run = kept_up(with_recorded(keep_order));
    uint64_t retransmitted = 0;
    for (const SenderSummary& s : run.summary.senders) retransmitted += s.retransmitted_packets.value_or(0);
    return std::pair{run.summary.links.at(0).path.at(kJitter).passed_packets, retransmitted};
  };
  const auto [kept_packets, kept] = losses_of_order(true);
  const auto [free_packets, free] = losses_of_order(false);
  MESSAGE("retransmitted: " << kept << " of " << kept_packets << " in order, " << free << " of " << free_packets
                            << " without");
  CHECK(kept_packets > 400);
  CHECK(free_packets > 400);
  // From 40 to 10 ms ten packets of 3 ms each overtake: three of them are the sign of a loss.
  CHECK(free > kept);
}
