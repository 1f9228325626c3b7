// paceline-simulate and paceline-list as the server calls them: bytes, exit codes, sentences.

#include <cstring>
#include <map>
#include <vector>

#include "metrics/columns.gen.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"

using nlohmann::json;
using namespace paceline;
using namespace paceline::testing;

namespace {

ProgramRun simulate(const json& manifest, const std::string& options = "--format ndjson") {
  return run_program("simulate", "--manifest - --traces /nonexistent " + options, manifest.dump());
}

std::vector<json> lines_of(const std::string& text) {
  std::vector<json> lines;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; start = end + 1, end = text.find('\n', start))
    lines.push_back(json::parse(text.substr(start, end - start)));
  return lines;
}

struct Frame {
  uint8_t kind{};
  uint8_t version{};
  uint16_t stream{};
  uint32_t seq{};
  uint32_t rows{};
  std::string payload{};
};

template <typename T>
T read_at(const std::string& bytes, std::size_t at) {
  T value{};
  REQUIRE(at + sizeof(T) <= bytes.size());
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

std::vector<Frame> frames_of(const std::string& bytes) {
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto size = read_at<uint32_t>(bytes, at);
    frames.push_back({read_at<uint8_t>(bytes, at + 4), read_at<uint8_t>(bytes, at + 5),
                      read_at<uint16_t>(bytes, at + 6), read_at<uint32_t>(bytes, at + 8),
                      read_at<uint32_t>(bytes, at + 12), bytes.substr(at + telemetry::kFrameHeaderBytes, size)});
    REQUIRE(frames.back().payload.size() == size);
    at += telemetry::kFrameHeaderBytes + size;
  }
  return frames;
}

// A refusal: exit code, a sentence that names the place, nothing on standard output.
void check_refused(const json& manifest, const std::string& sentence, int code = 2) {
  const ProgramRun run = simulate(manifest);
  CHECK(run.code == code);
  CHECK(run.out.empty());
  CHECK(run.err == "paceline-simulate: " + sentence + "\n");
}

template <typename Change>
json changed(Change&& change) {
  json manifest = small_manifest();
  change(manifest);
  return manifest;
}

}  // namespace

TEST_CASE("a run greets, shows samples of every stream, sums up and ends") {
  const ProgramRun run = simulate(small_manifest());
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() > 600);
  CHECK(lines.front()["type"] == "hello");
  CHECK(lines.front()["clock"] == "virtual");
  CHECK(lines.front()["streams"].size() == 3);
  CHECK(lines.back() == json{{"type", "end"}, {"time_s", 2.0}});
  const json& summary = lines[lines.size() - 2];
  CHECK(summary["type"] == "summary");
  CHECK(summary["links"][0]["utilisation"].get<double>() > 0.9);
  CHECK(summary["lateness"].is_null());
  std::map<int, int> rows;
  for (const json& line : lines)
    if (line["type"] == "sample") ++rows[line["stream"].get<int>()];
  CHECK(rows == std::map<int, int>{{0, 200}, {16, 200}, {17, 200}});
}

TEST_CASE("runs that are served one after the other give the bytes of each alone") {
  std::string lines;
  std::string expected;
  for (const char* cca : {"cubic", "bbr", "cubic", "copa"}) {
    const json manifest = small_manifest(cca);
    lines += manifest.dump() + "\n";
    expected += simulate(manifest, "").out;
  }
  const ProgramRun served = run_program("simulate", "--serve --traces /nonexistent", lines);
  CHECK(served.code == 0);
  CHECK(served.err.empty());
  CHECK(served.out == expected);
}

TEST_CASE("the first served run that fails ends the program with its own code and words") {
  const std::string good = small_manifest().dump() + "\n";
  const ProgramRun unknown =
      run_program("simulate", "--serve --traces /nonexistent", good + small_manifest("cubik").dump() + "\n" + good);
  CHECK(unknown.code == 127);
  CHECK(unknown.err == "paceline-simulate: flows[0].cca.id: there is no CCA \"cubik\" (paceline-list shows all)\n");
  CHECK(unknown.out == simulate(small_manifest(), "").out);
  const ProgramRun rubbish = run_program("simulate", "--serve --traces /nonexistent", "{\n");
  CHECK(rubbish.code == 2);
  CHECK(rubbish.err.starts_with("paceline-simulate: standard input: is not JSON"));
  CHECK(run_program("simulate", "--serve --traces /nonexistent", "").code == 0);
  CHECK(run_program("simulate", "--serve --manifest - --traces /nonexistent", good).code == 2);
}

TEST_CASE("an application that writes at a rate is the limit") {
  const json manifest = changed([](json& m) { m["flows"][0]["source"] = {{"kind", "rate"}, {"rate_mbps", 6}}; });
  double limited = 0;
  for (const json& line : lines_of(simulate(manifest).out)) {
    if (line["type"] == "sample" && line["stream"] == 16 && line["time_s"].get<double>() > 1)
      limited += line["app_limited"].get<double>();
    if (line["type"] == "summary")
      CHECK(line["receivers"][0]["throughput_mbps"].get<double>() == doctest::Approx(6).epsilon(0.03));
  }
  CHECK(limited > 90);  // of a hundred samples
}

TEST_CASE("frames carry what hello announces, in blocks of 8, 16 … 256 rows, all streams together") {
  const ProgramRun run = simulate(small_manifest("bbr"), "");
  REQUIRE(run.code == 0);
  const auto frames = frames_of(run.out);
  const json hello = json::parse(frames.front().payload);
  std::map<uint16_t, std::size_t> columns;
  for (const json& stream : hello["streams"]) {
    CHECK(stream["columns"][0]["name"] == "time_s");
    CHECK(stream["columns"][0]["type"] == "f64");
    columns[stream["stream"].get<uint16_t>()] = stream["columns"].size() - 1;
  }
  std::map<uint16_t, std::vector<uint32_t>> blocks;
  std::map<uint16_t, uint32_t> next_row;
  uint32_t next_control = 0;
  for (const Frame& frame : frames) {
    CHECK(frame.version == telemetry::kProtocolVersion);
    if (frame.kind == telemetry::kControlFrame) {
      CHECK(frame.stream == 0);
      CHECK(frame.rows == 0);
      CHECK(frame.seq == next_control++);
      CHECK(json::parse(frame.payload).contains("type"));
      continue;
    }
    CHECK(frame.kind == telemetry::kSamplesFrame);
    CHECK(frame.seq == next_row[frame.stream]);
    next_row[frame.stream] += frame.rows;
    blocks[frame.stream].push_back(frame.rows);
    REQUIRE(frame.payload.size() == frame.rows * (8 + 4 * columns.at(frame.stream)));
    for (uint32_t row = 0; row < frame.rows; ++row)
      CHECK(read_at<double>(frame.payload, 8 * row) == doctest::Approx(0.01 * (frame.seq + row + 1)));
  }
  for (const auto& [stream, sizes] : blocks) CHECK(sizes == std::vector<uint32_t>{8, 16, 32, 64, 80});
  CHECK(blocks.size() == 3);
}

TEST_CASE("the same manifest gives the same bytes; --cost is the only thing that differs") {
  for (const std::string cca : {"cubic", "newreno", "bbr", "oracle", "optimal"}) {
    CAPTURE(cca);
    const std::string first = simulate(small_manifest(cca), "").out;
    CHECK(first.size() > 10'000);
    CHECK(first == simulate(small_manifest(cca), "").out);
  }
  const auto lines = lines_of(simulate(small_manifest(), "--format ndjson --cost").out);
  const json& cost = lines[lines.size() - 2];
  CHECK(cost["type"] == "cost");
  CHECK(cost["packets"].get<int>() > 1000);
  CHECK(cost["wall_s"].get<double>() > 0);
}

TEST_CASE("what is unknown or impossible is refused with its place and the reason") {
  check_refused(changed([](json& m) { m["colour"] = 1; }), "colour: is not known");
  check_refused(changed([](json& m) { m.erase("seed"); }), "seed: is missing");
  check_refused(changed([](json& m) { m["duration_s"] = "long"; }), "duration_s: must be a number");
  check_refused(changed([](json& m) { m["duration_s"] = -1; }), "duration_s: -1 is outside 0.1 to 86400");
  check_refused(changed([](json& m) { m["forward"]["queue"]["limit_bytes"] = 100; }),
                "forward.queue.limit_bytes: 100 is outside 1500 to 9007199254740991");
  check_refused(changed([](json& m) { m["forward"]["loss"] = 0.95; }), "forward.loss: 0.95 is outside 0 to 0.9");
  check_refused(changed([](json& m) {
                  m["forward"]["capacity"] = {{"kind", "unlimited"}};
                }),
                "forward.capacity.kind: a bulk flow over an unlimited link would send without bound");
  check_refused(changed([](json& m) { m["flows"][0]["ack_every"] = 1.5; }),
                "flows[0].ack_every: 1.5 is not a whole number");
  // The bounds are the experiment's own: protocol/limits.ts.
  check_refused(changed([](json& m) { m["flows"][0]["ack_every"] = 65; }), "flows[0].ack_every: 65 is outside 1 to 64");
  check_refused(changed([](json& m) { m["flows"] = json::array(); }), "flows: must have 1 to 64 entries");
  check_refused(changed([](json& m) { m["flows"][0]["start_s"] = 2; }),
                "flows[0].start_s: the flow would start when the run is over");
  check_refused(changed([](json& m) { m["flows"][0]["start_s"] = 1, m["flows"][0]["stop_s"] = 1; }),
                "flows[0].stop_s: the flow would stop before it starts");
  check_refused(changed([](json& m) { m["flows"][0]["transport"] = "sctp"; }),
                "flows[0].transport: \"sctp\" is not one of tcp, quic, quic-grow-underutilised");
  check_refused(changed([](json& m) {
                  m["flows"][0]["source"] = {{"kind", "rate"}};
                }),
                "flows[0].source.rate_mbps: is missing");
  check_refused(changed([](json& m) {
                  m["flows"][0]["source"] = {{"kind", "bulk"}, {"rate_mbps", 3}};
                }),
                "flows[0].source.rate_mbps: is not known");
  const auto refused_source = [](const json& source, const char* why) {
    check_refused(changed([&](json& m) { m["flows"][0]["source"] = source; }), why);
  };
  refused_source({{"kind", "on_off"}, {"on_s", 0}, {"off_s", 1}, {"durations", "fixed"}},
                 "flows[0].source.on_s: 0 is outside 0.001 to 86400");
  refused_source(
      {{"kind", "transfers"}, {"bytes", 1000}, {"sizes", "pareto"}, {"arrivals", "after"}, {"interval_s", 0}},
      "flows[0].source.shape: is missing");
  refused_source(
      {{"kind", "transfers"}, {"bytes", 1000}, {"sizes", "fixed"}, {"arrivals", "poisson"}, {"interval_s", 0}},
      "flows[0].source.interval_s: 0 is outside 0.001 to 86400");
  refused_source({{"kind", "frames"},
                  {"fps", 30},
                  {"rate_mbps", 2},
                  {"key_every", 1},
                  {"key_ratio", 1},
                  {"deadline_ms", 100},
                  {"least_rate_mbps", 3}},
                 "flows[0].source.least_rate_mbps: is more than rate_mbps");
  refused_source({{"kind", "replay"}, {"times_ms", {1, 2}}, {"bytes", {100}}},
                 "flows[0].source.bytes: there are 2 times, but 1 sizes");
  refused_source({{"kind", "replay"}, {"times_ms", {2, 1}}, {"bytes", {100, 100}}},
                 "flows[0].source.times_ms[1]: is before the one before it");
  check_refused(changed([](json& m) { m["flows"][0]["cca"]["params"]["beta"] = true; }),
                "flows[0].cca.params: parameter beta: must be a number");
  check_refused(changed([](json& m) { m["flows"][0]["cca"]["params"]["betta"] = 0.5; }),
                "flows[0].cca.params: parameter betta is not known");
  check_refused(changed([](json& m) { m["flows"][0]["cca"]["params"]["beta"] = json::array(); }),
                "flows[0].cca.params.beta: must be a number, true, false or a string");
  check_refused(changed([](json& m) { m["engine"] = "realtime"; }), "engine: this program runs in virtual time");
  check_refused(changed([](json& m) { m["engine_version"] = "9.9.9"; }),
                "engine_version: the manifest is for engine 9.9.9, this is " + std::string{kEngineVersion});
  check_refused(
      changed([](json& m) {
        m["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", "../../etc/passwd"}, {"name", "x"}, {"offset_ms", 0}};
      }),
      "forward.capacity.sha256: must be 64 hexadecimal digits");
  check_refused(json::array(), "manifest: must be an object");
}

TEST_CASE("an unknown CCA or queue discipline has an exit code of its own") {
  check_refused(changed([](json& m) { m["flows"][0]["cca"]["id"] = "warp"; }),
                "flows[0].cca.id: there is no CCA \"warp\" (paceline-list shows all)", 127);
  check_refused(changed([](json& m) { m["forward"]["queue"]["id"] = "magic"; }),
                "forward.queue.id: there is no queue discipline \"magic\" (paceline-list shows all)", 127);
}

TEST_CASE("a trace that is not there is named with what to do") {
  const std::string sha(64, 'a');
  const ProgramRun run = simulate(changed([&](json& m) {
    m["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", sha}, {"name", "gone"}, {"offset_ms", 0}};
  }));
  CHECK(run.code == 2);
  CHECK(run.err.find("forward.capacity.sha256: ") != std::string::npos);
  CHECK(run.err.find(sha) != std::string::npos);
}

TEST_CASE("bad command lines are refused, help and version are given") {
  CHECK(run_program("simulate", "--manifest").err == "paceline-simulate: --manifest: needs a value\n");
  CHECK(run_program("simulate", "--speed 3").code == 2);
  CHECK(run_program("simulate", "--traces .").err == "paceline-simulate: --manifest: is needed (see --help)\n");
  CHECK(run_program("simulate", "--manifest /nonexistent --traces .").err ==
        "paceline-simulate: /nonexistent: cannot be read\n");
  CHECK(run_program("simulate", "--manifest - --traces . --format xml", "{}").err ==
        "paceline-simulate: --format: must be frames or ndjson\n");
  CHECK(run_program("simulate", "--manifest - --traces .", "{")
            .err.starts_with("paceline-simulate: standard input: is not JSON"));
  CHECK(run_program("simulate", "--help").out.starts_with("Usage: paceline-simulate"));
  CHECK(run_program("simulate", "--version").out == "paceline-simulate " + std::string{kEngineVersion} + "\n");
}

TEST_CASE("the list shows every CCA and queue discipline with its parameters") {
  const ProgramRun run = run_program("list", "");
  REQUIRE(run.code == 0);
  const json listing = json::parse(run.out);
  CHECK(listing["engine_version"] == kEngineVersion);
  int baselines = 0;
  for (const json& cca : listing["ccas"]) {
    if (cca["kind"] != "kernel") baselines += cca["baseline"].get<bool>() ? 1 : 0;
    for (const json& param : cca["params"]) CHECK_FALSE(param["help"].get<std::string>().empty());
  }
  CHECK(baselines == 1);
  std::map<std::string, bool> limited;
  for (const json& queue : listing["queues"]) limited[queue["id"]] = queue["limited"];
  CHECK(limited.at("droptail"));
  CHECK_FALSE(limited.at("infinite"));
}

TEST_CASE("a flow's messages are told one by one and summed up") {
  json manifest = small_manifest("cubic");
  manifest["flows"][0]["source"] = {
      {"kind", "replay"}, {"name", "three"}, {"times_ms", {0, 10.5, 500}}, {"bytes", {60, 4000, 9000}}};
  const auto lines = lines_of(simulate(manifest, "--format ndjson").out);
  std::vector<std::string> sizes;
  json summary;
  for (const json& line : lines) {
    if (line["type"] == "event" && line["event"] == "message") {
      sizes.push_back(line["detail"].get<std::string>());
      CHECK(line["value"].get<double>() > 20);
      CHECK(line["flow"] == 0);
    }
    if (line["type"] == "summary") summary = line;
  }
  CHECK(sizes == std::vector<std::string>{"60", "4000", "9000"});
  CHECK(summary["senders"][0]["messages"] == json{{"count", 3}, {"due", 0}});
  const json& received = summary["receivers"][0]["messages"];
  CHECK(received["completed"] == 3);
  CHECK(received["bytes"] == 13'060);
  CHECK(received["percentiles_ms"].size() == 100);
  CHECK(received["delay"]["count"] == 3);
}
