// The programs of a real-time run as separate processes, introduced to each other as the bridge does it.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/version.hh"
#include "drivers/realtime/clock.hh"
#include "tests/repository.hh"

using nlohmann::json;
using paceline::clock_ns;
namespace fs = std::filesystem;

namespace {

const std::string kManifest = R"({"schema":1,"engine":"realtime","path":"udp","engine_version":")" +
                              std::string{paceline::kEngineVersion} +
                              R"(","duration_s":0.6,
  "sample_period_ms":10,"seed":1,"repetition":0,
  "forward":{"loss":0,"queue":{"id":"droptail","limit_bytes":30000,"limit_packets":null,"params":{}},
             "capacity":{"kind":"constant","rate_mbps":12},"delay_ms":5},
  "reverse":{"loss":0,"queue":{"id":"infinite","limit_bytes":null,"limit_packets":null,"params":{}},
             "capacity":{"kind":"unlimited"},"delay_ms":5},
  "flows":[{"cca":{"id":"cubic","params":{}},"start_s":0,"stop_s":null,"extra_rtt_ms":0,"transport":"tcp","ack_every":2,
            "source":{"kind":"bulk"}},
           {"cca":{"id":"newreno","params":{}},"start_s":0.1,"stop_s":0.5,"extra_rtt_ms":0,"transport":"tcp","ack_every":2,
            "source":{"kind":"bulk"}}]})";

class Manifest {
 public:
  Manifest() : path_{fs::temp_directory_path() / ("paceline-realtime-" + std::to_string(::getpid()) + ".json")} {
    std::ofstream{path_} << kManifest;
  }
  ~Manifest() { fs::remove(path_); }
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

class Child {
 public:
  Child(const std::string& name, const Manifest& manifest, std::vector<std::string> more = {}) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    REQUIRE(::pipe2(in.data(), O_CLOEXEC) == 0);
    REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
    std::vector<std::string> words{paceline::testing::programs_folder() + "/paceline-" + name,
                                   "--manifest",
                                   manifest.path(),
                                   "--traces",
                                   "/nonexistent",
                                   "--format",
                                   "ndjson"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    REQUIRE(::posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ) == 0);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    input_ = in[1];
    output_ = ::fdopen(out[0], "r");
  }
  ~Child() {
    close_input();
    std::fclose(output_);
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next line, discarded at the end.
  json line() {
    char* text = nullptr;
    std::size_t capacity = 0;
    const ssize_t length = ::getline(&text, &capacity, output_);
    json parsed = length > 0 ? json::parse(text, text + length, nullptr, false) : json(json::value_t::discarded);
    std::free(text);
    return parsed;
  }
  std::vector<json> rest() {
    std::vector<json> all;
    for (json next = line(); !next.is_discarded(); next = line()) all.push_back(std::move(next));
    return all;
  }
  void write(const std::string& text) const {
    REQUIRE(::write(input_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
  }
  void terminate() const { ::kill(pid_, SIGTERM); }
  // Exit code, or -signal.
  int wait() {
    int status = 0;
    rusage usage{};
    ::wait4(pid_, &status, 0, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  double cpu_s{};  // of a child that has been waited for, as the kernel counts it

 private:
  pid_t pid_{-1};
  int input_{-1};
  std::FILE* output_{};
};

std::string go(const std::vector<uint16_t>& ports, int64_t lead_ns) {
  return json{{"type", "go"},
              {"start_ns", clock_ns(CLOCK_MONOTONIC) + lead_ns},
              {"ports",
               {{"emulator", ports[0]}, {"senders", {ports[1], ports[3]}}, {"receivers", {ports[2], ports[4]}}}}}
             .dump() +
         "\n";
}

}  // namespace

TEST_CASE("Emulator, senders and receivers find each other, tell their part of the run and end") {
  const Manifest manifest;
  std::vector<std::unique_ptr<Child>> children;
  children.push_back(std::make_unique<Child>("emulator", manifest));
  for (const char* flow : {"0", "1"}) {
    children.push_back(std::make_unique<Child>("sender", manifest, std::vector<std::string>{"--flow", flow}));
    children.push_back(std::make_unique<Child>("receiver", manifest, std::vector<std::string>{"--flow", flow}));
  }
  std::vector<uint16_t> ports;
  for (const auto& child : children) {
    const json ready = child->line();
    CHECK(ready.at("type") == "ready");
    ports.push_back(ready.at("port").get<uint16_t>());
  }
  const std::string line = go(ports, 100'000'000);
  for (const auto& child : children) child->write(line);

  const std::vector<std::pair<std::string, int>> expected{
      {"links", 0}, {"senders", 16}, {"receivers", 17}, {"senders", 18}, {"receivers", 19}};
  for (std::size_t i = 0; i < children.size(); ++i) {
    CAPTURE(i);
    const std::vector<json> lines = children[i]->rest();
    REQUIRE(lines.size() > 60);
    const json& hello = lines.front();
    CHECK(hello.at("type") == "hello");
    CHECK(hello.at("clock") == "monotonic");
    REQUIRE(hello.at("streams").size() == 1);
    CHECK(hello.at("streams")[0].at("stream") == expected[i].second);
    const json& summary = lines[lines.size() - 2];
    CHECK(summary.at("type") == "summary");
    for (const char* part : {"links", "senders", "receivers"})
      CHECK(summary.at(part).size() == (expected[i].first == part ? 1 : 0));
    CHECK(summary.at("lateness").at("wakeups") > 0);
    CHECK(lines.back() == json{{"type", "end"}, {"time_s", 0.6}});
    std::map<std::string, int> kinds;
    for (const json& l : lines) ++kinds[l.at("type")];
    CHECK(kinds["sample"] == 60);
    CHECK(kinds["progress"] >= 5);
    CHECK(children[i]->wait() == 0);
    if (expected[i].first == "links") continue;
    // What it tells of its cost is all but its start and its end, where sanitizers have work of their own.
    const double told_s = summary.at(expected[i].first)[0].at("cpu_s").get<double>();
    CHECK(told_s > 0);
    CHECK(told_s <= children[i]->cpu_s + 0.001);
    if (!PACELINE_SANITIZED) CHECK(children[i]->cpu_s - told_s < 0.1);
  }
}

TEST_CASE(
    "The emulator changes its link while the run goes on, each change is an event, and a bad order changes nothing") {
  const Manifest manifest;
  Child child{"emulator", manifest};
  const uint16_t port = child.line().at("port").get<uint16_t>();
  child.write(go({port, 1, 2, 3, 4}, 50'000'000));
  const auto until = [&](const char* type) {
    for (json said = child.line(); !said.is_null() && said.at("type") != type;) said = child.line();
  };
  until("progress");
  child.write("{\"type\":\"set\",\"direction\":\"forward\",\"rate_mbps\":\"fast\"}\n");
  child.write("{\"type\":\"set\",\"direction\":\"forward\",\"rate_mbps\":3}\n");
  const std::vector<json> lines = child.rest();
  CHECK(child.wait() == 0);
  std::vector<json> changes;
  for (const json& said : lines)
    if (said.at("type") == "event" && said.at("event") == "link_change") changes.push_back(said);
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at("flow").is_null());
  CHECK(json::parse(changes[0].at("detail").get<std::string>()).at("rate_mbps") == 3);
  const double time = changes[0].at("time_s").get<double>();
  int after = 0;
  for (const json& said : lines) {
    if (said.at("type") != "sample" || said.at("time_s").get<double>() < time + 0.02) continue;
    CHECK(said.at("capacity_mbps").get<double>() == doctest::Approx(3).epsilon(0.01));
    ++after;
  }
  CHECK(after > 10);
}

TEST_CASE("A program stops at once when its standard input ends, before the start and during the run") {
  const Manifest manifest;
  for (const bool started : {false, true}) {
    CAPTURE(started);
    Child child{"emulator", manifest};
    const uint16_t port = child.line().at("port").get<uint16_t>();
    const int64_t before = clock_ns(CLOCK_MONOTONIC);
    if (started) child.write(go({port, 1, 2, 3, 4}, 3'600'000'000'000));  // in an hour
    child.close_input();
    const std::vector<json> lines = child.rest();
    CHECK(child.wait() == 1);
    CHECK(clock_ns(CLOCK_MONOTONIC) - before < 5'000'000'000);
    CHECK(lines.size() == (started ? 2 : 0));
    if (started) CHECK(lines.back().at("type") == "error");
  }
}

TEST_CASE("A program stops at once on SIGTERM") {
  const Manifest manifest;
  Child child{"receiver", manifest, {"--flow", "1"}};
  CHECK(child.line().at("type") == "ready");
  child.terminate();
  CHECK(child.wait() == -SIGTERM);
}

TEST_CASE("Wrong use and wrong manifests are refused before anything is opened") {
  const Manifest manifest;
  const auto code = [&](const std::string& name, const std::vector<std::string>& more) {
    Child child{name, manifest, more};
    CHECK(child.rest().empty());
    return child.wait();
  };
  CHECK(code("sender", {}) == 2);
  CHECK(code("sender", {"--flow", "2"}) == 2);
  CHECK(code("receiver", {"--flow", "-1"}) == 2);
  CHECK(code("emulator", {"--flow", "0"}) == 2);
  CHECK(code("emulator", {"--spin-us", "61"}) == 2);
  CHECK(code("emulator", {"--manifest", "/nonexistent.json"}) == 2);
}
