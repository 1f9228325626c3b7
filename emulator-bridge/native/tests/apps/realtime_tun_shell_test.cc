// Any program behind the link: it sees nothing but the link, its packets pass it, and nothing of it is left.

#include <doctest/doctest.h>

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/apps/processes.hh"
#include "tests/apps/program_run.hh"
#include "tests/repository.hh"

using namespace paceline::testing;

namespace {

bool possible(const ProgramRun& run) {
  if (run.code == 0) return true;
  if (tun_possible()) FAIL("exit code " << run.code << ": " << run.err);
  return false;
}

// Packets that the device received, from the text of /proc/net/dev.
uint64_t received_packets(const std::string& text, const std::string& device) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t name = line.find(device + ":");
    if (name == std::string::npos) continue;
    std::istringstream values{line.substr(name + device.size() + 1)};
    uint64_t bytes{};
    uint64_t packets{};
    values >> bytes >> packets;
    return packets;
  }
  return 0;
}

bool runs(const std::string& word) { return processes_of(word) > 0; }

}  // namespace

TEST_CASE("A command behind the link has a network of its own, and its exit code is the shell's") {
  const ProgramRun seen =
      run_program("shell", "--delay-ms 5 --server true -- sh -c 'cat /proc/net/dev; echo $PACELINE_BASE'");
  if (!possible(seen)) return;
  CHECK(seen.out.find("paceline:") != std::string::npos);
  CHECK(seen.out.find("eth") == std::string::npos);
  CHECK(seen.out.find("100.64.") != std::string::npos);
  CHECK(run_program("shell", "--server true -- sh -c 'exit 7'").code == 7);
  CHECK(run_program("shell", "--server true -- sh -c 'kill -9 $$'").code == 128 + SIGKILL);
  CHECK(run_program("shell", "--server true -- no-such-program").code == 127);
}

TEST_CASE("What a command sends comes out at the other end of the link, unless the link loses it") {
  const auto file = std::filesystem::temp_directory_path() / ("paceline-shell-" + std::to_string(::getpid()));
  const auto arrived = [&](const std::string& options) {
    const ProgramRun run = run_program(
        "shell", options + " --server 'sleep 0.7; cat /proc/net/dev > " + file.string() +
                     "' -- bash -c 'for i in 1 2 3 4 5 6 7 8; do echo hello > /dev/udp/$PACELINE_BASE/9; done 2>&-; "
                     "sleep 1'");
    if (!possible(run)) return int64_t{-1};
    std::ifstream stream{file};
    const std::string text{std::istreambuf_iterator<char>{stream}, {}};
    std::filesystem::remove(file);
    return static_cast<int64_t>(received_packets(text, "paceline"));
  };
  const int64_t all = arrived("--delay-ms 20 --rate-mbps 10");
  if (all < 0) return;
  CHECK(all == 8);
  CHECK(arrived("--delay-ms 5000") == 0);
  CHECK(arrived("--uplink-queue droptail --uplink-queue-args packets=1 --uplink-rate-mbps 0.001") <=
        2);  // a quarter of a second for each
}

TEST_CASE("A file of delays that were measured delays what passes, in either direction") {
  const auto file = std::filesystem::temp_directory_path() / ("paceline-shell-delays-" + std::to_string(::getpid()));
  // Nobody listens: the refusal of a connection is back after one round trip.
  const auto round_trip_ms = [&](const std::string& options, const std::string& delays) {
    std::ofstream{file} << delays;
    const ProgramRun run =
        run_program("shell", options +
                                 " --server 'sleep 3' -- bash -c 'sleep 0.5; s=$(date +%s%N); (: > "
                                 "/dev/tcp/$PACELINE_BASE/9) 2>&-; echo $((($(date +%s%N) - s) / 1000000))'");
    std::filesystem::remove(file);
    return possible(run) ? std::stoll(run.out) : -1;
  };
  const int64_t without = round_trip_ms("--delay-ms 5", "");
  if (without < 0) return;
  CHECK(without >= 10);
  const int64_t up = round_trip_ms("--delay-ms 5 --uplink-jitter " + file.string(), "time_ms,delay_ms\n0,300\n");
  CHECK(up >= 310);
  const int64_t both = round_trip_ms(
      "--delay-ms 5 --jitter-interval-ms 100 --uplink-jitter " + file.string() + " --downlink-jitter " + file.string(),
      "300\n400\n");
  CHECK(both >= 610);
  MESSAGE("round trip " << without << " ms without, " << up << " and " << both << " ms with recorded delays");
}

TEST_CASE("The log has every opportunity, arrival, departure and drop, in Mahimahi's format") {
  const auto file = std::filesystem::temp_directory_path() / ("paceline-shell-log-" + std::to_string(::getpid()));
  const ProgramRun run = run_program(
      "shell", "--uplink-rate-mbps 0.12 --uplink-queue droptail --uplink-queue-args packets=3 --uplink-log " +
                   file.string() +
                   " --server true -- bash -c 'for i in 1 2 3 4 5 6 7 8; do head -c 1400 /dev/zero > "
                   "/dev/udp/$PACELINE_BASE/9; done 2>&-; sleep 0.7'");
  if (!possible(run)) return;
  std::ifstream stream{file};
  std::map<char, int> kinds;
  int64_t last = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line[0] == '#') continue;
    std::istringstream words{line};
    int64_t ms{};
    char kind{};
    int bytes{};
    int64_t more{};
    words >> ms >> kind >> bytes;
    REQUIRE_FALSE(words.fail());
    CHECK(ms >= last);
    last = ms;
    ++kinds[kind];
    if (kind == '#') CHECK(bytes == 1500);
    if (kind == '+') CHECK(bytes == 1428);
    if (kind == 'd') {
      CHECK(bytes == 1);
      words >> more;
      REQUIRE_FALSE(words.fail());
      CHECK(more == 1428);
    }
    if (kind == '-') {
      words >> more;
      REQUIRE_FALSE(words.fail());
      // 95 ms for each packet, one on the wire and three behind it.
      CHECK(more >= 95);
      CHECK(more <= 4 * 96);
    }
  }
  std::filesystem::remove(file);
  CHECK(kinds['+'] == 8);
  CHECK(kinds['-'] == 4);
  CHECK(kinds['d'] == 4);
  CHECK(kinds['#'] >= 6);  // one each 100 ms
}

TEST_CASE("What passed the link is told at the end on standard error, unless nobody wants to know") {
  const std::string options = "--rate-mbps 0.12 --uplink-queue droptail --uplink-queue-args packets=3 ";
  const std::string command =
      "--server true -- bash -c 'for i in 1 2 3 4 5 6 7 8; do head -c 1400 /dev/zero > /dev/udp/$PACELINE_BASE/9; done "
      "2>&-; echo done; sleep 0.7; exit 3'";
  const ProgramRun told = run_program("shell", options + command);
  if (told.code != 3) return (void)possible(told);
  CHECK(told.out == "done\n");
  CAPTURE(told.err);
  CHECK(told.err.starts_with("paceline-shell: "));
  // 95 ms for each of the four that had room.
  CHECK(told.err.find("  up    8 packets, 4 passed: 0.01 MB, ") != std::string::npos);
  CHECK(told.err.find("% of the capacity; 4 dropped by the queue; queueing delay ") != std::string::npos);
  CHECK(told.err.find("\n  down  ") != std::string::npos);

  const ProgramRun quiet = run_program("shell", "--quiet " + options + command);
  CHECK(quiet.code == 3);
  CAPTURE(quiet.err);
  // An overrun of the machine is said in any case, and of packets, too.
  CHECK(quiet.err.find("of the capacity") == std::string::npos);
  CHECK(quiet.err.find("  up    ") == std::string::npos);
  CHECK(quiet.err.find("  down  ") == std::string::npos);
}

TEST_CASE("Shells stand within shells") {
  const std::string shell = programs_folder() + "/paceline-shell";
  const ProgramRun run = run_program("shell", "--delay-ms 5 --server true -- " + shell + " --delay-ms 5 -- " + shell +
                                                  " --rate-mbps 10 -- sh -c 'echo $PACELINE_BASE'");
  if (!possible(run)) return;
  CHECK(run.out.find("100.64.2.1") != std::string::npos);
}

TEST_CASE("A shell that is killed takes its command along") {
  const std::string mark = "4711." + std::to_string(::getpid());
  std::vector<std::string> words{programs_folder() + "/paceline-shell", "--server", "true", "--", "sleep", mark};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t shell{};
  REQUIRE(::posix_spawn(&shell, argv[0], nullptr, nullptr, argv.data(), environ) == 0);
  std::this_thread::sleep_for(std::chrono::milliseconds{500});
  const bool was_there = runs(mark);
  ::kill(shell, SIGKILL);
  ::waitpid(shell, nullptr, 0);
  CHECK(was_there == (run_program("shell", "--server true -- true").code == 0));
  for (int i = 0; i < 50 && runs(mark); ++i) std::this_thread::sleep_for(std::chrono::milliseconds{20});
  CHECK_FALSE(runs(mark));
}

TEST_CASE("Options that make no sense are refused with their name") {
  const auto refused = [](const std::string& arguments, const std::string& why) {
    const ProgramRun run = run_program("shell", arguments);
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.err.find(why) != std::string::npos);
  };
  refused("--rate-mbps 10", "a command are needed");
  refused("--rate-mbps ten -- true", "--rate-mbps: must be a number");
  refused("--uplink-queue droptail -- true", "needs a limit");
  refused("--uplink-queue droptail --uplink-queue-args packets -- true", "is not a name and a value");
  refused("--uplink-queue droptail --uplink-queue-args packets=10,target=5 -- true", "target");
  refused("--uplink-queue-args packets=5 -- true", "infinite has no limit");
  refused("--uplink-trace /nonexistent -- true", "/nonexistent");
  refused("--uplink-trace x --rate-mbps 5 -- true", "excludes");
  refused("--uplink-jitter /nonexistent -- true", "--uplink-jitter: ");
  refused("--uplink-jitter /dev/null -- true", "there are no delays in it");
  refused("--downlink-jitter x --downlink-path [] -- true", "excludes --downlink-path");
  refused("--jitter-interval-ms ten -- true", "--jitter-interval-ms");
  CHECK(run_program("shell", "--uplink-queue fancy -- true").code == 127);
}
