#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("a chosen packet leaves so much later, all others at once") {
  DriveElements drive{make_element("reorder", {{"probability", 0.05}, {"hold_ms", 7.5}})};
  constexpr int kPackets = 100'000;
  for (int i = 0; i < kPackets; ++i) drive.in(at_ms(i));
  drive.finish();
  REQUIRE(drive.out.size() == kPackets);
  int held = 0;
  uint64_t highest = 0;
  int late = 0;  // RFC 4737, section 3: behind one with a higher number
  for (const auto& o : drive.out) {
    const Duration took = o.time - at_ms(static_cast<double>(o.number));
    REQUIRE((took == Duration::zero() || took == Duration::micros(7500)));
    held += took > Duration::zero() ? 1 : 0;
    late += o.number < highest ? 1 : 0;
    highest = std::max(highest, o.number);
  }
  CHECK(std::abs(static_cast<double>(held) / kPackets - 0.05) < 5 * std::sqrt(0.05 * 0.95 / kPackets));
  // It is late unless the seven behind it are held back, too.
  CHECK(late == doctest::Approx(held).epsilon(0.01));
}
