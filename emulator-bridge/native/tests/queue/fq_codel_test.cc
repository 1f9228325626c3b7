#include <doctest/doctest.h>

#include <set>

#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

FlowPlan thin() {
  FlowPlan f = flow(fixed_window(100));
  f.source_rate = Rate::mbps(0.064);
  return f;
}

}  // namespace

// RFC 8290 section 4.2: a flow that begins to send goes before those that stand in queue.
TEST_CASE("a new flow's first packet leaves before the old flows' next ones") {
  Drive drive{make("fq_codel")};
  for (int i = 0; i < 20; ++i) drive.in(at_ms(1), static_cast<uint16_t>(i % 2));
  for (int i = 0; i < 6; ++i) drive.out(at_ms(2 + i));
  drive.in(at_ms(8.5), 7);
  drive.out(at_ms(9));
  CHECK(drive.delivered.back().packet.flow == 7);
}

// RFC 8290 section 4.2: a flow that empties its queue waits in the list of old flows, or it would always be new.
TEST_CASE("a flow that sends one packet at a time does not starve the others") {
  Drive drive{make("fq_codel")};
  for (int i = 0; i < 40; ++i) drive.in(at_ms(1), 0);
  for (int i = 0; i < 60; ++i) {
    if (i % 2 == 0 || drive.delivered.back().packet.flow == 1) drive.in(at_ms(2 + i), 1);
    drive.out(at_ms(2 + i));
  }
  const auto old = std::ranges::count_if(drive.delivered, [](const Gone& g) { return g.packet.flow == 0; });
  CHECK(old >= 28);
}

// RFC 8290 section 3.1: shares are of bytes, not of packets.
TEST_CASE("flows of small and of large packets get the same number of bytes") {
  Drive drive{make("fq_codel")};
  for (int i = 0; i < 2000; ++i) {
    drive.in(at_ms(1), 0, 1500);
    drive.in(at_ms(1), 1, 300);
  }
  int64_t bytes[2]{};
  for (int i = 0; i < 600; ++i) drive.out(at_ms(1.001));
  for (const Gone& g : drive.delivered) bytes[g.packet.flow] += g.packet.size;
  CHECK(bytes[0] == doctest::Approx(static_cast<double>(bytes[1])).epsilon(0.02));
}

// RFC 8290 section 4.1.3 and Linux fq_codel_drop: half of the fattest flow's bytes, 64 packets at most.
TEST_CASE("a full queue takes from the head of the flow that holds most") {
  Drive drive{make("fq_codel", Bytes::infinite(), {}, 100)};
  for (int i = 0; i < 90; ++i) drive.in(at_ms(1), 0);
  for (int i = 0; i < 10; ++i) drive.in(at_ms(1), 1);
  CHECK(drive.dropped.empty());
  drive.in(at_ms(1), 2);
  CHECK(drive.dropped.size() == 45);
  for (const Gone& g : drive.dropped) CHECK(g.packet.flow == 0);
  CHECK(drive.dropped.front().packet.number == 0);
  CHECK(drive.accounted());

  Drive large{make("fq_codel", Bytes::infinite(), {}, 1000)};
  for (int i = 0; i < 1001; ++i) large.in(at_ms(1), 0);
  CHECK(large.dropped.size() == 64);
}

TEST_CASE("over TUN connections are told apart by their tag") {
  const auto queue =
      discipline("fq_codel")
          .make({.random = Random{1, 0, "queue"}, .flows_by_tag = true}, Params{discipline("fq_codel").params, {}});
  struct : DropListener {
    void on_drop(const Packet&, Time) override { FAIL("nothing is dropped"); }
  } drops;
  Packet packet{};
  packet.size = 1500;
  packet.tag = 1;
  for (packet.number = 0; packet.number < 10; ++packet.number) queue->enqueue(packet, Time::zero(), drops);
  packet.tag = 2;
  queue->enqueue(packet, Time::zero(), drops);
  Packet out{};
  std::set<uint64_t> tags;
  for (int i = 0; i < 3 && queue->dequeue(out, Time::zero(), drops); ++i) tags.insert(out.tag);
  CHECK(tags == std::set<uint64_t>{1, 2});
}

// docs/reference.md 0.4 and 10.4, check 3: the hash has its key from the run's seed.
TEST_CASE("which flows share a queue depends on the seed alone") {
  const auto order = [](uint64_t seed) {
    Drive drive{make("fq_codel", Bytes::infinite(), {{"queues", 2.0}}, INT64_MAX, seed)};
    for (int i = 0; i < 64; ++i) drive.in(at_ms(1), static_cast<uint16_t>(i));
    std::vector<int> flows;
    while (drive.out(at_ms(1))) flows.push_back(drive.delivered.back().packet.flow);
    return flows;
  };
  CHECK(order(1) == order(1));
  CHECK(order(1) != order(2));
}

// docs/reference.md 10.4, check 1: two Cubic flows against a flow of 64 kbit/s on T1.
TEST_CASE("a thin flow waits for a packet or two while two Cubic flows share the rest alike") {
  const Outcome o = outcome_of(on_t1("fq_codel", {}, {flow(cca("cubic")), flow(cca("cubic")), thin()}, 120));
  CHECK(o.wait_ms(o.summary.receivers[2].owd.max_ms) < 10);
  CHECK(o.wait_ms(o.summary.receivers[2].owd.p99_ms) < 4);
  CHECK(o.summary.senders[2].lost_packets == 0);
  CHECK(o.throughput(0) == doctest::Approx(o.throughput(1)).epsilon(0.02));
  CHECK(o.utilisation(10) > 0.985);
}

// RFC 8290 section 1: isolation holds against a flow that does not react to drops as others do.
TEST_CASE("Cubic gets its half beside BBR, which leaves it a ninth under CoDel alone") {
  const auto cubic_mbps = [](const std::string& queue) {
    return outcome_of(on_t1(queue, {}, {flow(cca("cubic")), flow(cca("bbr")), thin()}, 120)).throughput(0);
  };
  CHECK(cubic_mbps("fq_codel") > 5.4);  // half of what the thin flow leaves is 5.96
  CHECK(cubic_mbps("codel") < 2.4);
}
