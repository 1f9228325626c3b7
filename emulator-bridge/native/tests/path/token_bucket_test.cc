// Policer and shaper against hand-worked tables, and against the bound that defines a token bucket: in no interval of length t does more
// than burst + rate t pass (RFC 2697, section 3; Cruz 1991).

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// In any window of departures: bytes <= burst + rate x span.
void check_envelope(const std::vector<DriveElements::Out>& out, const std::vector<uint32_t>& sizes, double burst,
                    double bytes_per_ns) {
  // Equivalently: passed - rate t never exceeds burst above its least value before any packet.
  double passed = 0, least = 0, last = 0;
  for (const auto& o : out) {
    const auto now = static_cast<double>(o.time.ns);
    REQUIRE(now >= last);
    last = now;
    least = std::min(least, passed - bytes_per_ns * now);
    passed += sizes[o.number];
    REQUIRE(passed - bytes_per_ns * now <= least + burst + 1e-3);
  }
}

}  // namespace

TEST_CASE("a policer by hand: 12 Mbps is a packet of 1500 bytes in each millisecond, and the bucket holds three") {
  DriveElements drive{make_element("policer", {{"rate_mbps", 12.0}, {"burst_bytes", 4500.0}})};
  // time, tokens before:  4500 3000 1500 | 0 -> dropped | 1 ms: 1500 | 1.5 ms: 750 -> dropped | 2 ms: 1500 | 10 ms: 4500 (full)
  for (const double ms : {0.0, 0.0, 0.0, 0.0, 1.0, 1.5, 2.0, 10.0, 10.0, 10.0, 10.0, 10.5}) drive.in(at_ms(ms));
  std::vector<uint64_t> passed;
  for (const auto& o : drive.out) passed.push_back(o.number);
  CHECK(passed == std::vector<uint64_t>{0, 1, 2, 4, 6, 7, 8, 9});
  CHECK(drive.lost == std::vector<uint64_t>{3, 5, 10, 11});
  CHECK(drive.out[4].time == at_ms(2));
}

TEST_CASE("a shaper by hand: what has no tokens waits for exactly those it lacks") {
  DriveElements drive{make_element("shaper", {{"rate_mbps", 12.0}, {"burst_bytes", 3000.0}, {"limit_bytes", 4500.0}})};
  // Two pass at once; three wait, for 1, 2 and 3 ms; the sixth finds 4500 bytes waiting.
  for (int i = 0; i < 6; ++i) drive.in(Time::zero());
  // At 2.5 ms two have left, 500 bytes of tokens towards the third are there; 750 bytes wait behind it: until 3.5 ms.
  drive.in(at_ms(2.5), 750);
  // At 10 ms the bucket is full again since 5.5 ms.
  for (int i = 0; i < 3; ++i) drive.in(at_ms(10));
  drive.finish();
  CHECK(drive.lost == std::vector<uint64_t>{5});
  const std::vector<double> ms{0, 0, 1, 2, 3, 3.5, 10, 10, 11};
  REQUIRE(drive.out.size() == ms.size());
  for (std::size_t i = 0; i < ms.size(); ++i) CHECK(drive.out[i].time == at_ms(ms[i]));
}

TEST_CASE("a packet larger than the burst never passes") {
  for (const char* id : {"policer", "shaper"}) {
    DriveElements drive{make_element(id, {{"burst_bytes", 1500.0}})};
    drive.in(at_ms(1000), 1501);
    drive.finish();
    CHECK(drive.lost.size() == 1);
    drive.in(at_ms(3000), 1500);
    CHECK(drive.out.size() == 1);
  }
}

TEST_CASE("no interval carries more than burst + rate x length, and a busy shaper carries that") {
  Random random{5, 0, "test"};
  for (const char* id : {"policer", "shaper"}) {
    CAPTURE(id);
    for (const double mbps : {0.3, 7.7, 133.0}) {
      for (const double burst : {1500.0, 9000.0, 60'000.0}) {
        DriveElements drive{make_element(id, {{"rate_mbps", mbps}, {"burst_bytes", burst}})};
        const double ns_per_byte = 8e3 / mbps;
        std::vector<uint32_t> sizes;
        Time now{};
        for (int i = 0; i < 4000; ++i) {
          // Twice the rate on average, in bursts.
          now += Duration{static_cast<int64_t>(random.chance(0.7) ? 0 : random.exponential(750 * 1.6 * ns_per_byte))};
          sizes.push_back(40 + static_cast<uint32_t>(random.below(1461)));
          drive.in(now, sizes.back());
        }
        drive.finish();
        REQUIRE(drive.out.size() + drive.lost.size() == sizes.size());
        check_envelope(drive.out, sizes, burst, 1 / ns_per_byte);
        if (std::string{id} == "policer") continue;
        double carried = 0;
        for (const auto& o : drive.out) carried += sizes[o.number];
        const double span = static_cast<double>((drive.out.back().time - drive.out.front().time).ns);
        CHECK(carried <= burst + span / ns_per_byte + 1);
        CHECK(carried > 0.85 * span / ns_per_byte);
      }
    }
  }
}
