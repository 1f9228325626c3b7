// A sender over a path that loses, reorders and repeats at random: whatever happens, everything arrives and the books balance.

#include <doctest/doctest.h>

#include "core/random.hh"
#include "tests/transport/pipe.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

struct Weather {
  double data_loss{};
  double ack_loss{};
  double held_back{};  // share of packets that later ones overtake
  double hold_ms{};
  double outages{};  // share of time in which nothing passes
};

void run_as(TransportProfile profile, uint64_t seed, const Weather& weather, bool prr, int ack_every) {
  CAPTURE(profile);
  CAPTURE(seed);
  Random random{seed, 0, "chaos"};
  const int64_t window = 2 + static_cast<int64_t>(random.below(100));
  constexpr int64_t kSegments = 3000;
  Pipe pipe{{.one_way = Duration::millis(5 + static_cast<int64_t>(random.below(100))),
             .ack_every = ack_every,
             .prr = prr,
             .profile = profile,
             .source = Source{Rate::zero(), kMtu * kSegments},
             .spacing = Duration::micros(static_cast<int64_t>(random.below(500)))},
            std::make_unique<NotingController>(window)};
  const auto standstill = [&](Time t) {
    return random.uniform() < 0.001 && std::sin(t.to_seconds()) < weather.outages * 2 - 1;
  };
  Time closed_until{};
  pipe.data_fate = [&](const Packet& p, int) -> std::optional<Duration> {
    if (standstill(p.sent)) closed_until = p.sent + Duration::millis(static_cast<int64_t>(random.below(1500)));
    if (random.chance(weather.data_loss)) return std::nullopt;
    Duration extra = closed_until > p.sent ? closed_until - p.sent : Duration::zero();
    if (random.chance(weather.held_back)) extra += Duration::seconds(random.uniform() * weather.hold_ms * 1e-3);
    return extra;
  };
  pipe.ack_fate = [&](const Ack&) {
    return random.chance(weather.ack_loss) ? std::nullopt : std::optional{Duration::zero()};
  };
  pipe.after_each_step = [&] {
    const SenderCounters& c = pipe.sender.counters();
    REQUIRE(c.sent_packets == c.delivered_packets + c.lost_packets - c.spurious_packets +
                                  pipe.sender.inflight_packets() + c.moot_packets);
    REQUIRE(pipe.sender.inflight() == kMtu * static_cast<int64_t>(pipe.sender.inflight_packets()));
    REQUIRE(pipe.sent.size() == c.sent_packets);
    // Beyond the window only: the head after a timeout, and one loss probe; QUIC sends one per probe timeout.
    const int64_t probes = profile == TransportProfile::tcp ? 2 : 12;
    REQUIRE(pipe.sender.inflight() <= std::max(kMtu * window, pipe.sender.cwnd()) + kMtu * probes);
    REQUIRE(pipe.sender.next_event() >= pipe.now);
  };
  pipe.run_until(Time::zero() + Duration::seconds(4000));
  CHECK(pipe.receiver.cumulative() == kSegments);
  CHECK(pipe.sender.counters().delivered_packets == kSegments);
  CHECK(pipe.sender.inflight_packets() == 0);
  CHECK(pipe.sender.delivered() == kMtu * kSegments);
  // Without anything to send after it QUIC never learns that an episode is over.
  if (profile == TransportProfile::tcp) CHECK_FALSE(pipe.sender.in_episode());
  if (weather.data_loss == 0 && weather.ack_loss == 0 && weather.held_back == 0 && weather.outages == 0)
    CHECK(pipe.sender.counters().retransmitted_packets == 0);
}

void run(uint64_t seed, const Weather& weather, bool prr, int ack_every) {
  run_as(TransportProfile::tcp, seed, weather, prr, ack_every);
  run_as(TransportProfile::quic, seed, weather, prr, ack_every);
}

}  // namespace

TEST_CASE("fair weather: nothing is sent twice") {
  for (uint64_t seed = 1; seed <= 20; ++seed) run(seed, {}, seed % 2 == 0, 1 + static_cast<int>(seed % 4));
}
TEST_CASE("lost packets all arrive in the end") {
  for (uint64_t seed = 1; seed <= 60; ++seed)
    run(seed, {.data_loss = 0.02 * static_cast<double>(seed % 20)}, seed % 2 == 0, 2);
}
TEST_CASE("lost acknowledgements do no harm") {
  for (uint64_t seed = 1; seed <= 40; ++seed)
    run(seed, {.data_loss = 0.01, .ack_loss = 0.02 * static_cast<double>(seed % 20)}, true, 2);
}
TEST_CASE("reordering does no harm") {
  for (uint64_t seed = 1; seed <= 40; ++seed)
    run(seed,
        {.data_loss = 0.002, .held_back = 0.05 * static_cast<double>(seed % 10), .hold_ms = static_cast<double>(seed)},
        true, 2);
}
TEST_CASE("outages do no harm") {
  for (uint64_t seed = 1; seed <= 40; ++seed)
    run(seed, {.data_loss = 0.005, .ack_loss = 0.01, .outages = 0.8}, seed % 2 == 0, 2);
}
