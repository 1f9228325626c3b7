#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "telemetry/background_sink.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

class Broken final : public RunSink {
 public:
  void samples(uint16_t, Time, std::span<const float>) override { throw std::runtime_error("the disk is full"); }
};

class Slow final : public RunSink {
 public:
  void samples(uint16_t, Time, std::span<const float>) override {
    std::this_thread::sleep_for(std::chrono::milliseconds{50});
  }
};

}  // namespace

TEST_CASE("Everything arrives, in order, from another thread") {
  Recorder target;
  BackgroundSink sink{target};
  constexpr int kRows = 20'000;
  for (int i = 0; i < kRows; ++i) {
    const float row[] = {static_cast<float>(i), 2.0F};
    sink.samples(17, {i}, row);
    if (i % 1000 == 0) sink.event({.time = {i}, .flow = 3, .event = "rto", .detail = std::to_string(i), .value = 0.5});
    sink.samples_complete({i});
    if (i % 64 == 0) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  sink.finish();
  REQUIRE(target.rows.at(17).size() == kRows);
  for (int i = 0; i < kRows; ++i)
    CHECK(target.rows.at(17)[static_cast<std::size_t>(i)].values.at(0) == static_cast<float>(i));
  REQUIRE(target.events.size() == 20);
  CHECK(target.events[19].detail == "19000");
  CHECK(target.events[19].flow == 3);
}

TEST_CASE("A failing reader is told to the writer, soon and at the end") {
  Broken target;
  BackgroundSink sink{target};
  const float row[] = {1.0F};
  sink.samples(0, {}, row);
  std::this_thread::sleep_for(std::chrono::milliseconds{100});
  CHECK_THROWS_WITH(sink.samples(0, {}, row), doctest::Contains("could not be written"));
  CHECK_THROWS_WITH(sink.finish(), "the disk is full");
}

TEST_CASE("A reader that falls too far behind is an error, not a wait") {
  Slow target;
  BackgroundSink sink{target};
  const float row[] = {1.0F};
  const auto fill = [&] {
    for (int i = 0; i < 100'000; ++i) sink.samples(0, {}, row);
  };
  const auto began = std::chrono::steady_clock::now();
  CHECK_THROWS_WITH(fill(), doctest::Contains("too far behind"));
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
}
