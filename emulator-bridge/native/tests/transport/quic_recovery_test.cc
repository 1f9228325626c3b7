// The QUIC profile's loss detection, episodes and probes (RFC 9002), packet by packet. Paths are 2 x 50 ms.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/transport/pipe.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr Duration ms(int64_t v) { return Duration::millis(v); }
constexpr Time at(int64_t v) { return Time::zero() + Duration::millis(v); }
constexpr TransportProfile kQuic = TransportProfile::quic;

auto drop_once(uint64_t sequence) {
  return [=](const Packet& p, int copy) {
    return p.sequence == sequence && copy == 0 ? std::nullopt : std::optional{ms(0)};
  };
}

Source of_packets(int64_t n) { return Source{Rate::zero(), kMtu * n}; }

// Nothing that leaves in [from, to) arrives.
auto outage(Time from, Time to) {
  return [=](const Packet& p, int) { return p.sent >= from && p.sent < to ? std::nullopt : std::optional{ms(0)}; };
}

}  // namespace

TEST_CASE("QUIC: a dropped packet is declared lost when three later ones are acknowledged") {
  Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = drop_once(5);
  pipe.run_until(at(400));
  REQUIRE(pipe.controller.losses.size() == 1);
  CHECK(pipe.controller.losses[0].new_episode);
  CHECK(pipe.controller.lost_numbers == std::vector<uint64_t>{5});
  CHECK(pipe.controller.losses[0].now == at(109));
  CHECK(pipe.sender.counters().retransmitted_packets == 1);
}

TEST_CASE("QUIC: fewer than three later packets leave it to nine eighths of the RTT (section 6.1.2)") {
  Pipe pipe{{.profile = kQuic, .source = of_packets(8), .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = drop_once(5);
  Duration threshold{};
  pipe.after_each_step = [&] {
    if (pipe.now == at(108)) threshold = std::max(pipe.sender.latest_rtt(), pipe.sender.rtt().srtt()) * 9 / 8;
  };
  pipe.run_until(at(1000));
  REQUIRE(pipe.controller.losses.size() == 1);
  CHECK(threshold == ms(108) * 9 / 8);  // the last packet's RTT; all left at 0
  CHECK(pipe.controller.losses[0].now == Time::zero() + threshold);
  CHECK(pipe.receiver.cumulative() == 8);
}

TEST_CASE("QUIC: packets that overtake by two are not taken for losses") {
  Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int) -> std::optional<Duration> {
    return Duration::micros(p.sequence % 10 == 5 ? 2500 : 0);
  };
  pipe.run_until(at(2000));
  CHECK(pipe.controller.losses.empty());
  CHECK(pipe.receiver.received_packets() > 300);
}

TEST_CASE(
    "QUIC: an episode ends when something sent after its start arrives, so losses of the next round trip reduce "
    "again") {
  const auto lose = [](const Packet& p, int copy) {
    return copy == 0 && (p.sequence == 40 || p.sequence == 75) ? std::nullopt : std::optional{ms(0)};
  };
  const auto episodes = [&](TransportProfile profile) {
    Pipe pipe{{.profile = profile, .spacing = ms(1)}, std::make_unique<NotingController>(60)};
    pipe.data_fate = lose;
    pipe.run_until(at(1000));
    return std::pair{pipe.sender.counters().loss_episodes, pipe.controller.count(Recovery::exited)};
  };
  // TCP: number 75 left before the loss of 40 was known, and one episode covers it. QUIC: number 75 left before, too.
  CHECK(episodes(TransportProfile::tcp) == std::pair{uint64_t{1}, std::size_t{1}});
  CHECK(episodes(kQuic) == std::pair{uint64_t{1}, std::size_t{1}});

  // A retransmission that is lost as well: for TCP the same episode goes on, for QUIC it was sent after the start.
  const auto twice = [&](TransportProfile profile) {
    Pipe pipe{{.profile = profile, .spacing = ms(1)}, std::make_unique<NotingController>(60)};
    pipe.data_fate = [](const Packet& p, int copy) {
      return copy < 2 && p.sequence == 40 ? std::nullopt : std::optional{ms(0)};
    };
    pipe.run_until(at(1000));
    return pipe.sender.counters().loss_episodes;
  };
  CHECK(twice(TransportProfile::tcp) == 1);
  CHECK(twice(kQuic) == 2);
}

TEST_CASE("QUIC: a dropped tail waits for the probe timeout, which itself declares nothing lost (section 6.2)") {
  Pipe pipe{{.profile = kQuic, .source = of_packets(10), .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return p.sequence >= 8 && copy == 0 ? std::nullopt : std::optional{ms(0)};
  };
  Duration timeout{};
  pipe.after_each_step = [&] {
    const RttEstimator& rtt = pipe.sender.rtt();
    if (pipe.now == at(108)) timeout = rtt.srtt() + std::max(rtt.rttvar() * 4, ms(1)) + ms(25);
  };
  pipe.run_until(at(3000));
  const auto probe = std::ranges::find(pipe.sent, true, &Pipe::Sent::retransmission);
  REQUIRE(probe != pipe.sent.end());
  CHECK(probe->at == Time::zero() + timeout);  // since the last packet left
  CHECK(probe->sequence == 8);                 // under way for longest
  CHECK(pipe.controller.timeouts.empty());
  REQUIRE(pipe.controller.losses.size() == 1);  // when the probe has arrived
  CHECK(pipe.controller.losses[0].now == probe->at + ms(101));
  CHECK(pipe.receiver.cumulative() == 10);
  CHECK(pipe.sender.counters().lost_packets == 2);
}

TEST_CASE("QUIC: probes come at doubling intervals, and the window stays") {
  Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = outage(at(1000), at(60'000));
  pipe.run_until(at(20'000));
  CHECK(pipe.controller.timeouts.empty());
  CHECK(pipe.controller.losses.empty());
  CHECK(pipe.sender.cwnd() == kMtu * 20);
  std::vector<Time> probes;
  for (const Pipe::Sent& s : pipe.sent)
    if (s.at > at(1150)) probes.push_back(s.at);
  REQUIRE(probes.size() >= 5);
  for (std::size_t i = 2; i < probes.size(); ++i) {
    const double ratio = (probes[i] - probes[i - 1]).to_millis() / (probes[i - 1] - probes[i - 2]).to_millis();
    CHECK(ratio == doctest::Approx(2).epsilon(0.001));
  }
}

TEST_CASE("QUIC: nothing for longer than three probe timeouts is persistent congestion (section 7.6)") {
  const auto run = [](int64_t outage_ms) {
    Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
    pipe.data_fate = outage(at(1000), at(1000 + outage_ms));
    pipe.run_until(at(20'000));
    CHECK(pipe.receiver.received_packets() > 300);
    return std::tuple{pipe.controller.timeouts.size(), pipe.sender.counters().timeouts,
                      pipe.sender.counters().loss_episodes};
  };
  CHECK(run(300) == std::tuple{std::size_t{0}, uint64_t{0}, uint64_t{1}});  // a loss episode like any other
  CHECK(run(5000) == std::tuple{std::size_t{1}, uint64_t{1}, uint64_t{1}});
}

TEST_CASE("QUIC: persistent congestion leaves a window of two packets, ssthresh from before") {
  Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = outage(at(1000), at(6000));
  Bytes least = Bytes::infinite();
  pipe.after_each_step = [&] { least = std::min(least, pipe.sender.cwnd()); };
  pipe.run_until(at(20'000));
  REQUIRE(pipe.controller.timeouts.size() == 1);
  CHECK(pipe.controller.timeouts[0].repeated);  // the episode has cost its reduction
  CHECK(pipe.controller.timeouts[0].inflight == Bytes::zero());
  CHECK(least <= kMtu * 4);                // the ACK that tells of it lets two or so more out
  CHECK(pipe.sender.cwnd() == kMtu * 10);  // grown back to ssthresh
  CHECK(pipe.controller.ssthresh() == kMtu * 10);
}

TEST_CASE("QUIC: no episode is ever undone, and PRR does not pace it") {
  Pipe pipe{{.profile = kQuic, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return std::optional{p.sequence == 40 && copy == 0 ? ms(30) : ms(0)};
  };
  pipe.run_until(at(3000));
  CHECK(pipe.sender.counters().spurious_packets == 1);
  CHECK(pipe.controller.count(Recovery::undone) == 0);
  CHECK(pipe.sender.cwnd() == kMtu * 10);
}

TEST_CASE("QUIC: acknowledgements tell of up to 32 ranges, TCP of three") {
  const auto most_ranges = [](TransportProfile profile) {
    Pipe pipe{{.profile = profile, .spacing = ms(1)}, std::make_unique<NotingController>(100, false)};
    pipe.data_fate = [](const Packet& p, int copy) {
      return copy == 0 && p.sequence % 4 == 1 ? std::nullopt : std::optional{ms(0)};
    };
    pipe.run_until(at(400));
    std::size_t most = 0;
    for (const auto& [when, ack] : pipe.acks) most = std::max<std::size_t>(most, ack.range_count);
    return most;
  };
  CHECK(most_ranges(TransportProfile::tcp) == 3);
  CHECK(most_ranges(kQuic) > 20);
}

TEST_CASE("QUIC: a delayed acknowledgement waits 25 ms, and that is not taken for the path's RTT (section 5.3)") {
  Pipe pipe{{.ack_every = 2, .profile = kQuic, .source = of_packets(25)}, std::make_unique<NotingController>(20)};
  pipe.run_until(at(2000));  // the last one has no other to be acknowledged with
  CHECK(pipe.receiver.cumulative() == 25);
  CHECK(pipe.sender.latest_rtt() == ms(125));
  CHECK(pipe.sender.rtt().srtt() == ms(100));
}

TEST_CASE(
    "QUIC: a window that is not used does not count as the limit, unless the rule is switched off (section 7.8)") {
  const auto limited = [](TransportProfile profile, Source source) {
    Pipe pipe{{.profile = profile, .source = source, .spacing = ms(1)}, std::make_unique<NotingController>(60)};
    pipe.run_until(at(5000));
    std::size_t n = 0;
    std::size_t late = 0;
    for (const AckEvent& ack : pipe.controller.acks) {
      if (ack.now < at(1000)) continue;
      ++late;
      n += ack.window_limited ? 1 : 0;
    }
    return static_cast<double>(n) / static_cast<double>(late);
  };
  const Source slow{Rate::mbps(3)};  // 25 packets in flight of a window of 60
  CHECK(limited(kQuic, slow) == 0);
  CHECK(limited(TransportProfile::quic_grow_underutilised, slow) == 1);
  CHECK(limited(kQuic, Source{}) == 1);
}
