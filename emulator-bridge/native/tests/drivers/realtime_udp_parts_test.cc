#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <cstring>
#include <vector>

#include "core/random.hh"
#include "drivers/realtime/alarm.hh"
#include "drivers/realtime/clock.hh"
#include "drivers/realtime/lateness.hh"
#include "drivers/realtime_udp/udp_socket.hh"
#include "drivers/realtime_udp/wire.hh"

using namespace paceline;

TEST_CASE("A data packet survives the wire, and rubbish does not pass for one") {
  std::array<std::byte, UdpSocket::kMaxHeader> buffer{};
  const DataDatagram sent{.packet = {.sequence = 1ULL << 40,
                                     .number = 77,
                                     .sent = {-5},
                                     .stamp = {},
                                     .tag = 9,
                                     .size = 1500,
                                     .flow = 15,
                                     .ecn = EcnMark::ce,
                                     .kind = PacketKind::retransmission},
                          .hop = 12,
                          .message = Message{.born = {-3}, .bytes = Bytes{1LL << 40}}};
  const std::size_t size = write_data(buffer, sent);
  CHECK(size <= payload_for(100));
  CHECK(datagram_kind(buffer) == DatagramKind::data);
  const auto got = read_data(buffer);
  REQUIRE(got);
  CHECK(got->packet.sequence == sent.packet.sequence);
  CHECK(got->packet.number == 77);
  CHECK(got->packet.sent == sent.packet.sent);
  CHECK(got->packet.tag == 9);
  CHECK(got->packet.size == 1500);
  CHECK(got->packet.flow == 15);
  CHECK(got->packet.ecn == EcnMark::ce);
  CHECK(got->packet.kind == PacketKind::retransmission);
  CHECK(got->hop == 12);
  REQUIRE(got->message);
  CHECK(got->message->born == Time{-3});
  CHECK(got->message->bytes == Bytes{1LL << 40});
  CHECK_FALSE(read_data(std::span{buffer}.first(size - 1)));
  buffer[0] = std::byte{0};
  CHECK_FALSE(read_data(buffer));
  CHECK(datagram_kind(buffer) == DatagramKind::other);
  CHECK(datagram_kind({}) == DatagramKind::other);
}

TEST_CASE("An acknowledgement survives the wire at every size, and is refused when cut") {
  Random random{1, 0, "acks"};
  for (std::size_t ranges = 0; ranges <= kMaxAckRanges; ++ranges) {
    std::array<std::byte, UdpSocket::kMaxHeader> buffer{};
    AckDatagram sent{.ack = {.cumulative = random.next(),
                             .echo_sequence = random.next(),
                             .echo_number = random.next(),
                             .echo_sent = {1},
                             .received = {2},
                             .ce_packets = 3,
                             .flow = 4,
                             .delayed = true,
                             .duplicate = true,
                             .range_count = static_cast<uint8_t>(ranges),
                             .feedback_size = static_cast<uint8_t>(ranges * 2),
                             .ranges = {},
                             .feedback = {}},
                     .sent = {5},
                     .hop = 6};
    for (std::size_t i = 0; i < ranges; ++i) sent.ack.ranges[i] = {random.next(), random.next()};
    for (std::size_t i = 0; i < ranges * 2; ++i) sent.ack.feedback[i] = static_cast<std::byte>(i);
    const std::size_t size = write_ack(buffer, sent);
    CHECK(datagram_kind(buffer) == DatagramKind::ack);
    AckDatagram got;
    REQUIRE(read_ack(std::span{buffer}.first(size), got));
    CHECK(got.ack.cumulative == sent.ack.cumulative);
    CHECK(got.ack.echo_sequence == sent.ack.echo_sequence);
    CHECK(got.ack.echo_number == sent.ack.echo_number);
    CHECK(got.ack.echo_sent == sent.ack.echo_sent);
    CHECK(got.ack.received == sent.ack.received);
    CHECK(got.ack.ce_packets == 3);
    CHECK(got.ack.flow == 4);
    CHECK(got.ack.delayed);
    CHECK(got.ack.duplicate);
    REQUIRE(got.ack.range_count == ranges);
    for (std::size_t i = 0; i < ranges; ++i) {
      CHECK(got.ack.ranges[i].begin == sent.ack.ranges[i].begin);
      CHECK(got.ack.ranges[i].end == sent.ack.ranges[i].end);
    }
    CHECK(std::memcmp(got.ack.feedback.data(), sent.ack.feedback.data(), ranges * 2) == 0);
    CHECK(got.sent == sent.sent);
    CHECK(got.hop == 6);
    CHECK_FALSE(read_ack(std::span{buffer}.first(size - 1), got));
  }
}

TEST_CASE("Random bytes never crash the readers") {
  Random random{2, 0, "rubbish"};
  AckDatagram ack;
  for (int i = 0; i < 20'000; ++i) {
    std::array<std::byte, 200> bytes{};
    for (auto& b : bytes) b = static_cast<std::byte>(random.next());
    if (random.chance(0.5)) std::memcpy(bytes.data(), "1ALP", 4);
    const auto some = std::span{bytes}.first(random.below(bytes.size()));
    (void)read_ack(some, ack);
    (void)read_data(some);
  }
}

TEST_CASE("Missing hop numbers are counted once") {
  HopGaps gaps;
  for (const uint64_t hop : {0U, 1U, 2U, 5U, 6U, 8U}) gaps.arrived(hop);
  CHECK(gaps.missing() == 3);
  CHECK(gaps.sent() == 9);
}

TEST_CASE("An overrun is told by shares, not by a single late moment, and by losses above 0.01 %") {
  Lateness lateness;
  for (int i = 0; i < 1000; ++i) {
    lateness.woke(Duration::micros(30));
    lateness.served(Duration::micros(50));
  }
  lateness.woke(Duration::millis(5));
  lateness.served(Duration::millis(5));
  const LatenessSummary good = lateness.summary({});
  CHECK(good.wakeups == 1001);
  CHECK(good.p50_us == doctest::Approx(30).epsilon(0.01));
  CHECK(good.max_us == doctest::Approx(5000));
  CHECK(good.late_opportunities == doctest::Approx(1.0 / 1001));
  CHECK_FALSE(good.overrun);
  CHECK(overrun_reason(good, {}).empty());
  const UnmodelledLosses allowed{.lost = 3, .packets = 30'000, .where = "a socket 3"};
  const UnmodelledLosses too_many{.lost = 3, .packets = 29'999, .where = "a socket 3"};
  CHECK(lateness.summary(allowed).unmodelled_losses == 3);
  CHECK_FALSE(lateness.summary(allowed).overrun);
  CHECK(lateness.summary(too_many).overrun);
  CHECK(overrun_reason(lateness.summary(too_many), too_many) ==
        "packets lost outside the modelled queue and loss: 3 of 29999 (a socket 3)");
  CHECK(lateness.summary({.lost = 1}).overrun);
  for (int i = 0; i < 12; ++i) lateness.served(Duration::millis(2));
  CHECK(lateness.summary({}).overrun);
  Lateness slow;
  for (int i = 0; i < 200; ++i) slow.woke(Duration::millis(3));
  CHECK(slow.summary({}).overrun);
  CHECK_FALSE(Lateness{}.summary({}).overrun);
}

TEST_CASE("Datagrams arrive in order, with their headers, and with the time at which they were sent rather than read") {
  UdpSocket a;
  UdpSocket b;
  for (uint32_t i = 0; i < 3 * UdpSocket::kBatch; ++i) {
    std::memcpy(a.next_header().data(), &i, sizeof i);
    a.add(b.port(), sizeof i, 1472);
  }
  a.flush();
  ::usleep(20'000);
  uint32_t expected = 0;
  for (auto batch = b.receive(); !batch.empty(); batch = b.receive()) {
    for (const auto& datagram : batch) {
      uint32_t i{};
      REQUIRE(datagram.header.size() >= sizeof i);
      std::memcpy(&i, datagram.header.data(), sizeof i);
      CHECK(i == expected++);
    }
  }
  CHECK(expected == 3 * UdpSocket::kBatch);
  CHECK(b.dropped() == 0);
  CHECK(a.refused() == 0);
  a.add(b.port(), 4, 60);
  a.flush();
  ::usleep(5'000);
  const int64_t before = clock_ns(CLOCK_MONOTONIC);
  const auto batch = b.receive();
  REQUIRE(batch.size() == 1);
  CHECK(batch[0].arrived_ns < before);
  CHECK(batch[0].header.size() == 60);
}

TEST_CASE(
    "Datagrams of any sizes to any ports arrive as they were sent, where the kernel takes several in one piece and "
    "where not") {
  for (const bool in_pieces : {true, false}) {
    CAPTURE(in_pieces);
    UdpSocket a;
    std::array<UdpSocket, 2> to{};
    const int on = 1;
    // Without checksums the kernel refuses pieces, as older ones do.
    if (!in_pieces) REQUIRE(::setsockopt(a.fd(), SOL_SOCKET, SO_NO_CHECK, &on, sizeof on) == 0);
    constexpr std::array<std::size_t, 12> kSizes{1472, 1472, 1472, 60, 60, 1472, 1, 1472, 80, 80, 4, 1472};
    std::array<std::vector<std::size_t>, 2> sent;
    for (uint32_t i = 0; i < 1000; ++i) {
      const std::size_t size = kSizes[i % kSizes.size()];
      const std::size_t which = i / 7 % 2;
      const auto number = static_cast<uint32_t>(sent[which].size());
      std::memcpy(a.next_header().data(), &number, sizeof number);
      a.add(to[which].port(), std::min(size, sizeof number), size);
      sent[which].push_back(size);
    }
    a.flush();
    ::usleep(20'000);
    for (std::size_t which = 0; which < 2; ++which) {
      std::size_t got = 0;
      for (auto batch = to[which].receive(); !batch.empty(); batch = to[which].receive())
        for (const auto& datagram : batch) {
          REQUIRE(got < sent[which].size());
          CHECK(datagram.header.size() == std::min(sent[which][got], UdpSocket::kMaxHeader));
          uint32_t number{};
          std::memcpy(&number, datagram.header.data(), std::min(datagram.header.size(), sizeof number));
          if (datagram.header.size() >= sizeof number) CHECK(number == got);
          ++got;
        }
      CHECK(to[which].drained());
      CHECK(got == sent[which].size());
      CHECK(to[which].dropped() == 0);
    }
    CHECK(a.refused() == 0);
  }
}

TEST_CASE("What does not fit into a socket's buffer is counted, as the pieces in which it came") {
  UdpSocket a;
  UdpSocket b;
  constexpr uint64_t kFar = 60'000;
  for (uint64_t i = 0; i < kFar; ++i) a.add(b.port(), 8, 1472);
  a.flush();
  uint64_t got = 0;
  for (auto batch = b.receive(); !batch.empty(); batch = b.receive()) got += batch.size();
  const uint64_t lost = kFar - got - a.refused();
  CHECK(lost > 0);
  CHECK(b.dropped() > 0);
  CHECK(b.dropped() <= lost);
  CHECK(lost <= UdpSocket::kBatch * b.dropped());
}

TEST_CASE("The alarm wakes at its time, not before, and at once for a datagram") {
  for (const Duration spin : {Duration::zero(), Duration::micros(50)}) {
    Alarm alarm{spin};
    UdpSocket a;
    UdpSocket b;
    alarm.watch(b.fd());
    for (int i = 0; i < 20; ++i) {
      const int64_t when = clock_ns(CLOCK_MONOTONIC) + 1'000'000;
      alarm.wait_until(when);
      CHECK(clock_ns(CLOCK_MONOTONIC) >= when);
      CHECK_FALSE(alarm.readable(0));
    }
    a.add(b.port(), 4, 4);
    a.flush();
    const int64_t far = clock_ns(CLOCK_MONOTONIC) + 60'000'000'000;
    alarm.wait_until(far);
    CHECK(alarm.readable(0));
    CHECK(clock_ns(CLOCK_MONOTONIC) < far);
  }
}
