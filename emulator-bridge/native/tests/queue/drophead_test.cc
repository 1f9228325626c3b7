#include <doctest/doctest.h>

#include "tests/queue/link.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

std::vector<uint64_t> numbers(const std::vector<Gone>& gone) {
  std::vector<uint64_t> all;
  for (const Gone& g : gone) all.push_back(g.packet.number);
  return all;
}

}  // namespace

// Mahimahi drophead_packet_queue: the newest packet always survives.
TEST_CASE("drophead makes room for the newest packet by dropping the oldest") {
  Drive drive{make("drophead", Bytes{4500})};
  for (int i = 0; i < 5; ++i) drive.in(at_ms(i));
  CHECK(numbers(drive.dropped) == std::vector<uint64_t>{0, 1});
  CHECK(drive.dropped[0].time == at_ms(3));  // when there was no room any more
  while (drive.out(at_ms(9))) {
  }
  CHECK(numbers(drive.delivered) == std::vector<uint64_t>{2, 3, 4});
}

TEST_CASE("drophead counts packets as well as bytes, and drops as many small ones as a large one needs") {
  Drive packets{make("drophead", Bytes::infinite(), {}, 2)};
  for (int i = 0; i < 4; ++i) packets.in(at_ms(i), 0, 40);
  CHECK(numbers(packets.dropped) == std::vector<uint64_t>{0, 1});

  Drive bytes{make("drophead", Bytes{1600})};
  for (int i = 0; i < 4; ++i) bytes.in(at_ms(i), 0, 100);
  bytes.in(at_ms(5), 0, 1500);
  CHECK(numbers(bytes.dropped) == std::vector<uint64_t>{0, 1, 2});
}

// docs/reference.md 10.2: losses are seen one queue time earlier. A window of 60 packets on T1 (BDP 40 packets) with room for 10: what
// waits is the same, but a dropped packet has waited the whole queue, and what was sent behind it is already on its way.
TEST_CASE("losses at the head are learnt of one queue earlier than losses at the tail") {
  const auto first_loss = [](const std::string& queue) {
    RunPlan plan = on_t1(queue, {}, {flow(cca("newreno"))}, 20);
    plan.forward.queue.limit_packets = 60;
    const Outcome o = outcome_of(plan);
    const auto episodes = o.seen.events_named("loss_episode");
    REQUIRE(!episodes.empty());
    return episodes.front().time.to_seconds();
  };
  const double earlier = first_loss("droptail") - first_loss("drophead");
  CHECK(earlier > 0.050);  // 60 packets of a millisecond each
  CHECK(earlier < 0.065);
}
