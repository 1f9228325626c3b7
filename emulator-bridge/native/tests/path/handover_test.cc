#include <doctest/doctest.h>

#include <algorithm>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("by hand: interrupted from 1 s on for 100 ms, and again 1 s after its end") {
  for (const bool forwards : {true, false}) {
    CAPTURE(forwards);
    DriveElements drive{make_element(
        "handover",
        {{"every_s", 1.0}, {"interruption_ms", 100.0}, {"packets", std::string{forwards ? "forwarded" : "lost"}}})};
    //                       0    1     2     3     4     5     6     7     8
    for (const double ms : {0.0, 999.0, 1000.0, 1050.0, 1099.0, 1100.0, 2099.0, 2100.0, 2200.0}) drive.in(at_ms(ms));
    drive.finish();
    std::vector<std::pair<uint64_t, Time>> out;
    for (const auto& o : drive.out) out.emplace_back(o.number, o.time);
    if (forwards) {
      CHECK(drive.lost.empty());
      const std::vector<std::pair<uint64_t, Time>> expected{{0, at_ms(0)},    {1, at_ms(999)},  {2, at_ms(1100)},
                                                            {3, at_ms(1100)}, {4, at_ms(1100)}, {5, at_ms(1100)},
                                                            {6, at_ms(2099)}, {7, at_ms(2200)}, {8, at_ms(2200)}};
      CHECK(out == expected);
    } else {
      CHECK(drive.lost == std::vector<uint64_t>{2, 3, 4, 7});
      CHECK(out.size() == 5);
    }
  }
}

TEST_CASE("at random times the share of interrupted time is interruption / (every + interruption)") {
  DriveElements drive{make_element(
      "handover",
      {{"every_s", 1.0}, {"interruption_ms", 250.0}, {"at_random", true}, {"packets", std::string{"lost"}}})};
  constexpr int kPackets = 4'000'000;  // 20 000 s
  for (int i = 0; i < kPackets; ++i) drive.in(at_ms(5.0 * i));
  CHECK(static_cast<double>(drive.lost.size()) / kPackets == doctest::Approx(0.2).epsilon(0.03));
}
