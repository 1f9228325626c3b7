// How connections open: what leaves when, what is repeated, and what data begins with.

#include <doctest/doctest.h>

#include <vector>

#include "tests/simulation.hh"
#include "tests/transport/pipe.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr double kMegabit = 1e6;
constexpr Duration kOneWay = Duration::millis(50);

// Drops the first so many packets of a kind.
Pipe::Fate losing(PacketKind kind, int first) {
  return [kind, first](const Packet& packet, int) mutable -> std::optional<Duration> {
    if (packet.kind == kind && first-- > 0) return std::nullopt;
    return Duration::zero();
  };
}

std::vector<double> times_of(const Pipe& pipe, PacketKind kind) {
  std::vector<double> times;
  for (const Pipe::Sent& s : pipe.sent)
    if (s.kind == kind) times.push_back(s.at.to_seconds());
  return times;
}

Pipe::Setup opening(Handshake handshake, TransportProfile profile = TransportProfile::tcp, Source source = Source{}) {
  return {.one_way = kOneWay, .profile = profile, .source = source, .handshake = handshake};
}

std::unique_ptr<NotingController> ten_packets() { return std::make_unique<NotingController>(10); }

FlowPlan transfer(const Descriptor* cca, int64_t bytes, Handshake handshake,
                  TransportProfile profile = TransportProfile::tcp) {
  MessagePlan plan{.kind = MessagePlan::Kind::transfers, .mean_bytes = {bytes}, .count = 1};
  FlowPlan f = flow(cca);
  f.profile = profile;
  f.messages = std::make_shared<const MessagePlan>(plan);
  f.handshake = handshake;
  return f;
}

// Over 12 Mbps and 40 ms: ms from the flow's start until the receiver has all of it.
double completion_ms(int64_t bytes, Handshake handshake, TransportProfile profile = TransportProfile::tcp) {
  Recorder recorder;
  (void)simulate(
      one_flow(constant_link(12, Duration::millis(20)), transfer(cca("cubic"), bytes, handshake, profile), 3),
      recorder);
  const auto whole = recorder.events_named("message");
  REQUIRE(whole.size() == 1);
  return whole[0].value;
}

double serialised_ms(double bytes) { return bytes * 8 / (12 * kMegabit) * 1e3; }

}  // namespace

TEST_CASE("TCP: data follows SYN, SYN-ACK and its acknowledgement, each a packet of the link") {
  Recorder recorder;
  RunPlan plan = one_flow(constant_link(12, Duration::millis(20)), transfer(cca("cubic"), 1500, Handshake::full), 1);
  plan.reverse = constant_link(1.2, Duration::millis(20));
  const RunSummary summary = simulate(plan, recorder);
  const double syn_ack_ms = serialised_ms(60) * 10;
  const auto connected = recorder.events_named("connected");
  REQUIRE(connected.size() == 1);
  CHECK(connected[0].value == doctest::Approx(40 + serialised_ms(60) + syn_ack_ms).epsilon(1e-6));
  CHECK(connected[0].time.to_seconds() * 1e3 == doctest::Approx(connected[0].value).epsilon(1e-3));
  const auto whole = recorder.events_named("message");
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].value == doctest::Approx(connected[0].value + serialised_ms(52 + 1500) + 20).epsilon(1e-3));
  CHECK(summary.links[0].arrived_packets == 3);
  CHECK(summary.links[0].delivered_bytes == 60 + 52 + 1500);
  CHECK(summary.links[1].arrived_packets == 2);  // and the data's acknowledgement
  CHECK(summary.links[1].delivered_bytes == 60 + 52);
  CHECK(summary.senders[0].sent_packets == 1);
  CHECK(summary.receivers[0].received_packets == 1);
  CHECK(summary.receivers[0].owd.count == 1);
}

TEST_CASE("A flow without a handshake is as it was") {
  Recorder recorder;
  (void)simulate(one_flow(constant_link(12, Duration::millis(20)), transfer(cca("cubic"), 1500, Handshake::none), 1),
                 recorder);
  CHECK(recorder.events_named("connected").empty());
  CHECK(recorder.events_named("message").at(0).value == doctest::Approx(20 + serialised_ms(1500)));
}

TEST_CASE("Each way of opening takes the round trips that it takes") {
  const double none = completion_ms(15'000, Handshake::none);
  CHECK(none == doctest::Approx(20 + serialised_ms(15'000)));
  CHECK(completion_ms(15'000, Handshake::full) == doctest::Approx(none + 40 + serialised_ms(60 + 52)).epsilon(1e-3));
  // The first segment has gone ahead; the others follow a round trip later.
  CHECK(completion_ms(15'000, Handshake::early_data) == doctest::Approx(none + 40 + serialised_ms(52)).epsilon(1e-3));
  CHECK(completion_ms(1500, Handshake::early_data) == doctest::Approx(20 + serialised_ms(1500)));
  const auto quic = TransportProfile::quic;
  CHECK(completion_ms(15'000, Handshake::full, quic) ==
        doctest::Approx(none + 40 + serialised_ms(2 * 1228)).epsilon(1e-3));
  CHECK(completion_ms(15'000, Handshake::early_data, quic) ==
        doctest::Approx(none + serialised_ms(1228)).epsilon(1e-3));
}

TEST_CASE(
    "A SYN is repeated each second up to 5 s, then after 2 s and 4 s, and two that were lost leave data one segment to "
    "begin with") {
  for (const int lost : {1, 3, 7}) {
    CAPTURE(lost);
    Pipe pipe{opening(Handshake::full), ten_packets()};
    pipe.data_fate = losing(PacketKind::opening, lost);
    const std::vector<double> all{0, 1, 2, 3, 4, 5, 7, 11};
    const double last = all.at(static_cast<std::size_t>(lost));
    pipe.run_until(Time::zero() + Duration::seconds(last + 0.11));
    CHECK(times_of(pipe, PacketKind::opening) == std::vector<double>{all.begin(), all.begin() + lost + 1});
    const auto data = times_of(pipe, PacketKind::data);
    REQUIRE(data.size() == (lost == 1 ? 10U : 1U));
    CHECK(data[0] == doctest::Approx(last + 0.1));
    CHECK(pipe.sender.rtt().srtt() == Duration::millis(100));  // of the repetition, by its time stamp
    pipe.run_until(Time::zero() + Duration::seconds(last + 0.35));
    if (lost == 3) CHECK(times_of(pipe, PacketKind::data).size() == 1 + 2 + 4);
  }
}

TEST_CASE("Repetitions that were not needed do not make the window smaller") {
  Pipe pipe{opening(Handshake::full), ten_packets()};
  pipe.data_fate = [&pipe](const Packet&, int) -> std::optional<Duration> {  // dark until 3.5 s
    return std::max(Time::zero() + Duration::millis(3500) - pipe.now, Duration::zero());
  };
  pipe.run_until(Time::zero() + Duration::millis(3601));
  CHECK(times_of(pipe, PacketKind::opening) == std::vector<double>{0, 1, 2, 3});
  CHECK(times_of(pipe, PacketKind::data).size() == 10);
  CHECK(pipe.sender.rtt().srtt() == Duration::millis(3600));  // the path's delay then, and what Linux measures, too
}

TEST_CASE("A SYN-ACK that is lost is repeated by the server, and the client's last word too when that is lost") {
  Pipe pipe{opening(Handshake::full, TransportProfile::tcp, Source{Rate::mbps(0.001)}), ten_packets()};
  int replies = 0;
  pipe.ack_fate = [&replies](const Ack& ack) -> std::optional<Duration> {
    if (ack.reply > 0 && replies++ == 0) return std::nullopt;
    return Duration::zero();
  };
  pipe.data_fate = losing(PacketKind::last_of_opening, 1);
  pipe.run_until(Time::zero() + Duration::millis(5500));
  // At 1 s the client asks again, at 1.05 s the server repeats (its own timer and the client's question, in one moment), and again
  // when it has heard nothing; then it has.
  CHECK(times_of(pipe, PacketKind::opening) == std::vector<double>{0, 1});
  CHECK(times_of(pipe, PacketKind::last_of_opening).size() >= 2);
  const auto before = pipe.acks.size();
  pipe.run_until(Time::zero() + Duration::millis(9000));
  CHECK(pipe.acks.size() == before);
}

TEST_CASE("Fast Open: what left with a lost SYN leaves again when the connection is open, and that is no congestion") {
  Pipe pipe{opening(Handshake::early_data), ten_packets()};
  pipe.data_fate = losing(PacketKind::opening_with_data, 1);
  pipe.run_until(Time::zero() + Duration::millis(1105));
  CHECK(times_of(pipe, PacketKind::opening_with_data) == std::vector<double>{0});
  CHECK(times_of(pipe, PacketKind::opening) == std::vector<double>{1});
  CHECK(times_of(pipe, PacketKind::retransmission) == std::vector<double>{1.1});
  CHECK(times_of(pipe, PacketKind::data).size() == 9);
  pipe.run_until(Time::zero() + Duration::seconds(2));
  CHECK(pipe.receiver.cumulative() > 50);
  CHECK(pipe.receiver.duplicate_packets() == 0);
  CHECK(pipe.sender.counters().lost_packets == 1);
  CHECK(pipe.sender.counters().loss_episodes == 0);
  CHECK(pipe.sender.counters().timeouts == 0);
  CHECK(pipe.sender.inflight() == kMtu * 10);
}

TEST_CASE("QUIC: the client waits for all of the server's flight, and asks again when a part of it is lost") {
  Pipe pipe{opening(Handshake::full, TransportProfile::quic), ten_packets()};
  int replies = 0;
  pipe.ack_fate = [&replies](const Ack& ack) -> std::optional<Duration> {
    if (ack.reply > 0 && ++replies == 2) return std::nullopt;
    CHECK((ack.reply == 0 || ack.wire_size() == 1228));
    return Duration::zero();
  };
  pipe.run_until(Time::zero() + Duration::millis(1110));
  CHECK(times_of(pipe, PacketKind::opening) == std::vector<double>{0, 0.999});
  CHECK(times_of(pipe, PacketKind::data).size() == 10);
  CHECK(pipe.sender.rtt().srtt() == Duration::millis(100));
  CHECK(pipe.sender.cwnd() == kMtu * 10);
}

TEST_CASE("QUIC's early data cannot be read before the first packet has come") {
  Pipe pipe{opening(Handshake::early_data, TransportProfile::quic), ten_packets()};
  pipe.data_fate = losing(PacketKind::opening, 1);
  pipe.run_until(Time::zero() + Duration::millis(500));
  CHECK(times_of(pipe, PacketKind::data).size() == 10);
  CHECK(pipe.receiver.received_packets() == 0);
  pipe.run_until(Time::zero() + Duration::seconds(4));
  CHECK(pipe.receiver.received_packets() > 50);
  CHECK(pipe.receiver.cumulative() == pipe.receiver.received_packets());
}

TEST_CASE("A flow that stops while it opens says no more") {
  std::vector<uint32_t> counts(6000, 0);
  counts.back() = 1;
  RunPlan plan = one_flow(trace_link(counts, Duration::millis(20)), flow(cca("cubic")), 5);
  plan.flows[0].handshake = Handshake::full;
  plan.flows[0].stop = Time::zero() + Duration::seconds(2);
  Recorder recorder;
  const RunSummary summary = simulate(plan, recorder);
  CHECK(summary.links[0].arrived_packets == 2);  // at 0 and 1 s
  CHECK(recorder.events_named("flow_stop").size() == 1);
  CHECK(recorder.events_named("connected").empty());
}

TEST_CASE("Every algorithm begins with the connection, and BBR with its round trip") {
  for (const char* id : {"bbr", "bbr2", "bbr3"}) {
    CAPTURE(std::string{id});
    FlowPlan f = flow(cca(id));
    f.handshake = Handshake::full;
    Recorder recorder;
    (void)simulate(one_flow(constant_link(12, Duration::millis(50)), f, 0.15), recorder);
    // Ten packets in 100 ms are 1.2 Mbps; without the round trip it would begin as if that were 1 ms.
    const float pace = recorder.sender_column(0, "pacing_mbps").at(11);
    CHECK(pace > 2);
    CHECK(pace < 5);
  }
  for (const Descriptor* known : registered_ccas()) {
    if (known->kind != Kind::sender) continue;
    CAPTURE(known->id);
    std::vector<uint32_t> counts(8000, 1);
    std::fill(counts.begin(), counts.begin() + 3000, 0);
    for (const Handshake handshake : {Handshake::full, Handshake::early_data}) {
      FlowPlan f{.cca = known, .params = Params{known->params, {}}, .handshake = handshake};
      Recorder recorder;
      const RunSummary summary = simulate(one_flow(trace_link(counts, Duration::millis(20)), f, 8), recorder);
      CHECK(recorder.events_named("connected").size() == 1);
      CHECK(summary.receivers[0].received_packets > 100);
    }
  }
}
