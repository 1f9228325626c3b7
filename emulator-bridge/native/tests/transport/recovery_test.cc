// Loss detection and recovery, packet by packet. Paths are 2 x 50 ms unless said otherwise.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/transport/pipe.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr Duration ms(int64_t v) { return Duration::millis(v); }
constexpr Time at(int64_t v) { return Time::zero() + Duration::millis(v); }

auto drop_once(uint64_t sequence) {
  return [=](const Packet& p, int copy) {
    return p.sequence == sequence && copy == 0 ? std::nullopt : std::optional{ms(0)};
  };
}

const Pipe::Sent* first_retransmission(const Pipe& pipe) {
  const auto found = std::ranges::find(pipe.sent, true, &Pipe::Sent::retransmission);
  return found == pipe.sent.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a dropped packet is declared lost when three later ones are acknowledged") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = drop_once(5);
  pipe.run_until(at(400));
  REQUIRE(pipe.controller.losses.size() == 1);
  CHECK(pipe.controller.losses[0].new_episode);
  CHECK(pipe.controller.lost_numbers == std::vector<uint64_t>{5});
  CHECK(pipe.controller.losses[0].now == at(109));  // number 8 passes at 9 ms: the third after the hole
  REQUIRE(first_retransmission(pipe));
  CHECK(first_retransmission(pipe)->sequence == 5);
  CHECK(first_retransmission(pipe)->at == at(109));
  CHECK(pipe.sender.counters().retransmitted_packets == 1);
  CHECK(pipe.sender.counters().timeouts == 0);
  CHECK(pipe.controller.count(Recovery::entered) == 1);
  CHECK(pipe.controller.count(Recovery::exited) == 1);
}

TEST_CASE("fewer than three later packets leave it to the reordering timer, a quarter of the least RTT later") {
  Pipe pipe{{.source = Source{Rate::zero(), kMtu * 8}, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = drop_once(5);
  pipe.run_until(at(1000));
  REQUIRE(pipe.controller.losses.size() == 1);
  // Number 7 is acknowledged at 108 ms (RTT 108); all were sent at 0: due 108 + 101 / 4 ms after that.
  CHECK((pipe.controller.losses[0].now - Time::zero()).to_millis() == doctest::Approx(108 + 101 / 4.0).epsilon(0.001));
  CHECK(pipe.sender.counters().retransmitted_packets == 1);
  CHECK(pipe.receiver.cumulative() == 8);
}

TEST_CASE("packets that overtake by two are not taken for losses") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int) -> std::optional<Duration> {
    return Duration::micros(p.sequence % 10 == 5 ? 2500 : 0);
  };
  pipe.run_until(at(2000));
  CHECK(pipe.controller.losses.empty());
  CHECK(pipe.sender.counters().retransmitted_packets == 0);
  CHECK(pipe.receiver.received_packets() > 300);
}

TEST_CASE("a dropped tail waits for the loss probe at two smoothed RTTs") {
  Pipe pipe{{.source = Source{Rate::zero(), kMtu * 10}, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return p.sequence >= 8 && copy == 0 ? std::nullopt : std::optional{ms(0)};
  };
  Duration srtt{};
  pipe.after_each_step = [&] { srtt = pipe.now == at(108) ? pipe.sender.rtt().srtt() : srtt; };
  pipe.run_until(at(3000));
  REQUIRE(first_retransmission(pipe));
  CHECK(first_retransmission(pipe)->sequence == 9);
  CHECK(first_retransmission(pipe)->at == at(108) + srtt * 2);
  CHECK(pipe.sender.counters().timeouts == 0);
  REQUIRE(pipe.controller.losses.size() == 1);
  CHECK(pipe.controller.losses[0].now > first_retransmission(pipe)->at);  // not before the probe's result
  CHECK(pipe.receiver.cumulative() == 10);
}

TEST_CASE("a probe that repairs the only loss counts as one loss and one reduction") {
  Pipe pipe{{.source = Source{Rate::zero(), kMtu * 10}, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.data_fate = drop_once(9);
  Duration rto{};
  pipe.after_each_step = [&] { rto = pipe.now == at(109) ? pipe.sender.rtt().rto() : rto; };
  pipe.run_until(at(3000));
  REQUIRE(first_retransmission(pipe));
  CHECK(first_retransmission(pipe)->sequence == 9);
  CHECK(first_retransmission(pipe)->at ==
        at(109) + rto);  // a lone packet's probe waits 200 ms more, but not past the RTO
  CHECK(pipe.sender.counters().timeouts == 0);
  REQUIRE(pipe.controller.losses.size() == 1);
  CHECK(pipe.controller.losses[0].now > first_retransmission(pipe)->at);
  CHECK(pipe.controller.lost_numbers == std::vector<uint64_t>{9});
  CHECK(pipe.sender.counters().loss_episodes == 1);
  CHECK(pipe.sender.counters().lost_packets == 1);
  CHECK(pipe.receiver.cumulative() == 10);
}

TEST_CASE("a probe that only finds a late ACK costs nothing") {
  Pipe pipe{{.source = Source{Rate::zero(), kMtu * 10}, .spacing = ms(1)}, std::make_unique<NotingController>(20)};
  pipe.ack_fate = [](const Ack& a) { return ms(a.cumulative >= 9 && !a.duplicate ? 450 : 0); };
  pipe.run_until(at(3000));
  CHECK(pipe.sender.counters().retransmitted_packets == 1);
  CHECK(pipe.controller.losses.empty());
  CHECK(pipe.receiver.duplicate_packets() == 1);
}

TEST_CASE("no probe repeats what has arrived: a gap that has become known is RACK's") {
  // Packets leave 5 ms apart. The last arrives late, just before the probe is due; by its RTT and a quarter more, the one before it is
  // lost only after that.
  Pipe pipe{{.source = Source{Rate::mbps(2.4), kMtu * 10}}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return ms(p.sequence < 8 || copy > 0 ? 0 : p.sequence == 8 ? 400 : 180);
  };
  Time probe{};
  std::size_t sent_by_then{};
  pipe.after_each_step = [&] {
    if (pipe.controller.acks.size() == 8) probe = pipe.controller.acks[7].now + pipe.sender.rtt().srtt() * 2;
    if (pipe.now <= probe) sent_by_then = pipe.sent.size();
  };
  pipe.run_until(at(3000));
  REQUIRE(pipe.controller.acks.size() > 8);
  REQUIRE(pipe.controller.acks[8].now < probe);
  CHECK(sent_by_then == 10);
  REQUIRE(pipe.sent.size() > 10);
  CHECK(pipe.sent[10].at > probe);
  for (std::size_t i = 10; i < pipe.sent.size(); ++i) CHECK(pipe.sent[i].sequence == 8);
  CHECK(pipe.receiver.cumulative() == 10);
  CHECK(pipe.sender.counters().delivered_packets == 10);
}

TEST_CASE("the head's retransmission starts the timer anew") {
  // Of ten packets, 5 ms apart, the seventh is lost twice; the three behind it take 60 ms longer, and are the last that is heard.
  Pipe pipe{{.source = Source{Rate::mbps(2.4), kMtu * 10}}, std::make_unique<NotingController>(20)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return p.sequence == 6 && copy < 2 ? std::nullopt : std::optional{ms(p.sequence > 6 ? 60 : 0)};
  };
  Duration rto{};
  pipe.after_each_step = [&] { rto = pipe.sent.size() == 11 ? pipe.sender.rtt().rto() : rto; };
  pipe.run_until(at(3000));
  REQUIRE(pipe.sent.size() >= 12);
  CHECK(pipe.sent[10].sequence == 6);
  CHECK(pipe.sent[10].at - pipe.sent[6].at > ms(160));  // the timer of the last advance has less than an RTT left
  CHECK(pipe.sent[11].sequence == 6);
  // Linux 6.18 likewise, with a round trip of 50 ms behind a TUN device: 256 ms after the retransmission with a timeout of 252 ms and ticks of 4.
  CHECK(pipe.sent[11].at == pipe.sent[10].at + rto);
  CHECK(pipe.sender.counters().timeouts == 1);
  CHECK(pipe.receiver.cumulative() == 10);
}

TEST_CASE("silence doubles the retransmission timer each time") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(4)};
  pipe.data_fate = [](const Packet& p, int) { return p.sent < at(1000) ? std::optional{ms(0)} : std::nullopt; };
  pipe.run_until(at(20'000));
  const auto& timeouts = pipe.controller.timeouts;
  REQUIRE(timeouts.size() >= 5);
  const double first = (timeouts[1].now - timeouts[0].now).to_millis();
  for (std::size_t i = 2; i < timeouts.size(); ++i) {
    CHECK((timeouts[i].now - timeouts[i - 1].now).to_millis() ==
          doctest::Approx(first * static_cast<double>(1 << (i - 1))));
    CHECK(timeouts[i].repeated);
  }
  CHECK_FALSE(timeouts[0].repeated);
  // The timer itself: srtt + 200 ms at a constant RTT; the second wait is twice that.
  CHECK(first == doctest::Approx(2 * (pipe.sender.rtt().srtt().to_millis() + 200)).epsilon(0.001));
  // Each expiry sends the head again, and only that.
  for (const TimeoutEvent& timeout : timeouts) {
    const auto sent = std::ranges::count_if(pipe.sent, [&](const auto& s) { return s.at == timeout.now; });
    CHECK(sent == 1);
  }
}

TEST_CASE("after a timeout everything outstanding is sent again, and the flow goes on") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(10)};
  pipe.data_fate = [](const Packet& p, int) {
    return p.sent < at(500) || p.sent > at(900) ? std::optional{ms(0)} : std::nullopt;
  };
  pipe.run_until(at(5000));
  CHECK(pipe.controller.timeouts.size() == 1);
  CHECK(pipe.controller.count(Recovery::timeout) > 0);
  CHECK(pipe.controller.count(Recovery::exited) == 1);
  CHECK(pipe.controller.count(Recovery::undone) == 0);
  CHECK(pipe.receiver.cumulative() > 200);
  CHECK(pipe.sender.counters().spurious_packets == 0);
}

TEST_CASE("a timeout because of a pause is undone when the originals arrive after all") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(10)};
  pipe.data_fate = [](const Packet& p, int) -> std::optional<Duration> {
    return p.sent > at(1000) && p.sent < at(2000) ? at(2000) - p.sent : ms(0);  // the path stands still until 2 s
  };
  pipe.run_until(at(6000));
  CHECK(pipe.controller.timeouts.size() >= 1);
  CHECK(pipe.controller.count(Recovery::undone) == 1);
  CHECK(pipe.sender.cwnd() == kMtu * 10);
  CHECK(pipe.sender.counters().spurious_packets > 0);
  CHECK(pipe.sender.counters().retransmitted_packets <= pipe.controller.timeouts.size() + 1);
}

TEST_CASE("a lost retransmission is found without a timeout") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(40)};
  pipe.data_fate = [](const Packet& p, int copy) {
    return p.sequence == 30 && copy < 2 ? std::nullopt : std::optional{ms(0)};
  };
  pipe.run_until(at(3000));
  CHECK(pipe.sender.counters().timeouts == 0);
  CHECK(std::ranges::count(pipe.sent, uint64_t{30}, &Pipe::Sent::sequence) == 3);
  CHECK(pipe.sender.counters().loss_episodes == 1);
  CHECK(pipe.receiver.cumulative() > 500);
}

// docs/reference.md 1.3: one loss at 80 packets, ssthresh 40, 12 Mbps and 40 ms.
TEST_CASE("what was sent during an episode and lost is a new episode as soon as the first one ends") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(20)};
  // 5 begins the episode; 30 leaves during it. Both lose their first retransmission as well, 5 comes through first.
  pipe.data_fate = [](const Packet& p, int copy) {
    const bool lost = (p.sequence == 5 && copy < 2) || (p.sequence == 30 && copy < 3);
    return lost ? std::nullopt : std::optional{ms(0)};
  };
  pipe.run_until(at(1000));
  std::vector<LossEvent> beginnings;
  for (const LossEvent& loss : pipe.controller.losses)
    if (loss.new_episode) beginnings.push_back(loss);
  REQUIRE(beginnings.size() == 2);
  CHECK(beginnings[1].packet_count == 0);  // nothing newly lost: 30 had been declared lost in the first episode
  CHECK(pipe.controller.count(Recovery::entered) == 2);
  CHECK(pipe.controller.count(Recovery::exited) == 1);
  CHECK(pipe.sender.counters().timeouts == 0);
}

TEST_CASE("proportional rate reduction sends about one packet per two ACKs and lands on ssthresh") {
  Pipe pipe{{.one_way = ms(20), .spacing = ms(1)}, std::make_unique<NotingController>(80)};
  pipe.data_fate = drop_once(400);
  Bytes at_exit{};
  int largest_burst = 0;
  std::size_t sent_before = 0;
  uint64_t sent_in_episode = 0;
  uint64_t acks_in_episode = 0;
  bool was_in = false;
  pipe.after_each_step = [&] {
    const bool in = pipe.sender.in_episode();
    const auto sent_now = pipe.sent.size() - sent_before;
    if (in) {
      largest_burst = std::max(largest_burst, static_cast<int>(sent_now));
      sent_in_episode += sent_now;
      at_exit = pipe.sender.inflight();
    }
    if (was_in || in) acks_in_episode = pipe.controller.acks.size();
    was_in = in;
    sent_before = pipe.sent.size();
  };
  pipe.run_until(at(1000));
  uint64_t first_ack = 0;
  while (pipe.controller.acks[first_ack].recovery != Recovery::entered) ++first_ack;
  acks_in_episode -= first_ack;
  CHECK(largest_burst <= 2);
  CHECK(at_exit.in_packets(kMtu) >= 39);
  CHECK(at_exit.in_packets(kMtu) <= 41);
  CHECK(static_cast<double>(sent_in_episode) / static_cast<double>(acks_in_episode) ==
        doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("an unnecessary retransmission widens the reordering window") {
  Pipe pipe{{.spacing = ms(1)}, std::make_unique<NotingController>(30, false)};
  int held_back = 0;
  pipe.data_fate = [&](const Packet& p, int copy) -> std::optional<Duration> {
    if (copy > 0 || p.sequence % 50 != 25) return ms(0);
    ++held_back;
    return ms(12);  // overtaken by a dozen
  };
  pipe.run_until(at(20'000));
  CHECK(held_back > 50);
  CHECK(pipe.sender.counters().retransmitted_packets <= 3);  // learned from the first
  CHECK(pipe.sender.counters().spurious_packets == pipe.sender.counters().lost_packets);
}
