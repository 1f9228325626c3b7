#include <doctest/doctest.h>

#include <atomic>
#include <string>
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

TEST_CASE("runs at once share what they run over, and come to the same as one after the other") {
  const Lab lab;
  const std::string hash(64, 'd');
  const std::string text = "1 1\n2 1\n10 1\n";
  char error[128] = "";
  REQUIRE(paceline_lab_trace(lab.get(), hash.data(), text.data(), text.size(), error, sizeof error) == 0);
  auto given = manifest({cca("cubic"), cca("orca")}, 1);
  given["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", hash}, {"name", "x"}, {"offset_ms", 0}};
  const std::string alone = paceline_run_summary(lab.run(given).get());
  Crew crew{4};
  std::vector<std::string> summaries(8);
  crew.share(summaries.size(), [&](std::size_t i) { summaries[i] = paceline_run_summary(lab.run(given).get()); });
  for (const std::string& summary : summaries) CHECK(summary == alone);
}

TEST_CASE("there is no crew of nobody, and none of very many") {
  CHECK(paceline_crew_create(0) == nullptr);
  CHECK(paceline_crew_create(1'000'000) == nullptr);
}
