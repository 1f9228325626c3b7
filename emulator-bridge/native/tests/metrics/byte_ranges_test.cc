#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/random.hh"
#include "metrics/byte_ranges.hh"

using namespace paceline;

TEST_CASE("Bytes count when they arrive for the first time, in whatever order they come") {
  ByteRanges ranges{100};
  CHECK(ranges.add(100, 200) == 100);
  CHECK(ranges.add(100, 200) == 0);
  CHECK(ranges.add(300, 400) == 100);
  CHECK(ranges.add(350, 450) == 50);
  CHECK(ranges.complete() == 200);
  CHECK(ranges.add(150, 320) == 100);
  CHECK(ranges.complete() == 450);
  CHECK(ranges.add(0, 100) == 0);
}

TEST_CASE("A table of single bytes agrees over random arrivals") {
  Random random{7, 0, "ranges"};
  for (int run = 0; run < 50; ++run) {
    constexpr uint64_t kBytes = 2000;
    ByteRanges ranges{0};
    std::vector<bool> table(kBytes);
    for (int i = 0; i < 400; ++i) {
      const uint64_t begin = random.below(kBytes);
      const uint64_t end = std::min(begin + random.below(60), kBytes);
      uint64_t fresh = 0;
      for (uint64_t byte = begin; byte < end; ++byte) {
        fresh += table[byte] ? 0U : 1U;
        table[byte] = true;
      }
      REQUIRE(ranges.add(begin, end) == fresh);
      REQUIRE(ranges.complete() == static_cast<uint64_t>(std::find(table.begin(), table.end(), false) - table.begin()));
    }
  }
}

TEST_CASE("Sequence numbers go on where 32 bits end, and what came before stays before") {
  Unwrapped unwrapped{0xffff'ff00};
  const uint64_t first = unwrapped.of(0xffff'ff00);
  CHECK(unwrapped.of(0x0000'0100) == first + 0x200);
  CHECK(unwrapped.of(0xffff'ff80) == first + 0x80);
  CHECK(unwrapped.near(0x0000'0200) == first + 0x300);
  CHECK(unwrapped.of(0x0000'0101) == first + 0x201);
  CHECK(unwrapped.of(0xffff'fe00) == first - 0x100);
}
