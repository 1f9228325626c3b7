// Manifests whose directions have a list of elements: what is run, what is told, what is refused and where.

#include <algorithm>
#include <vector>

#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"

using nlohmann::json;
using namespace paceline;
using namespace paceline::testing;

namespace {

ProgramRun simulate(const json& manifest) {
  return run_program("simulate", "--manifest - --traces /nonexistent --format ndjson", manifest.dump());
}

json with_path(const json& path) {
  json manifest = small_manifest();
  manifest["forward"]["path"] = path;
  return manifest;
}

json summary_of(const ProgramRun& run) {
  REQUIRE(run.code == 0);
  const std::size_t at = run.out.find("{\"type\":\"summary\"");
  const std::size_t start =
      at != std::string::npos ? at : run.out.rfind('\n', run.out.find("\"type\":\"summary\"")) + 1;
  return json::parse(run.out.substr(start, run.out.find('\n', start) - start));
}

void check_refused(const json& path, const std::string& sentence, int code = 2) {
  const ProgramRun run = simulate(with_path(path));
  CHECK(run.code == code);
  CHECK(run.out.empty());
  CHECK(run.err == "paceline-simulate: " + sentence + "\n");
}

const json kBottleneck{{"element", "bottleneck"}};
const json kDelay{{"element", "delay"}};
const json kLoss{{"element", "loss"}};

json policer(double mbps) {
  return {{"element", "policer"}, {"params", {{"rate_mbps", mbps}, {"burst_bytes", 30'000}}}};
}

}  // namespace

TEST_CASE("the usual list, named, gives the same bytes as none") {
  const ProgramRun none = simulate(small_manifest());
  CHECK(simulate(with_path({kLoss, kBottleneck, kDelay})).out == none.out);
  CHECK(simulate(with_path({kBottleneck, kDelay})).out == none.out);
  CHECK(summary_of(none)["links"][0].contains("path") == false);
}

TEST_CASE("elements are met in order, and the summary tells what each did") {
  const json summary = summary_of(simulate(with_path({policer(6), kBottleneck, kDelay})));
  CHECK(summary["receivers"][0]["throughput_mbps"].get<double>() < 6.2);
  const json& path = summary["links"][0]["path"];
  REQUIRE(path.size() == 4);
  CHECK(path[0]["element"] == "loss");
  CHECK(path[1]["element"] == "policer");
  CHECK(path[1]["lost_packets"].get<int>() > 0);
  CHECK(path[1]["lost_packets"] == summary["links"][0]["lost_packets"]);
  CHECK(path[2]["entered_packets"] == path[1]["passed_packets"]);
}

TEST_CASE("hello announces a stream of each element, with the columns that it declares") {
  const auto streams_of = [](const ProgramRun& run) {
    return json::parse(run.out.substr(0, run.out.find('\n')))["streams"];
  };
  json elements = json::array();
  const ProgramRun run = simulate(with_path({policer(6), kBottleneck, kDelay}));
  for (const json& stream : streams_of(run))
    if (stream["kind"] == "element") elements.push_back(stream);
  REQUIRE(elements.size() == 4);
  CHECK(elements[1]["element"] == "policer");
  CHECK(elements[1]["place"] == 1);
  CHECK(elements[1]["direction"] == "forward");
  CHECK(elements[1]["stream"] == 1025);
  CHECK(elements[1]["columns"].back()["name"] == "dropped_bytes");
  CHECK(summary_of(run)["links"][0]["path"][1]["figures"]["dropped_bytes"].get<double>() > 0);
  for (const json& stream : streams_of(simulate(small_manifest()))) CHECK(stream["kind"] != "element");
}

TEST_CASE("a delay that is the last of the way back tells of itself, and an extra RTT is in it") {
  json manifest = small_manifest();
  manifest["reverse"]["path"] = {{{"element", "jitter"}, {"params", {{"mean_ms", 0}}}}, kBottleneck, kDelay};
  manifest["flows"][0]["extra_rtt_ms"] = 15;
  const ProgramRun run = simulate(manifest);
  json last;
  const json hello = json::parse(run.out.substr(0, run.out.find('\n')));
  for (const json& stream : hello["streams"])
    if (stream["kind"] == "element") last = stream;
  CHECK(last["element"] == "delay");
  CHECK(last["direction"] == "reverse");
  const json summary = summary_of(run);
  const json& delay = summary["links"][1]["path"].back();
  CHECK(delay["element"] == "delay");
  CHECK(delay["entered_packets"].get<int>() > 100);
  // 35 ms of acknowledgements, two packets of 1 ms each.
  CHECK(delay["held_packets"].get<int>() > 10);
  // Which changes nothing for the flow.
  json usual = small_manifest();
  usual["flows"][0]["extra_rtt_ms"] = 15;
  CHECK(summary["senders"] == summary_of(simulate(usual))["senders"]);
  CHECK(summary["receivers"] == summary_of(simulate(usual))["receivers"]);
}

TEST_CASE("a further bottleneck has a capacity and a queue; a further delay is a part of the base RTT") {
  json second{
      {"element", "bottleneck"},
      {"capacity", {{"kind", "constant"}, {"rate_mbps", 4}}},
      {"queue", {{"id", "droptail"}, {"limit_bytes", 15000}, {"limit_packets", nullptr}, {"params", json::object()}}}};
  json further = kDelay;
  further["params"] = {{"delay_ms", 15}};
  const json summary = summary_of(simulate(with_path({kBottleneck, second, kDelay, further})));
  CHECK(summary["base_rtt_ms"] == 55);
  CHECK(summary["receivers"][0]["throughput_mbps"].get<double>() == doctest::Approx(4).epsilon(0.1));
  second.erase("queue");
  check_refused({kBottleneck, kDelay, second}, "forward.path[2].queue: is missing");
}

TEST_CASE("what cannot be is refused at its place") {
  check_refused(
      json::array({kDelay}),
      "forward.path: the link's own bottleneck has no place in it: add {\"element\": \"bottleneck\"} where packets "
      "meet it");
  check_refused(
      json::array({kBottleneck}),
      "forward.path: the link's own delay has no place in it: add {\"element\": \"delay\"} where packets meet it");
  check_refused({kBottleneck, kDelay, kDelay},
                "forward.path[2]: the link's own delay is in the list already: give a further one values of its own");
  check_refused({kBottleneck, kDelay, {{"element", "wormhole"}}},
                "forward.path[2].element: there is no path element \"wormhole\" (paceline-list shows all)", 127);
  check_refused({policer(-1), kBottleneck, kDelay},
                "forward.path[0].params: parameter rate_mbps: -1 is outside 0.001 to 1e+06");
  const json twice{{"element", "duplicate"}};
  check_refused({twice, kBottleneck, twice, kDelay}, "forward.path[2]: a direction has at most 1 duplicate");
  check_refused(json::array(), "forward.path: must have 1 to 32 entries");
  check_refused(std::vector<json>(33, kLoss), "forward.path: must have 1 to 32 entries");
  check_refused("loss", "forward.path: must be a list");
  check_refused({kBottleneck, kDelay, 7}, "forward.path[2]: must be an object");
  json strange = kLoss;
  strange["chance"] = 0.1;
  check_refused({kBottleneck, kDelay, strange}, "forward.path[2].chance: is not known");
}

json recorded_jitter(const json& recorded) {
  return {
      {"element", "jitter"}, {"params", {{"distribution", "recorded"}, {"keep_order", false}}}, {"recorded", recorded}};
}

TEST_CASE("jitter repeats what was recorded, at the phase of the run") {
  json recorded{{"name", "steps"}, {"times_ms", {0, 1'000'000}}, {"delays_ms", {10, 3}}};
  const auto mean_ms = [&] {
    const json summary = summary_of(simulate(with_path({recorded_jitter(recorded), kBottleneck, kDelay})));
    CHECK(summary["receivers"][0]["received_packets"] > 100);
    return summary["links"][0]["path"][1]["figures"]["delay_mean_ms"].get<double>();
  };
  CHECK(mean_ms() == doctest::Approx(10));
  recorded["offset_ms"] = 1'500'000;
  CHECK(mean_ms() == doctest::Approx(3));
}

TEST_CASE("recorded delays that cannot be are refused at their place") {
  const auto refused = [](const json& recorded, const std::string& sentence) {
    check_refused({recorded_jitter(recorded), kBottleneck, kDelay}, "forward.path[0].recorded" + sentence);
  };
  const auto delays = [](const json& times, const json& values) {
    return json{{"times_ms", times}, {"delays_ms", values}};
  };
  refused(delays(json::array(), json::array()), ".times_ms: must have 1 to 10000 entries");
  refused(delays(std::vector<double>(10'001, 0), {1}), ".times_ms: must have 1 to 10000 entries");
  refused(delays({0, 5}, {1, -1}), ".delays_ms[1]: must be a number of milliseconds from 0 to 60000");
  refused(delays({0, 5}, {1, nullptr}), ".delays_ms[1]: must be a number of milliseconds from 0 to 60000");
  refused(delays({0, 5}, {1, 60'001}), ".delays_ms[1]: must be a number of milliseconds from 0 to 60000");
  refused(delays({0, 1e300}, {1, 1}), ".times_ms[1]: must be a number of milliseconds from 0 to 86400000");
  refused(delays({0, "1"}, {1, 1}), ".times_ms[1]: must be a number of milliseconds from 0 to 86400000");
  refused(delays({0, 5, 5}, {1, 1, 1}), ".times_ms[2]: is not after the one before it");
  refused(delays({0, 5, 4}, {1, 1, 1}), ".times_ms[2]: is not after the one before it");
  refused(delays({3, 5}, {1, 1}), ".times_ms[0]: must be 0: times count from the first delay");
  refused(delays({0, 5}, {1}), ".delays_ms: there are 2 times, but 1 delays");
  json early = delays({0, 5}, {1, 2});
  early["offset_ms"] = -1;
  refused(early, ".offset_ms: -1 is outside 0 to 172800000");
  json drawn = recorded_jitter(delays({0}, {1}));
  drawn.erase("params");
  check_refused({drawn, kBottleneck, kDelay}, "forward.path[0].recorded: is for distribution recorded alone");
  json missing = recorded_jitter(nullptr);
  missing.erase("recorded");
  check_refused({missing, kBottleneck, kDelay}, "forward.path[0].recorded: is missing");
  json elsewhere = kDelay;
  elsewhere["recorded"] = delays({0}, {1});
  check_refused({kBottleneck, kDelay, elsewhere}, "forward.path[2].recorded: delay repeats nothing recorded");
}

TEST_CASE("a flow joins at a place that there is") {
  json manifest = with_path({policer(6), kBottleneck, kDelay});
  manifest["flows"][0]["joins"] = 1;
  const json summary = summary_of(simulate(manifest));
  CHECK(summary["links"][0]["path"][1]["entered_packets"] == 0);
  CHECK(summary["receivers"][0]["throughput_mbps"].get<double>() > 10);
  manifest["flows"][0]["joins"] = 3;
  CHECK(simulate(manifest).err == "paceline-simulate: flows[0].joins: forward.path has 3 elements, from 0\n");
  manifest["forward"].erase("path");
  CHECK(simulate(manifest).err == "paceline-simulate: flows[0].joins: forward.path has no list to join\n");
  // At the beginning is where flows enter anyway.
  json first = with_path({kBottleneck, kDelay});
  const std::string usual = simulate(first).out;
  first["flows"][0]["joins"] = 0;
  CHECK(simulate(first).out == usual);
}

TEST_CASE("paceline-list tells every element with its parameters") {
  const json listing = json::parse(run_program("list", "").out);
  std::vector<std::string> ids;
  for (const json& element : listing["elements"]) {
    ids.push_back(element["id"]);
    CHECK(!element["summary"].get<std::string>().empty());
    CHECK(!element["source"].get<std::string>().empty());
    for (const json& param : element["params"]) CHECK(!param["help"].get<std::string>().empty());
  }
  for (const char* id : {"loss", "bottleneck", "delay", "policer"}) CHECK(std::ranges::find(ids, id) != ids.end());
}
