#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "core/random.hh"
#include "transport/receiver.hh"

using namespace paceline;

namespace {

constexpr Time at(int64_t v) { return Time::zero() + Duration::millis(v); }

Packet packet(uint64_t sequence) {
  Packet p{};
  p.sequence = p.number = sequence;
  p.size = 1500;
  return p;
}

Ack ack_of(Receiver& r) {
  Ack a{};
  r.write_ack(a);
  return a;
}

}  // namespace

TEST_CASE("every second packet is acknowledged at once, a single one after 40 ms") {
  Receiver r{{.ack_every = 2}, nullptr};
  CHECK_FALSE(r.on_packet(packet(0), at(0)));
  CHECK(r.next_event() == at(40));
  CHECK(r.on_packet(packet(1), at(10)));
  Ack a = ack_of(r);
  CHECK(a.cumulative == 2);
  CHECK_FALSE(a.delayed);
  CHECK(r.next_event().is_never());

  CHECK_FALSE(r.on_packet(packet(2), at(20)));
  CHECK(r.next_event() == at(60));
  CHECK(r.on_timer(at(60)));
  a = ack_of(r);
  CHECK(a.cumulative == 3);
  CHECK(a.delayed);
  CHECK(a.received == at(20));
}

TEST_CASE("what opens or fills a hole, and what comes twice, is acknowledged at once") {
  Receiver r{{.ack_every = 8}, nullptr};
  CHECK_FALSE(r.on_packet(packet(0), at(0)));
  CHECK(r.on_packet(packet(2), at(1)));
  Ack a = ack_of(r);
  CHECK(a.cumulative == 1);
  REQUIRE(a.range_count == 1);
  CHECK(a.ranges[0].begin == 2);
  CHECK(a.ranges[0].end == 3);
  CHECK(r.on_packet(packet(1), at(2)));
  a = ack_of(r);
  CHECK(a.cumulative == 3);
  CHECK(a.range_count == 0);
  CHECK(r.on_packet(packet(1), at(3)));
  a = ack_of(r);
  CHECK(a.duplicate);
  CHECK(a.echo_sequence == 1);
  CHECK(r.duplicate_packets() == 1);
  CHECK(r.received_packets() == 3);
}

TEST_CASE("the most recent ranges come first, and a TCP header holds three") {
  Receiver r{{.ack_every = 1}, nullptr};
  for (const uint64_t sequence : {2u, 4u, 6u, 8u}) r.on_packet(packet(sequence), at(0));
  Ack a = ack_of(r);
  REQUIRE(a.range_count == 3);
  CHECK(a.ranges[0].begin == 8);
  CHECK(a.ranges[1].begin == 6);
  CHECK(a.ranges[2].begin == 4);
  r.on_packet(packet(3), at(1));  // joins 2 and 4
  a = ack_of(r);
  CHECK(a.ranges[0].begin == 2);
  CHECK(a.ranges[0].end == 5);
  CHECK(a.ranges[1].begin == 8);
  CHECK(a.wire_size() == 52 + 4 + 8 * a.range_count);
}

// Against a set, with segments in random order, lost and repeated.
TEST_CASE("cumulative point, ranges and counts equal those of a plain set, whatever the order") {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    CAPTURE(seed);
    Random random{seed, 0, "receiver"};
    const std::size_t max_ranges = 1 + random.below(32);
    Receiver r{{.ack_every = 1 + static_cast<int>(random.below(4)), .max_ranges = max_ranges}, nullptr};
    std::set<uint64_t> have;
    uint64_t duplicates = 0;
    uint64_t base = 0;
    for (int64_t step = 0; step < 2000; ++step) {
      const uint64_t sequence = base + random.below(1 + random.below(60));
      const bool fresh = have.insert(sequence).second;
      duplicates += fresh ? 0 : 1;
      const bool due = r.on_packet(packet(sequence), at(step));
      while (have.contains(base)) ++base;
      REQUIRE(r.cumulative() == base);
      REQUIRE(r.received_packets() == have.size());
      REQUIRE(r.duplicate_packets() == duplicates);
      if (!due) continue;
      const Ack a = ack_of(r);
      REQUIRE(a.cumulative == base);
      REQUIRE(a.duplicate == !fresh);
      REQUIRE(a.range_count <= max_ranges);
      for (const SegmentRange range : a.sacked()) {
        REQUIRE(range.begin > base);
        REQUIRE(range.begin < range.end);
        for (uint64_t i = range.begin; i < range.end; ++i) REQUIRE(have.contains(i));
        REQUIRE_FALSE(have.contains(range.begin - 1));
        REQUIRE_FALSE(have.contains(range.end));
      }
      if (fresh && sequence > base && a.range_count > 0) {
        REQUIRE(a.ranges[0].begin <= sequence);
        REQUIRE(sequence < a.ranges[0].end);
      }
    }
  }
}
