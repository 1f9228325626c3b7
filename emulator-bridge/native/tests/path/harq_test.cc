#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

// How often each delay, in ms, was met; packets are so far apart that none waits for another.
std::map<double, double> delays_of(const Params::Given& params, int packets) {
  DriveElements drive{make_element("harq", params)};
  for (int i = 0; i < packets; ++i) drive.in(at_ms(10'000.0 * i));
  drive.finish();
  REQUIRE(drive.out.size() == static_cast<std::size_t>(packets));
  std::map<double, double> share;
  for (const auto& o : drive.out)
    share[static_cast<double>((o.time - at_ms(10'000.0 * static_cast<double>(o.number))).ns) / 1e6] += 1.0 / packets;
  return share;
}

}  // namespace

TEST_CASE("delays are those of the formula: n retransmissions with p^n c^(n(n-1)/2) (1 - p c^n)") {
  constexpr int kPackets = 400'000;
  for (const auto& [p, c] : {std::pair{0.3, 1.0}, std::pair{0.5, 0.5}}) {
    const auto share =
        delays_of({{"block_error", p}, {"combining", c}, {"round_trip_ms", 8.0}, {"transmissions", 32.0}}, kPackets);
    for (int n = 0; n < 4; ++n) {
      const double expected = std::pow(p, n) * std::pow(c, n * (n - 1) / 2.0) * (1 - p * std::pow(c, n));
      CAPTURE(n);
      CHECK(std::abs(share.at(8.0 * n) - expected) < 5 * std::sqrt(expected * (1 - expected) / kPackets));
    }
  }
}

TEST_CASE("what the HARQ gives up the RLC repeats: nothing is lost, it takes longer") {
  // Two transmissions at most, each fails with 0.5: a round fails with 0.25, having taken one round trip.
  constexpr int kPackets = 200'000;
  const auto share = delays_of(
      {{"block_error", 0.5}, {"combining", 1.0}, {"round_trip_ms", 8.0}, {"transmissions", 2.0}, {"rlc_ms", 50.0}},
      kPackets);
  CHECK(share.at(0) == doctest::Approx(0.5).epsilon(0.02));
  CHECK(share.at(8) == doctest::Approx(0.25).epsilon(0.02));
  CHECK(share.at(58) == doctest::Approx(0.125).epsilon(0.03));
  CHECK(share.at(66) == doctest::Approx(0.0625).epsilon(0.04));
}

TEST_CASE("the packets of one interval share their block, and nothing overtakes") {
  DriveElements drive{make_element("harq", {{"block_error", 0.4}})};
  for (int i = 0; i < 40'000; ++i) drive.in(at_ms(0.25 * i));
  drive.finish();
  CHECK(drive.lost.empty());
  CHECK(std::ranges::is_sorted(drive.out, {}, &DriveElements::Out::number));
  // Of four packets of a millisecond all wait as long, unless one in front makes them wait longer.
  for (std::size_t i = 0; i + 3 < drive.out.size(); i += 4) {
    const Duration first = drive.out[i].time - at_ms(0.25 * static_cast<double>(i));
    for (std::size_t k = 1; k < 4; ++k)
      REQUIRE(drive.out[i + k].time - at_ms(0.25 * static_cast<double>(i + k)) <= first);
  }
}
