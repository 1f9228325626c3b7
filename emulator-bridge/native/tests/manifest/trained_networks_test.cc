// The networks that come with the engine are those of their files, as whoever brings such a file along would have them.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "cca/registry.hh"
#include "cca/trained.hh"
#include "manifest/weights_file.hh"
#include "tests/cca/link_run.hh"
#include "tests/repository.hh"

using namespace paceline;
using namespace paceline::testing;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> files() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator{repository_root() / "emulator-bridge/native/weights"})
    if (entry.path().filename().string().ends_with(".weights.json")) found.push_back(entry.path());
  return found;
}

}  // namespace

TEST_CASE("the engine's networks have the numbers of their files, to the last bit") {
  REQUIRE(files().size() >= 2);
  for (const fs::path& file : files()) {
    CAPTURE(file);
    const FeedForward read = weights_of(read_weights_file(file));
    const auto built = trained_network(read.algorithm);
    CHECK(built->name == read.name);
    CHECK(built->inputs == read.inputs);
    CHECK(built->history == read.history);
    CHECK(built->subtract == read.subtract);
    CHECK(built->divide == read.divide);
    CHECK(built->least == read.least);
    CHECK(built->most == read.most);
    REQUIRE(built->layers.size() == read.layers.size());
    for (std::size_t i = 0; i < read.layers.size(); ++i) {
      CHECK(built->layers[i].activation == read.layers[i].activation);
      CHECK(built->layers[i].units == read.layers[i].units);
      CHECK(built->layers[i].inputs == read.layers[i].inputs);
      CHECK(built->layers[i].weights == read.layers[i].weights);
      CHECK(built->layers[i].biases == read.layers[i].biases);
    }
  }
}

TEST_CASE("the trained agent decides as its file brought along does") {
  for (const fs::path& file : files()) {
    CAPTURE(file);
    auto network = std::make_shared<const FeedForward>(weights_of(read_weights_file(file)));
    const auto over = [&](const Params::Given& given) {
      return run_over_link(
          {.cca = network->algorithm, .params = given, .rtt_ms = 40, .queue_packets = 80, .duration_s = 10});
    };
    const LinkRun trained = over({{"policy", std::string{"trained"}}});
    const LinkRun brought = over({{"policy", std::string{"network"}}, {"weights", network}});
    REQUIRE(trained.samples.size() == brought.samples.size());
    for (std::size_t i = 0; i < trained.samples.size(); ++i)
      REQUIRE(std::memcmp(&trained.samples[i].sender, &brought.samples[i].sender, sizeof(telemetry::SenderRow)) == 0);
  }
}

TEST_CASE("a loop for which nobody trained has no network") {
  CHECK_THROWS(static_cast<void>(trained_network("cubic")));
}
