// Decoded traces: read once, and not all of them kept.

#include "manifest/trace_store.hh"

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "formats/trace_file.hh"
#include "program/refusal.hh"

using namespace paceline;
namespace fs = std::filesystem;

TEST_CASE("traces that were asked for last are kept, up to a size, and the last one always") {
  const fs::path folder = fs::temp_directory_path() / ("paceline-traces-" + std::to_string(::getpid()));
  std::vector<std::string> names;
  for (uint32_t i = 0; i < 3; ++i) {
    std::vector<uint32_t> counts(1000, 1 + i);
    counts[0] = 0;
    names.push_back(store_trace(counts, folder));
  }
  TraceStore roomy{folder, 8000};
  const auto first = roomy.trace(names[0], "forward");
  const auto second = roomy.trace(names[1], "forward");
  CHECK(first->opportunities_per_lap() == 999);
  CHECK(second->opportunities_per_lap() == 2 * 999);
  CHECK(roomy.trace(names[0], "forward") == first);
  const auto third = roomy.trace(names[2], "forward");  // takes the place of the second
  CHECK(roomy.trace(names[0], "forward") == first);
  CHECK(roomy.trace(names[1], "forward") != second);

  TraceStore narrow{folder, 1};
  const auto only = narrow.trace(names[0], "forward");
  CHECK(narrow.trace(names[0], "forward") == only);
  narrow.trace(names[1], "forward");
  CHECK(narrow.trace(names[0], "forward") != only);

  fs::remove_all(folder);
  CHECK(narrow.trace(names[0], "forward")->opportunities_per_lap() == 999);
  CHECK_THROWS_WITH_AS(narrow.trace(names[2], "forward.capacity.sha256"), doctest::Contains("forward.capacity.sha256"),
                       Refusal);
}
