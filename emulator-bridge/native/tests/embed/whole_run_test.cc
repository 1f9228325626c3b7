#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "drivers/virtual.hh"
#include "embed/library.hh"
#include "manifest/manifest.hh"
#include "telemetry/descriptions.hh"
#include "tests/embed/lab.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;

namespace {

struct Silent final : RunSink {
  void samples(uint16_t, Time, std::span<const float>) override {}
};

json figures(const char* message) {
  json all = json::parse(message);
  all.erase("type");
  return all;
}

}  // namespace

TEST_CASE("a run comes to what the engine itself says of it") {
  const Lab lab;
  const json given = manifest({cca("cubic")});
  const auto run = lab.run(given);

  Library nothing;
  const RunPlan plan = plan_of(given, nothing, Engine::virtual_time);
  Silent sink;
  CHECK(figures(paceline_run_summary(run.get())) == to_json(simulate(plan, sink)));
  // without samples too
  CHECK(std::string{paceline_run_summary(lab.run(given, false).get())} == paceline_run_summary(run.get()));
}

TEST_CASE("series have the rows and columns that hello names") {
  const Lab lab;
  const auto run = lab.run(manifest({cca("cubic"), cca("bbr")}, 2));
  const json hello = json::parse(paceline_run_hello(run.get()));
  CHECK(hello.at("streams").size() == 5);
  for (const json& stream : hello.at("streams")) {
    paceline_series series{};
    REQUIRE(paceline_run_series(run.get(), stream.at("stream").get<uint16_t>(), &series) == 0);
    CHECK(series.rows == 200);
    CHECK(series.columns + 1 == stream.at("columns").size());
    CHECK(series.times[0] == doctest::Approx(0.01));
    CHECK(series.times[199] == doctest::Approx(2));
  }
  paceline_series none{};
  CHECK(paceline_run_series(run.get(), 999, &none) != 0);
  CHECK(json::parse(paceline_run_events(run.get())).is_array());
}

TEST_CASE("what cannot be run is refused with its place") {
  const Lab lab;
  CHECK_THROWS_WITH(lab.run(json::object()), doctest::Contains("schema: is missing"));
  CHECK_THROWS_WITH(lab.run(manifest({cca("cubik")})), doctest::Contains("cubik"));
  json given = manifest({cca("cubic")});
  given["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", std::string(64, 'a')}, {"name", "x"}, {"offset_ms", 0}};
  CHECK_THROWS_WITH(lab.run(given), doctest::Contains("this trace was not handed in"));
}

TEST_CASE("a trace that was handed in is run over, and one that is none is refused") {
  const Lab lab;
  const std::string hash(64, 'b');
  char error[128] = "";
  const std::string text = "1 1\n2 1\n10 1\n";
  REQUIRE(paceline_lab_trace(lab.get(), hash.data(), text.data(), text.size(), error, sizeof error) == 0);
  json given = manifest({cca("cubic")});
  given["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", hash}, {"name", "x"}, {"offset_ms", 0}};
  // three packets in ten milliseconds
  const json summary = json::parse(paceline_run_summary(lab.run(given).get()));
  CHECK(summary.at("links").at(0).at("capacity_mean_mbps").get<double>() == doctest::Approx(3.6).epsilon(0.01));

  CHECK(paceline_lab_trace(lab.get(), hash.data(), "nonsense", 8, error, sizeof error) != 0);
  CHECK(std::string{error} != "");
  char small[6] = "";
  CHECK(paceline_lab_trace(lab.get(), hash.data(), "nonsense", 8, small, sizeof small) != 0);
  CHECK(std::string{small}.size() == 5);
  CHECK(paceline_lab_weights(lab.get(), hash.data(), "{}", 2, error, sizeof error) != 0);
}

TEST_CASE("a run that is cancelled ends before its time") {
  const Lab lab;
  CHECK_THROWS_WITH(lab.run(manifest({cca("cubic")}, 80'000), true, 1), "cancelled");
}
