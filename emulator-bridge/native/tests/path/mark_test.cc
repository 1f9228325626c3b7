#include <doctest/doctest.h>

#include <cmath>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("so many packets of those that understand marks get one; none is lost or held") {
  for (const EcnMark ecn : {EcnMark::not_ect, EcnMark::ect0, EcnMark::ect1}) {
    DriveElements drive{make_element("mark", {{"probability", 0.2}})};
    constexpr int kPackets = 100'000;
    for (int i = 0; i < kPackets; ++i) drive.in(at_ms(i), 1500, ecn);
    REQUIRE(drive.out.size() == kPackets);
    double marked = 0;
    for (const auto& o : drive.out) {
      marked += o.ecn == EcnMark::ce ? 1 : 0;
      REQUIRE((o.ecn == EcnMark::ce || o.ecn == ecn));
    }
    if (ecn == EcnMark::not_ect) {
      CHECK(marked == 0);
    } else {
      CHECK(std::abs(marked / kPackets - 0.2) < 5 * std::sqrt(0.2 * 0.8 / kPackets));
    }
  }
}
