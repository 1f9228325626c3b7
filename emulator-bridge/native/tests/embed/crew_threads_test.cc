#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include "embed/crew.hh"
#include "tests/embed/lab.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("a crew does each piece once, round after round") {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    Crew crew{threads};
    for (std::size_t count = 0; count < 200; ++count) {
      std::vector<std::atomic<int>> done(count);
      crew.share(count, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) CHECK(times == 1);
    }
  }
}

TEST_CASE("episodes come to the same whoever takes them on, and however many do") {
  const Lab lab;
  constexpr std::size_t kCount = 12;
  const auto played = [&](std::size_t threads) {
    std::vector<Owned<paceline_episode>> held;
    std::vector<paceline_episode*> episodes;
    for (std::size_t i = 0; i < kCount; ++i) {
      auto one = manifest({cca(i % 2 == 0 ? "orca" : "agent")}, 0.5 + 0.1 * static_cast<double>(i));
      one["seed"] = i;
      held.push_back(lab.episode(one));
      episodes.push_back(held.back().get());
    }
    const Owned<paceline_crew> crew{paceline_crew_create(threads)};
    std::vector<double> actions(kCount);
    std::vector<paceline_decision> decisions(kCount);
    std::vector<float> seen(kCount * 8);
    std::vector<double> all;
    for (int step = 0; step < 100; ++step) {
      paceline_crew_step(crew.get(), episodes.data(), actions.data(), kCount, decisions.data(), seen.data(), 8);
      for (std::size_t i = 0; i < kCount; ++i) {
        actions[i] = (step % 3 - 1) * 0.1;
        if (decisions[i].flow >= 0) all.push_back(decisions[i].acked_bytes + decisions[i].now);
      }
    }
    return all;
  };
  const auto alone = played(1);
  CHECK(alone.size() > 300);
  CHECK(played(2) == alone);
  CHECK(played(7) == alone);
}

TEST_CASE("there is no crew of nobody, and none of very many") {
  CHECK(paceline_crew_create(0) == nullptr);
  CHECK(paceline_crew_create(1'000'000) == nullptr);
}
