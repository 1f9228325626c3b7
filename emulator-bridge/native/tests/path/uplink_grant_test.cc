#include <doctest/doctest.h>

#include <cmath>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("by hand: asked at 10 ms, granted 8 ms later, what is left 8 ms after that") {
  DriveElements drive{make_element("uplink-grant", {{"request_period_ms", 10.0},
                                                    {"grant_delay_ms", 8.0},
                                                    {"first_grant_bytes", 2000.0},
                                                    {"largest_grant_bytes", 3000.0}})};
  for (int i = 0; i < 4; ++i) drive.in(at_ms(3));  // 6000 bytes
  drive.in(at_ms(20), 500);
  drive.finish();
  // 18 ms: packet 0 and 500 bytes of packet 1; 4000 are reported, 3000 granted for 26 ms: the rest of 1, 2, and 500 of 3. 500 came
  // meanwhile: 1500 are reported, and leave at 34 ms.
  const std::vector<double> ms{18, 26, 26, 34, 34};
  REQUIRE(drive.out.size() == ms.size());
  for (std::size_t i = 0; i < ms.size(); ++i) {
    CHECK(drive.out[i].number == i);
    CHECK(drive.out[i].time == at_ms(ms[i]));
  }
  // The buffer is empty: it asks again, at 40 ms, and at the very moment of an occasion at once.
  drive.in(at_ms(35), 100);
  drive.finish();
  CHECK(drive.out.back().time == at_ms(48));
  drive.in(at_ms(60), 100);
  drive.finish();
  CHECK(drive.out.back().time == at_ms(68));
}

TEST_CASE("a lone packet takes the grant delay and half a request period on average") {
  DriveElements drive{make_element("uplink-grant")};
  Random random{6, 0, "test"};
  double sum = 0;
  constexpr int kPackets = 20'000;
  Time now{};
  for (int i = 0; i < kPackets; ++i) {
    now += Duration::seconds(0.1 + random.uniform(0, 0.01));
    drive.in(now, 100);
    drive.finish();
    sum += static_cast<double>((drive.out.back().time - now).ns) / 1e6;
  }
  CHECK(std::abs(sum / kPackets - (8 + 10 / 2.0)) < 5 * 10 / std::sqrt(12.0 * kPackets));
}
