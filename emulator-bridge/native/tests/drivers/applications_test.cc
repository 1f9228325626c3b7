// Applications over links where all can be computed by hand. 12 Mbps is one full packet per millisecond.

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "drivers/flow_events.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr Duration kDelay = Duration::millis(20);

struct Run {
  Recorder sink{};
  RunSummary summary{};

  [[nodiscard]] const ReceivedMessages& received() const { return summary.receivers.at(0).messages.value(); }
  [[nodiscard]] const OfferedMessages& offered() const { return summary.senders.at(0).messages.value(); }
};

Run run(RunPlan plan) {
  Run r{};
  r.summary = simulate(plan, r.sink);
  return r;
}

RunPlan over(const Descriptor* d, const MessagePlan& messages, double seconds, double mbps = 12) {
  RunPlan plan = one_flow(constant_link(mbps, kDelay), flow(d), seconds);
  plan.flows[0].messages = std::make_shared<const MessagePlan>(messages);
  return plan;
}

MessagePlan transfers(int64_t bytes, uint64_t count, double interval_s = 1,
                      MessagePlan::Arrivals arrivals = MessagePlan::Arrivals::every) {
  return {.kind = MessagePlan::Kind::transfers,
          .mean_bytes = Bytes{bytes},
          .arrivals = arrivals,
          .interval = Duration::seconds(interval_s),
          .count = count};
}

MessagePlan frames(double fps, double mbps) {
  return {.kind = MessagePlan::Kind::frames, .fps = fps, .rate = Rate::mbps(mbps), .deadline = Duration::millis(100)};
}

}  // namespace

TEST_CASE("a transfer through a window takes its rounds, the rest of the window's serialisation and the way") {
  for (const auto& [each_window, each_packets] : {std::pair{10, 7}, {10, 10}, {10, 25}, {20, 100}}) {
    const auto& window = each_window;
    CAPTURE(window);
    const auto& packets = each_packets;
    CAPTURE(packets);
    const Run r = run(over(fixed_window(window), transfers(1500LL * packets, 1), 5));
    // A round begins one packet's time and a round trip after the one before it; the last packet is the n-th of its round.
    const int rounds = (packets - 1) / window;
    const double last = packets - rounds * window;
    CHECK(r.received().completed == 1);
    CHECK(r.received().delay.max_ms == doctest::Approx(rounds * 41 + last + 20).epsilon(1e-6));
  }
}

// 10 packets, then twice as many each round trip: a transfer of 150 takes four rounds. They are paced at twice the window per round
// trip, so the last round takes half a round trip more at most.
TEST_CASE("NewReno's transfers take the rounds of slow start") {
  for (const auto& [each_packets, rounds] : {std::pair{10, 1}, {30, 2}, {70, 3}, {150, 4}}) {
    const auto& packets = each_packets;
    CAPTURE(packets);
    const Run r = run(over(cca("newreno"), transfers(1500LL * packets, 1), 5, 100));
    const double least = (rounds - 1) * 40 + 20;
    CHECK(r.received().delay.max_ms > least);
    CHECK(r.received().delay.max_ms < least + 20 + 0.12 * packets);
  }
}

TEST_CASE("transfers that follow each other leave the pause between them, and the window keeps what it has learnt") {
  RunPlan plan = over(cca("newreno"), transfers(150'000, UINT64_MAX, 0.2, MessagePlan::Arrivals::after), 10, 100);
  plan.flows[0].profile = TransportProfile::quic;  // TCP starts again after an idle time
  const Run r = run(plan);
  const auto events = r.sink.events_named("message");
  REQUIRE(events.size() > 20);
  for (std::size_t i = 1; i < events.size(); ++i) {
    const double born = events[i].time.to_seconds() - events[i].value / 1e3;
    CHECK(born == doctest::Approx(events[i - 1].time.to_seconds() + 0.02 + 0.2).epsilon(0.001));
  }
  CHECK(events.back().value < events.front().value - 40);
}

TEST_CASE("frames below the capacity take their serialisation and the way, and all are in time") {
  const Run r = run(over(fixed_window(1000), frames(30, 6), 10));
  const double bytes = std::round(6e6 / 8 / 30);
  CHECK(r.offered().count == 301);  // one with the start, one with the end of the run
  CHECK(r.received().completed == 299);
  CHECK(r.received().delay.mean_ms == doctest::Approx(bytes * 8 / 12e3 + 20).epsilon(1e-4));
  CHECK(r.received().delay.max_ms == doctest::Approx(bytes * 8 / 12e3 + 20).epsilon(1e-4));
  CHECK(r.offered().due == 298);
  CHECK(r.received().on_time == 298);
  REQUIRE(r.received().percentiles_ms.size() == 100);
  CHECK(r.received().percentiles_ms[49] == doctest::Approx(r.received().delay.p50_ms));
}

TEST_CASE("frames beyond the capacity are late, and the late ones are counted") {
  const Run r = run(over(fixed_window(1000), frames(30, 18), 10));
  CHECK(r.received().on_time < 20);
  CHECK(r.offered().due == 298);
  CHECK(r.received().bytes == doctest::Approx(12e6 / 8 * 10).epsilon(0.02));
  CHECK(r.received().delay.max_ms > 3000);
}

TEST_CASE("a replay writes what was recorded, packet by packet") {
  const std::vector<Message> recorded{{Time::zero() + Duration::millis(5), Bytes{60}},
                                      {Time::zero() + Duration::millis(5), Bytes{1500}},
                                      {Time::zero() + Duration::millis(700), Bytes{40'000}},
                                      {Time::zero() + Duration::millis(701), Bytes{333}},
                                      {Time::zero() + Duration::millis(9000), Bytes{1200}}};
  MessagePlan plan{.kind = MessagePlan::Kind::replay};
  plan.recorded = std::make_shared<const std::vector<Message>>(recorded);
  RunPlan whole = over(fixed_window(100), plan, 8);
  whole.flows[0].start = Time::zero() + Duration::millis(500);
  const Run r = run(whole);
  const auto events = r.sink.events_named("message");
  REQUIRE(events.size() == 4);
  int64_t bytes = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    CHECK(events[i].detail == std::to_string(recorded[i].bytes.v));
    const double born = events[i].time.to_seconds() - events[i].value / 1e3;
    CHECK(born == doctest::Approx(0.5 + recorded[i].born.to_seconds()));
    bytes += recorded[i].bytes.v;
  }
  CHECK(r.summary.receivers[0].received_bytes == bytes);
  CHECK(r.received().bytes == bytes);
  CHECK(r.offered().count == 4);
}

TEST_CASE("on-off applications carry their share: a rate in the spells, or what the window gives") {
  RunPlan rate = one_flow(constant_link(100, kDelay), flow(cca("cubic")), 20);
  rate.flows[0].on_off = std::make_shared<const OnOffPlan>(
      OnOffPlan{.on = Duration::millis(500), .off = Duration::millis(1500), .rate = Rate::mbps(24)});
  CHECK(run(rate).summary.receivers[0].throughput_mbps == doctest::Approx(6).epsilon(0.01));

  RunPlan greedy = one_flow(constant_link(12, kDelay), flow(fixed_window(20)), 20);
  greedy.flows[0].on_off =
      std::make_shared<const OnOffPlan>(OnOffPlan{.on = Duration::millis(820), .off = Duration::millis(180)});
  const Run r = run(greedy);
  // 20 packets every 41 ms while it writes.
  CHECK(r.summary.receivers[0].throughput_mbps == doctest::Approx(20 * 0.012 / 0.041 * 0.82).epsilon(0.01));
  const auto limited = r.sink.sender_column(0, "app_limited");
  const double share = std::accumulate(limited.begin(), limited.end(), 0.0) / static_cast<double>(limited.size());
  CHECK(share == doctest::Approx(0.18).epsilon(0.3));
}

TEST_CASE("what applications write is what arrives, also through losses") {
  for (const auto arrivals :
       {MessagePlan::Arrivals::after, MessagePlan::Arrivals::every, MessagePlan::Arrivals::poisson})
    for (const auto profile : {TransportProfile::tcp, TransportProfile::quic}) {
      CAPTURE(static_cast<int>(arrivals));
      CAPTURE(static_cast<int>(profile));
      MessagePlan messages = transfers(50'000, 100, 0.05, arrivals);
      messages.sizes = MessagePlan::Sizes::lognormal;
      messages.shape = 1.5;
      RunPlan plan = over(cca("cubic"), messages, 120);
      plan.forward.loss = 0.02;
      plan.reverse.loss = 0.02;
      plan.flows[0].profile = profile;
      const Run r = run(plan);
      CHECK(r.offered().count == 100);
      CHECK(r.received().completed == 100);
      CHECK(r.received().bytes == r.summary.receivers[0].received_bytes);
      CHECK(r.summary.senders[0].retransmitted_packets > 0);
      CHECK(r.sink.events_named("message").size() == 100);
    }
}

TEST_CASE("a window that frames do not use does not grow, except where the profile says so") {
  const auto window_at_end = [](TransportProfile profile) {
    RunPlan plan = over(cca("newreno"), frames(30, 5), 20, 100);
    plan.flows[0].profile = profile;
    const Run r = run(plan);
    return r.sink.sender_column(0, "cwnd_bytes").back();
  };
  // A frame is 14 packets: a window of 28 is never more than half used in slow start.
  CHECK(window_at_end(TransportProfile::tcp) < 60 * 1500);
  CHECK(window_at_end(TransportProfile::quic) < 60 * 1500);
  CHECK(window_at_end(TransportProfile::quic_grow_underutilised) > 1000 * 1500);
}

TEST_CASE("an encoder that follows SCReAM's rate stays below the capacity, and its frames are in time") {
  MessagePlan media = frames(30, 20);
  const double fixed = [&] {
    const Run r = run(over(cca("scream"), media, 30, 6));
    return static_cast<double>(r.received().on_time) / static_cast<double>(r.offered().due);
  }();
  media.adapts = true;
  media.least_rate = Rate::mbps(0.5);
  const Run r = run(over(cca("scream"), media, 30, 6));
  const double adapted = static_cast<double>(r.received().on_time) / static_cast<double>(r.offered().due);
  CHECK(fixed < 0.1);
  CHECK(adapted > 0.95);
  CHECK(r.summary.receivers[0].throughput_mbps > 3);
}

TEST_CASE("of very many messages the first ones are listed, all are counted") {
  const Run r = run(over(fixed_window(100), transfers(200, UINT64_MAX, 0.001), 10));
  CHECK(r.received().completed > 9900);
  CHECK(r.sink.events_named("message").size() == MessageEvents::kListed + 1);
  CHECK(std::isnan(r.sink.events_named("message").back().value));
}
