// Against the formulas of Gilbert (1960) and Elliott (1963): share of losses, length of bursts, of good runs and of states.

#include <doctest/doctest.h>

#include <cmath>

#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr int kPackets = 2'000'000;

std::vector<bool> losses_of(const Params::Given& params, uint64_t seed, int packets = kPackets) {
  DriveElements drive{make_element("gilbert-elliott", params, seed)};
  for (int i = 0; i < packets; ++i) drive.in(at_ms(i));
  std::vector<bool> lost(static_cast<std::size_t>(packets));
  for (const uint64_t number : drive.lost) lost[number] = true;
  REQUIRE(drive.out.size() + drive.lost.size() == lost.size());
  return lost;
}

struct Bursts {
  double losses{};
  double count{};
};

Bursts bursts_of(const std::vector<bool>& lost) {
  Bursts b{};
  for (std::size_t i = 0; i < lost.size(); ++i) {
    if (!lost[i]) continue;
    ++b.losses;
    if (i == 0 || !lost[i - 1]) ++b.count;
  }
  return b;
}

}  // namespace

TEST_CASE("Gilbert's model: the share of losses is p/(p+r), a burst lasts 1/r, within five standard errors") {
  for (const auto& [each_p, each_r] :
       {std::pair{0.01, 0.3}, std::pair{0.002, 0.05}, std::pair{0.2, 0.8}, std::pair{0.5, 0.5}}) {
    const auto& p = each_p;
    CAPTURE(p);
    const auto& r = each_r;
    CAPTURE(r);
    const auto lost = losses_of({{"to_bad", p}, {"to_good", r}}, 11);
    const double share = p / (p + r);
    const Bursts b = bursts_of(lost);
    // The states of a chain with second eigenvalue l are correlated: the variance of their mean is (1 + l) / (1 - l) times that of
    // independent draws.
    const double l = 1 - p - r;
    const double error = std::sqrt(share * (1 - share) * (1 + l) / (1 - l) / kPackets);
    CHECK(std::abs(b.losses / kPackets - share) < 5 * error);
    // Bursts are geometric: mean 1/r, variance (1 - r)/r^2.
    CHECK(std::abs(b.losses / b.count - 1 / r) < 5 * std::sqrt((1 - r) / (r * r) / b.count));
  }
}

TEST_CASE("Elliott's model: each state loses with its own probability, and the lag-one correlation is the chain's") {
  const double p = 0.02, r = 0.1, good = 0.01, bad = 0.5;
  const auto lost = losses_of({{"to_bad", p}, {"to_good", r}, {"loss_good", good}, {"loss_bad", bad}}, 12);
  const double share_bad = p / (p + r);
  const double share = (1 - share_bad) * good + share_bad * bad;
  double losses = 0, pairs = 0;
  for (std::size_t i = 0; i < lost.size(); ++i) {
    losses += lost[i] ? 1 : 0;
    pairs += i > 0 && lost[i] && lost[i - 1] ? 1 : 0;
  }
  // P(two in a row) = share^2 + cov, cov = share_bad (1 - share_bad) (bad - good)^2 (1 - p - r).
  const double both = share * share + share_bad * (1 - share_bad) * (bad - good) * (bad - good) * (1 - p - r);
  CHECK(losses / kPackets == doctest::Approx(share).epsilon(0.02));
  CHECK(pairs / kPackets == doctest::Approx(both).epsilon(0.03));
}

TEST_CASE("it begins as it goes on: over many seeds the first packet is lost as often as any") {
  const double p = 0.1, r = 0.3;
  int first = 0;
  constexpr int kSeeds = 20'000;
  for (int seed = 0; seed < kSeeds; ++seed) {
    DriveElements drive{make_element("gilbert-elliott", {{"to_bad", p}, {"to_good", r}}, static_cast<uint64_t>(seed))};
    drive.in(Time::zero());
    first += drive.lost.empty() ? 0 : 1;
  }
  const double share = p / (p + r);
  CHECK(std::abs(static_cast<double>(first) / kSeeds - share) < 5 * std::sqrt(share * (1 - share) / kSeeds));
}

TEST_CASE("a path that never turns bad loses what it loses when good") {
  const auto lost = losses_of({{"to_bad", 0.0}, {"to_good", 0.5}, {"loss_good", 0.0}}, 1, 10'000);
  CHECK(bursts_of(lost).losses == 0);
}
