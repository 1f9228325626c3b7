// Parts of the driver for TUN that need no device.

#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hh"
#include "drivers/realtime/link_change.hh"
#include "drivers/realtime_tun/drop_counters.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "drivers/realtime_tun/open_ports.hh"
#include "drivers/realtime_tun/packet_store.hh"
#include "drivers/realtime_tun/tun_flow.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// As readv would.
void fill(const PacketStore& store, const std::vector<char>& bytes) {
  std::size_t at = 0;
  for (const iovec& piece : store.next().subspan(1)) {
    const std::size_t here = std::min(piece.iov_len, bytes.size() - at);
    std::memcpy(piece.iov_base, bytes.data() + at, here);
    at += here;
  }
  REQUIRE(at == bytes.size());
}

PacketShape shape_with(uint32_t length, uint16_t segments) {
  PacketShape shape{};
  shape.length = length;
  shape.segments = segments;
  return shape;
}

std::string refusal(const char* line, const RunPlan& plan) {
  try {
    (void)parse_link_change(line, plan);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("Packets of all sizes come out of the store as they went in, whichever order they leave in") {
  PacketStore store{4 << 20};
  const std::size_t free_at_first = store.chunks_free();
  Random random{1, 0, "store"};
  struct Kept {
    uint32_t slot;
    std::vector<char> bytes;
  };
  std::vector<Kept> kept;
  for (int i = 0; i < 3000; ++i) {
    if (random.chance(0.5)) {
      std::vector<char> bytes(1 + random.below(random.chance(0.2) ? kLargestPacket : 3000));
      for (char& b : bytes) b = static_cast<char>(random.next());
      fill(store, bytes);
      if (const auto slot = store.keep(shape_with(static_cast<uint32_t>(bytes.size()), 1)))
        kept.push_back({*slot, std::move(bytes)});
    } else if (!kept.empty()) {
      const std::size_t which = random.below(kept.size());
      const Kept& packet = kept[which];
      const std::size_t offset = random.below(packet.bytes.size());
      std::array<iovec, PacketStore::kChunksOfLargest + 1> pieces{};
      const std::size_t count = store.pieces(packet.slot, offset, packet.bytes.size() - offset, pieces);
      std::vector<char> out;
      for (std::size_t p = 0; p < count; ++p) {
        const char* from = static_cast<const char*>(pieces[p].iov_base);
        out.insert(out.end(), from, from + pieces[p].iov_len);
      }
      REQUIRE(out == std::vector<char>(packet.bytes.begin() + static_cast<std::ptrdiff_t>(offset), packet.bytes.end()));
      store.release(packet.slot, 1);
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }
  for (const Kept& packet : kept) store.release(packet.slot, 1);
  CHECK(store.chunks_free() == free_at_first);
}

TEST_CASE("A store takes no memory before it is used: an emulator that would first touch all of it begins late") {
  constexpr long kStore = 512L << 20;
  const auto resident = [] {
    std::ifstream statm{"/proc/self/statm"};
    long all = 0;
    long pages = 0;
    statm >> all >> pages;
    return pages * ::sysconf(_SC_PAGESIZE);
  };
  const long before = resident();
  const PacketStore store{kStore};
  CHECK(resident() - before < kStore / 256);
  CHECK(store.chunks_free() > kStore / PacketStore::kChunk - 100);
}

TEST_CASE("A full store refuses packets, and takes them again when the last segment of one is gone") {
  PacketStore store{100 * PacketStore::kChunk};
  std::vector<uint32_t> slots;
  for (;;) {
    const auto slot = store.keep(shape_with(5000, 4));
    if (!slot) break;
    slots.push_back(*slot);
  }
  CHECK(slots.size() == (100 - PacketStore::kChunksOfLargest) / 3);
  store.release(slots[0], 3);
  CHECK_FALSE(store.keep(shape_with(5000, 4)));
  store.release(slots[0], 1);
  CHECK(store.keep(shape_with(5000, 4)));
}

TEST_CASE("A flow counts data once, and its handshake and acknowledgements not at all") {
  PacketShape data{};
  data.protocol = 6;
  data.ip_header = 20;
  data.headers = 52;
  data.segment_payload = 1448;
  data.segments = 3;
  data.length = 52 + 3 * 1448;
  data.sequence = 1001;
  PacketShape syn = data;
  syn.sequence = 1000;
  syn.tcp_flags = kSyn;
  syn.segments = 1;
  syn.segment_payload = 0;
  syn.length = syn.headers;
  TunFlow flow;
  CHECK(flow.arrives(syn, 0, Time::zero()) == Bytes::zero());
  CHECK(flow.arrives(data, 0, Time::zero()) == Bytes{1500});
  CHECK(flow.arrives(data, 2, Time::zero()) == Bytes{1500});
  CHECK(flow.arrives(data, 2, Time::zero()) == Bytes::zero());
  CHECK(flow.arrives(data, 1, Time::zero()) == Bytes{1500});
  PacketShape ack = data;
  ack.length = ack.headers;
  ack.segments = 1;
  ack.segment_payload = 0;
  CHECK(flow.arrives(ack, 0, Time::zero()) == Bytes::zero());
  flow.delayed(data, 0, 3, Duration::millis(4));
  flow.delayed(ack, 0, 1, Duration::millis(400));
  const telemetry::ReceiverRow row = flow.sample(Duration::millis(10));
  CHECK(row.throughput_mbps == doctest::Approx(3.6));
  CHECK(row.owd_max_ms == doctest::Approx(4));
  const ReceiverSummary s = flow.received();
  CHECK(s.received_packets == 3);
  CHECK(s.duplicate_packets == 1);
  CHECK(s.received_bytes == 4500);
  CHECK(flow.delays().count() == 3);
}

TEST_CASE("Losses are found in the kernel's tables by their names") {
  const auto devices = device_drops(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier "
      "compressed\n"
      "    lo:       0       0    0    0    0     0          0         0        0       0    0    0    0     0       0 "
      "         0\n"
      "paceline: 61088  1173    0    2    0     0          0         0  4520   30    0   17    0     0       0         "
      " 0\n");
  REQUIRE(devices.size() == 2);
  CHECK(devices[0].where == "paceline receive drops");
  CHECK(devices[0].packets == 2);
  CHECK(devices[1].where == "paceline send drops");
  CHECK(devices[1].packets == 17);
  const auto protocols = protocol_drops(
      "TcpExt: SyncookiesSent ListenDrops TCPBacklogDrop DelayedACKs\nTcpExt: 9 0 3 1000\n"
      "Ip: Forwarding InHdrErrors\nIp: 1 4\n"
      "Tcp: InErrs InCsumErrors\nTcp: 7 0\n");  // late copies of a SYN-ACK, and no damage
  REQUIRE(protocols.size() == 2);
  CHECK(protocols[0].where == "TcpExt.TCPBacklogDrop");
  CHECK(protocols[0].packets == 3);
  CHECK(protocols[1].where == "Ip.InHdrErrors");
  const auto damaged = protocol_drops("Tcp: InErrs InCsumErrors\nTcp: 7 5\n");
  REQUIRE(damaged.size() == 1);
  CHECK(damaged[0].where == "Tcp.InCsumErrors");
  CHECK(device_drops("").empty());
  CHECK(protocol_drops("Tcp:").empty());
}

TEST_CASE(
    "A kernel's CCA has the colour of ours of that name, hollow; one that we do not have gets a look of its own") {
  const KernelCcaList list{{"reno", "bbr", "somebodys_own", "cubic", "Not an id"}};
  const auto all = list.descriptors();
  REQUIRE(all.size() == 4);
  std::set<std::string> looks;
  for (const Descriptor* own : registered_ccas())
    looks.insert(std::to_string(own->identity.slot) + std::string{own->identity.marker} +
                 (own->identity.hollow ? "h" : ""));
  int baselines = 0;
  for (const Descriptor* cca : all) {
    CAPTURE(cca->id);
    CHECK(cca->id == std::string{kKernelPrefix} + std::string{kernel_name(*cca)});
    CHECK(cca->kind == Kind::kernel);
    CHECK(cca->identity.hollow);
    CHECK(cca->summary.view().size() > 40);
    CHECK(looks.insert(std::to_string(cca->identity.slot) + std::string{cca->identity.marker} + "h").second);
    baselines += cca->baseline;
  }
  CHECK(baselines == 1);
  CHECK(all[1]->id == "kernel-cubic");
  CHECK(all[1]->identity.slot == find_cca("cubic")->identity.slot);
  CHECK(all[1]->identity.marker == find_cca("cubic")->identity.marker);
  CHECK(all[2]->identity.slot == find_cca("newreno")->identity.slot);
  CHECK(all[0]->internals.size() == all[1]->internals.size() + 4);
}

TEST_CASE("An order to change the link is taken whole or refused with its reason") {
  const RunPlan plan = one_flow(constant_link(10, Duration::millis(5), Bytes{30000}), flow(cca("cubic"), 1), 1);
  const LinkChange change = parse_link_change(
      R"({"type": "set", "direction": "forward", "rate_mbps": 2.5, "delay_ms": 7, "loss": 0.01, "limit_bytes": null, "limit_packets": 10})",
      plan);
  CHECK(change.direction == Direction::forward);
  CHECK(change.rate == Rate::mbps(2.5));
  CHECK(change.delay == Duration::millis(7));
  CHECK(change.loss == 0.01);
  CHECK(change.limit_bytes == Bytes::infinite());
  CHECK(change.limit_packets == 10);
  CHECK_FALSE(change.back_to_trace);
  CHECK(change.order().starts_with(R"({"delay_ms":7,"direction":"forward")"));

  CHECK(refusal("nonsense", plan).find("not {\"type\":\"set\"") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"up","rate_mbps":1})", plan).find("direction") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward"})", plan).find("nothing") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward","rate":1})", plan).find("rate is not known") !=
        std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward","rate_mbps":0})", plan).find("rate_mbps") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward","loss":"x"})", plan).find("loss") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward","limit_bytes":100})", plan).find("1500") != std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"forward","capacity":"trace"})", plan).find("no trace") !=
        std::string::npos);
  CHECK(refusal(R"({"type":"set","direction":"reverse","limit_packets":5})", plan).find("no limit") !=
        std::string::npos);
}

TEST_CASE("Several connections of a flow are told apart, and what is outstanding is theirs together") {
  TunFlow flow;
  const Time t0 = Time::zero();
  const auto packet = [](uint16_t port, uint32_t sequence, uint32_t payload, uint8_t flags) {
    PacketShape shape{};
    shape.protocol = 6;
    shape.ip_header = 20;
    shape.headers = 52;
    shape.segment_payload = static_cast<uint16_t>(payload);
    shape.length = 52 + payload;
    shape.source = 1;
    shape.destination = 2;
    shape.source_port = port;
    shape.destination_port = 80;
    shape.sequence = sequence;
    shape.tcp_flags = flags;
    return shape;
  };
  const auto pass = [&](const PacketShape& shape) {
    flow.sent(shape, t0);
    return flow.arrives(shape, 0, t0);
  };
  pass(packet(1000, 100, 0, kSyn));
  pass(packet(1001, 900'000, 0, kSyn));
  CHECK(pass(packet(1000, 101, 1448, kAck)) == Bytes{1500});
  CHECK(pass(packet(1001, 900'001, 1448, kAck)) == Bytes{1500});
  CHECK(pass(packet(1000, 1549, 1448, kAck)) == Bytes{1500});
  CHECK(pass(packet(1001, 900'001, 1448, kAck)) == Bytes::zero());  // again
  flow.lost(packet(1000, 3000, 1448, kAck), 0);
  telemetry::SenderRow row = flow.sender_sample(Duration::millis(10));
  CHECK(row.inflight_bytes == doctest::Approx(4500));
  CHECK(row.retransmitted_packets == 1);
  CHECK(row.lost_packets == 1);
  CHECK(row.sent_mbps == doctest::Approx(4.8));
  CHECK(std::isnan(row.cwnd_bytes));
  CHECK(std::isnan(row.latest_rtt_ms));

  PacketShape ack = packet(80, 1, 0, kAck);
  std::swap(ack.source, ack.destination);
  ack.destination_port = 1000;
  ack.acknowledged = 101 + 2 * 1448;
  const std::array<std::byte, 60> head{};
  CHECK(flow.acknowledged(ack, head, t0 + Duration::millis(30)) == Duration::millis(30));
  CHECK(flow.sender_sample(Duration::millis(10)).inflight_bytes == doctest::Approx(1500));
  pass(packet(1001, 900'001, 0, kRst));
  row = flow.sender_sample(Duration::millis(10));
  CHECK(row.inflight_bytes == 0);
  CHECK(row.min_rtt_ms == doctest::Approx(30));
  const SenderSummary s = flow.sent();
  CHECK(s.sent_packets == 4);
  CHECK(s.delivered_packets == 4);
  CHECK(s.retransmitted_packets == 1);
  CHECK(flow.rtts().count() == 2);
}

TEST_CASE("What the link cannot see of a flow is not measured, rather than nothing") {
  TunFlow flow;
  PacketShape datagram{};
  datagram.protocol = 17;
  datagram.headers = 28;
  datagram.segment_payload = 1000;
  datagram.length = 1028;
  flow.sent(datagram, Time::zero());
  flow.arrives(datagram, 0, Time::zero());
  const SenderSummary s = flow.sent();
  CHECK(s.sent_packets == 1);
  CHECK_FALSE(s.retransmitted_packets);  // only of TCP
  CHECK_FALSE(s.spurious_packets);
  CHECK_FALSE(s.loss_episodes);
  CHECK_FALSE(s.timeouts);
  CHECK(s.inflight_packets == 0);
  flow.arrives(datagram, 0, Time::zero());  // a copy that the path made
  CHECK(flow.sent().inflight_packets == 0);
}

TEST_CASE("Ports are open when the kernel's tables say so") {
  const std::string tcp =
      "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
      "   0: 8000400064:1451 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1\n"
      "   1: 0100007F:1F90 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000     0        0 2\n";
  CHECK(has_open_port(tcp, 5201, true));
  CHECK_FALSE(has_open_port(tcp, 8080, true));  // a connection, nobody who listens
  CHECK(has_open_port(tcp, 8080, false));
  CHECK_FALSE(has_open_port("", 5201, true));
}
