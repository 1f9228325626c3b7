#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "channel/markov.hh"
#include "channel/random_walk.hh"

using namespace paceline;

TEST_CASE("A random walk stays between its walls, moves, and is the same for the same seed") {
  RandomWalk walk{.seed = 4, .duration_ms = 30'050, .every_ms = 100, .start_mbps = 24, .min_mbps = 12, .max_mbps = 36};
  const auto counts = random_walk_trace(walk);
  CHECK(counts.size() == 30'051);
  CHECK(*std::max_element(counts.begin(), counts.end()) <= 4);  // 36 Mbps: three a millisecond, and a carried one
  CHECK(*std::min_element(counts.begin() + 1, counts.end()) >= 1);
  CHECK(random_walk_trace(walk) == counts);
  walk.seed = 5;
  CHECK(random_walk_trace(walk) != counts);
  walk.start_mbps = 40;
  CHECK_THROWS_AS((void)random_walk_trace(walk), std::invalid_argument);
}

TEST_CASE("A Markov link is in its states for their shares of the time and follows its transitions") {
  Markov chain{.seed = 2, .duration_ms = 2'000'000};
  chain.states = {{.mbps = 12, .mean_ms = 300, .next = {0, 1, 0}},
                  {.mbps = 24, .mean_ms = 600, .next = {0, 0, 1}},
                  {.mbps = 0, .mean_ms = 100, .next = {1, 0, 0}}};
  const auto counts = markov_trace(chain);
  CHECK(counts.size() == 2'000'001);
  std::map<uint32_t, double> share;
  std::map<std::pair<uint32_t, uint32_t>, int> jumps;
  for (std::size_t i = 2; i < counts.size(); ++i) {
    share[counts[i]] += 1.0 / 2'000'000;
    if (counts[i] != counts[i - 1]) ++jumps[{counts[i - 1], counts[i]}];
  }
  CHECK(share[1] == doctest::Approx(0.3).epsilon(0.1));
  CHECK(share[2] == doctest::Approx(0.6).epsilon(0.1));
  CHECK(share[0] == doctest::Approx(0.1).epsilon(0.1));
  CHECK(jumps.size() == 3);  // 12 to 24 to 0 to 12, never another way
  chain.states[1].next = {0, 1, 1};
  CHECK_THROWS_AS((void)markov_trace(chain), std::invalid_argument);
  chain.states[1].next = {0, 0};
  CHECK_THROWS_AS((void)markov_trace(chain), std::invalid_argument);
}
