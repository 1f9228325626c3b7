// paceline-recorder as people use it, on loopback and over a path of known rate.

#include <doctest/doctest.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>

#include <nlohmann/json.hpp>

#include "formats/trace_file.hh"
#include "tests/apps/program_run.hh"
#include "tests/repository.hh"

using nlohmann::json;
using paceline::testing::run_program;
namespace fs = std::filesystem;

namespace {

const std::string kRecorder = paceline::testing::programs_folder() + "/paceline-recorder";

class Folder {
 public:
  Folder() : path_{fs::temp_directory_path() / ("paceline-recorder-" + std::to_string(::getpid()))} {
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

// A child whose standard output is read line by line.
class Child {
 public:
  explicit Child(const std::string& arguments) {
    std::array<int, 2> out{};
    REQUIRE(::pipe(out.data()) == 0);
    pid_ = ::fork();
    REQUIRE(pid_ >= 0);
    if (pid_ == 0) {
      ::dup2(out[1], STDOUT_FILENO);
      ::close(out[0]);
      ::close(out[1]);
      ::execl("/bin/sh", "sh", "-c", ("exec " + kRecorder + " " + arguments).c_str(), nullptr);
      ::_exit(127);
    }
    ::close(out[1]);
    output_ = ::fdopen(out[0], "r");
  }
  ~Child() {
    if (pid_ > 0) (void)end(SIGKILL);
    std::fclose(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  std::string line() {
    std::array<char, 4096> text{};
    return std::fgets(text.data(), text.size(), output_) == nullptr ? "" : text.data();
  }
  std::string rest() {
    std::string all;
    for (std::string next = line(); !next.empty(); next = line()) all += next;
    return all;
  }
  int end(int signal) {
    if (signal != 0) ::kill(pid_, signal);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t pid_{-1};
  std::FILE* output_{};
};

class Server {
 public:
  explicit Server(const std::string& options = "") : child_{"server --host 127.0.0.1 --port 0 " + options} {
    const std::string line = child_.line();
    REQUIRE(line.starts_with("listening at UDP port "));
    port_ = line.substr(22, line.size() - 23);
  }
  [[nodiscard]] std::string client() const { return "client 127.0.0.1 --port " + port_ + " "; }
  int stop() { return child_.end(SIGTERM); }

 private:
  Child child_;
  std::string port_;
};

bool flagged(const json& report, const std::string& code) {
  for (const json& flag : report.at("flags"))
    if (flag.at("code") == code) return true;
  return false;
}

uint64_t opportunities(const std::string& path) {
  const auto file = paceline::read_trace_file(path);
  return std::accumulate(file.counts().begin(), file.counts().end(), uint64_t{});
}

}  // namespace

TEST_CASE("A recording of loopback has every packet, in all its files, and is flagged as source-limited") {
  const Folder folder;
  Server server;
  for (const std::string direction : {"down", "up"}) {
    CAPTURE(direction);
    const std::string name = folder.file(direction);
    const auto run = run_program(
        "recorder", server.client() + "--mbps 20 --seconds 1 --json --out " + name + " --direction " + direction);
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const json report = json::parse(run.out);
    std::ifstream beside{name + ".json"};
    CHECK(json::parse(beside) == report);
    if (report.at("socket_drops") != 0 || report.at("sender_shortfall_share") > 0.2) {
      MESSAGE("skipped: this machine did not keep up with 20 Mbps");
      continue;
    }
    CHECK(report.at("direction") == direction);
    const auto received = report.at("received_packets").get<uint64_t>();
    CHECK(report.at("lost_packets") == 0);
    CHECK(report.at("sent_packets") == received);
    CHECK(received > 1300);
    CHECK(received <= 1666);
    CHECK(opportunities(name + ".trace") == received);
    CHECK(opportunities(name + "." + direction) == received);
    std::ifstream log{name + ".csv"};
    std::string line;
    std::getline(log, line);
    CHECK(line == "arrival_ns,sequence,sent_ns");
    uint64_t lines = 0;
    while (std::getline(log, line)) ++lines;
    CHECK(lines == received);
    CHECK(flagged(report, "source_limited"));
    CHECK(flagged(report, "short"));
  }
  CHECK(server.stop() == 0);
}

TEST_CASE("Ctrl-C ends a recording at once and keeps what there is, in both directions") {
  const Folder folder;
  const Server server;
  for (const std::string direction : {"down", "up"}) {
    CAPTURE(direction);
    const std::string name = folder.file(direction);
    Child client{server.client() + "--mbps 10 --seconds 60 --json --out " + name + " --direction " + direction};
    std::this_thread::sleep_for(std::chrono::milliseconds{1200});
    const auto asked = std::chrono::steady_clock::now();
    CHECK(client.end(SIGINT) == 0);
    CHECK(std::chrono::steady_clock::now() - asked < std::chrono::seconds{10});
    const json report = json::parse(client.rest());
    CHECK(flagged(report, "interrupted"));
    CHECK(report.at("received_packets") > 100);
    CHECK(opportunities(name + ".trace") == report.at("received_packets"));
  }
}

TEST_CASE("A trace recorded over a path of known rate has that rate") {
  const Folder folder;
  const fs::path script =
      paceline::testing::repository_root() / "emulator-bridge/native/tests/recorder/limited-path.sh";
  // Root, or a user who may make namespaces of their own.
  std::string alone;
  for (const std::string way : {"unshare -n", "unshare -Urn"})
    if (alone.empty() &&
        std::system((way + " sh -c 'ip link add near type veth peer name far && ip link set near up && "
                           "tc qdisc add dev near root tbf rate 1mbit burst 15kb limit 15kb' "
                           "> /dev/null 2>&1")
                        .c_str()) == 0)
      alone = way;
  if (alone.empty()) {
    MESSAGE("skipped: this user may not make network namespaces, or ip and tc (iproute2) or the tbf qdisc are missing");
    return;
  }
  struct Case {
    int mbit;
    int limit_bytes;
    int sent_mbps;
  };
  for (const auto& [each_mbit, limit_bytes, sent_mbps] : {Case{10, 60'000, 40}, Case{50, 60'000, 80}}) {
    const auto& mbit = each_mbit;
    CAPTURE(mbit);
    const std::string name = folder.file("path-" + std::to_string(mbit));
    const auto run = paceline::testing::run_program_file(
        alone + " sh " + script.string() + " " + kRecorder + " " + std::to_string(mbit) + " " +
            std::to_string(limit_bytes),
        "--mbps " + std::to_string(sent_mbps) + " --seconds 3 --json --out " + name);
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const json report = json::parse(run.out);
    const auto period_ms = paceline::read_trace_file(name + ".trace").counts().size() - 1;
    const double mean =
        static_cast<double>(opportunities(name + ".trace")) * 12'000 / static_cast<double>(period_ms) / 1e3;
    // The bucket counts Ethernet headers too.
    const double expected = mbit * 1500.0 / 1514;
    CHECK(mean == doctest::Approx(expected).epsilon(0.03));
    CHECK(report.at("mean_mbps").get<double>() == doctest::Approx(expected).epsilon(0.03));
    CHECK_FALSE(flagged(report, "source_limited"));
    CHECK(report.at("lost_packets") > 1000);
    CHECK(report.at("sent_packets").get<uint64_t>() - report.at("lost_packets").get<uint64_t>() ==
          opportunities(name + ".trace"));
    const double full_queue_ms = limit_bytes * 8.0 / mbit / 1e3;
    CHECK(report.at("queueing_delay_median_ms").get<double>() == doctest::Approx(full_queue_ms).epsilon(0.1));
  }
}

TEST_CASE("Wrong use, a server's limits and a missing server are told in one line") {
  const Folder folder;
  const Server server{"--max-mbps 50 --max-seconds 5"};
  const auto told = [&](int code, const std::string& arguments, const std::string& part) {
    CAPTURE(arguments);
    const auto run = run_program("recorder", arguments);
    CHECK(run.code == code);
    CHECK(run.out.empty());
    CHECK_MESSAGE(run.err.find(part) != std::string::npos, run.err);
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  };
  const std::string out = " --out " + folder.file("none");
  told(2, "", "server or client?");
  told(2, "record", "record: is not server or client");
  told(2, "client", "name or address");
  told(2, "client --mbps 3", "name or address");
  told(2, "client localhost", "--mbps");
  told(2, "client localhost --mbps 0", "--mbps");
  told(2, "client localhost --mbps 5 --direction sideways", "--direction");
  told(2, "client localhost --mbps 5 --packet-bytes 9000", "--packet-bytes");
  told(2, "client localhost --mbps 5 --colour red", "--colour");
  told(2, "server --port 70000", "--port");
  told(2, server.client() + "--mbps 51 --seconds 1" + out, "at most 50 Mbps");
  told(2, server.client() + "--mbps 5 --seconds 6" + out, "at most 5 s");
  told(1, "client 127.0.0.1 --port 9 --mbps 5 --seconds 1" + out, "nothing listens");
  CHECK_FALSE(fs::exists(folder.file("none.trace")));
  CHECK(run_program("recorder", "--help").out.starts_with("Usage: paceline-recorder"));
  CHECK(run_program("recorder", "--version").out.starts_with("paceline-recorder "));
}

TEST_CASE("A server that ends tells its clients, and they keep what there is") {
  const Folder folder;
  Server server;
  Child client{server.client() + "--mbps 10 --seconds 60 --json --out " + folder.file("cut")};
  std::this_thread::sleep_for(std::chrono::milliseconds{1200});
  CHECK(server.stop() == 0);
  const json report = json::parse(client.rest());
  CHECK(client.end(0) == 0);
  CHECK(flagged(report, "interrupted"));
  CHECK_FALSE(flagged(report, "no_last_word"));
  CHECK(report.at("sent_packets") == report.at("received_packets"));
  CHECK(opportunities(folder.file("cut.trace")) == report.at("received_packets"));
}
