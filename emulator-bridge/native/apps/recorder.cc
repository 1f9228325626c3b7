// paceline-recorder: overfills a real path with packets and turns their arrivals into a trace.

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <ctime>
#include <string>

#include <nlohmann/json.hpp>

#include "drivers/realtime/priority.hh"
#include "program/arguments.hh"
#include "program/program.hh"
#include "program/refusal.hh"
#include "recorder/client.hh"
#include "recorder/limits.hh"
#include "recorder/output.hh"
#include "recorder/secret.hh"
#include "recorder/server.hh"

namespace {

using namespace paceline;
using namespace paceline::recorder;

constexpr std::string_view kHelp =
    R"(Usage: paceline-recorder server [options]            on a machine with more bandwidth than the path
       paceline-recorder client HOST --mbps R [options]   on the laptop or phone behind the path

Sends packets of 1500 bytes at R Mbps, more than the path can carry, and turns the times at which they arrive into a trace.

server
  --port N            UDP port to listen at (default 9340; 0 takes any and says which)
  --host ADDRESS      listen at this address only (default: all)
  --max-mbps N        all recordings together (default 1000)
  --max-seconds N     one recording (default 300)
  --max-clients N     recordings at a time, one for each address (default 4)
  --patience N        seconds after which a silent client is gone (default 15)

client
  --mbps R            rate of the packets: well above what the path can carry, and at most what the server allows
  --seconds N         how long (default 60)
  --direction D       down: the server sends (default); up: the client sends, and gets the log when it is over
  --packet-bytes N    size with IP and UDP headers, 576 to 1500 (default 1500); less where 1500 do not fit
  --port N            the server's (default 9340)
  --out NAME          write NAME.csv (the log), NAME.trace (ms count), NAME.down or NAME.up (Mahimahi) and NAME.json
                      (default: recording-DATE-TIME)
  --json              print the report as JSON

A server answers nobody with more than it was asked with until the client has shown that it is reached at its address: it
must echo a cookie (SipHash of address, port and half minute). Ctrl-C ends a recording and writes what there is; on the
server it ends everything.

Exit codes: 0 done, 1 failed or nothing arrived, 2 bad input or refused by the server.
)";

constexpr int64_t kDefaultPort = 9340;
constexpr int64_t kLargestPort = 65'535;

std::atomic<int> interruptions{0};

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { ++interruptions; };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::sigaction(SIGHUP, &action, nullptr);
}

int64_t whole(const Arguments& arguments, const std::string& option, int64_t otherwise, int64_t least, int64_t most) {
  return arguments.value(option) ? arguments.whole(option, least, most) : otherwise;
}

constexpr uint64_t bits(int64_t mbps) { return static_cast<uint64_t>(mbps) * 1'000'000; }

void serve(const Arguments& arguments) {
  const ServerLimits limits{
      .rate_bps = bits(whole(arguments, "--max-mbps", 1000, 1, kHighestMbps)),
      .duration = Duration::millis(1000 * whole(arguments, "--max-seconds", 300, 1, kLongestSeconds)),
      .patience = Duration::millis(1000 * whole(arguments, "--patience", 15, 1, kLongestSeconds)),
      .sessions = static_cast<std::size_t>(whole(arguments, "--max-clients", 4, 1, 1000))};
  const auto port = static_cast<uint16_t>(whole(arguments, "--port", kDefaultPort, 0, kLargestPort));
  Endpoint endpoint = Endpoint::listen(arguments.value("--host").value_or(""), port);
  catch_signals();
  raise_priority(Role::sender);
  const auto say = [](const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
  };
  say("listening at UDP port " + std::to_string(endpoint.port()));
  Server{endpoint, limits, {random_word(), random_word()}, say}.run([] { return interruptions > 0; });
}

std::string name_by_time() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "recording-%Y%m%d-%H%M%S", &local);
  return text.data();
}

Direction direction_of(const std::string& word) {
  if (word == "down") return Direction::down;
  if (word == "up") return Direction::up;
  throw Refusal{"--direction", "must be down or up"};
}

void record_at(const std::string& host, const Arguments& arguments) {
  const Request request{.host = host,
                        .port = static_cast<uint16_t>(whole(arguments, "--port", kDefaultPort, 1, kLargestPort)),
                        .direction = direction_of(arguments.value("--direction").value_or("down")),
                        .rate_bps = bits(arguments.whole("--mbps", 1, kHighestMbps)),
                        .duration = Duration::millis(1000 * whole(arguments, "--seconds", 60, 1, kLongestSeconds)),
                        .packet_bytes = static_cast<uint32_t>(
                            whole(arguments, "--packet-bytes", kLargestPacket, kSmallestPacket, kLargestPacket))};
  const Files files = files_of(arguments.value("--out").value_or(name_by_time()), request.direction);
  catch_signals();
  raise_priority(Role::receiver);
  const bool watched = ::isatty(STDERR_FILENO) != 0;
  Recording recording = record(request, {.interruptions = [] { return interruptions.load(); },
                                         .progress =
                                             [&](double seconds, double mbps) {
                                               if (watched) std::fprintf(stderr, "%5.0f s %9.1f Mbps\n", seconds, mbps);
                                             }});
  const Analysis analysis = analyse(recording.log, recording.conditions);
  const auto flags = flags_of(analysis, recording.conditions);
  const nlohmann::json report = report_json(analysis, recording, flags, files);
  write_files(files, recording, report);
  const std::string text =
      arguments.has("--json") ? report.dump(2) + "\n" : report_text(analysis, recording, flags, files);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  return run_program({"paceline-recorder", kHelp}, argc, argv, [&] {
    const std::string command{argc > 1 ? argv[1] : ""};
    if (command == "server") {
      serve(
          {argc - 1, argv + 1, {"--port", "--host", "--max-mbps", "--max-seconds", "--max-clients", "--patience"}, {}});
    } else if (command == "client") {
      const std::string host{argc > 2 ? argv[2] : ""};
      if (host.empty() || host.starts_with("--")) throw Refusal{"client", "needs the server's name or address first"};
      record_at(host, {argc - 2,
                       argv + 2,
                       {"--mbps", "--seconds", "--direction", "--packet-bytes", "--port", "--out"},
                       {"--json"}});
    } else {
      throw Refusal{command,
                    command.empty() ? "server or client? (see --help)" : "is not server or client (see --help)"};
    }
  });
}
