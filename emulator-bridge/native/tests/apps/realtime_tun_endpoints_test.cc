// Programs that are not ours at the ends of flows: what the link tells of them, how they are started and ended, and that nothing of
// them is left.

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "drivers/realtime/clock.hh"
#include "drivers/realtime_tun/contained_process.hh"
#include "drivers/realtime_tun/kernel_ccas.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/processes.hh"
#include "tests/apps/program_run.hh"
#include "tests/apps/tun_child.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;

namespace {

constexpr const char* kSendTcp = R"(import os, socket, time
link = socket.create_connection((os.environ['PACELINE_RECEIVER'], int(os.environ['PACELINE_PORT'])))
end = time.monotonic() + float(os.environ['PACELINE_DURATION_S'])
while time.monotonic() < end: link.sendall(bytes(1 << 14)))";
constexpr const char* kReceiveTcp = R"(import os, socket
door = socket.create_server((os.environ['PACELINE_RECEIVER'], int(os.environ['PACELINE_PORT'])))
link, _ = door.accept()
while link.recv(1 << 16): pass)";
// 200 datagrams of 1000 bytes, one each 5 ms. Says how long that took.
constexpr const char* kSendUdp = R"(import os, sys, socket, time
while not os.path.exists(sys.argv[4]): time.sleep(0.005)
link = socket.socket(type=socket.SOCK_DGRAM)
begin = time.monotonic()
for i in range(200):
  link.sendto(bytes(972), (sys.argv[1], int(sys.argv[2])))
  time.sleep(0.005)
open(sys.argv[3], 'w').write(str(time.monotonic() - begin)))";
// Says that it listens, and how many came.
constexpr const char* kReceiveUdp = R"(import os, signal, socket, sys
link = socket.socket(type=socket.SOCK_DGRAM)
link.bind((sys.argv[1], int(sys.argv[2])))
open(sys.argv[4], 'w').close()
count = 0
def end(*_):
  open(sys.argv[3], 'w').write(str(count))
  os._exit(0)
signal.signal(signal.SIGTERM, end)
while True: count += len(link.recv(2000)) == 972)";

bool has(const std::string& program) {
  const bool there = run_program_file("command", "-v " + program).code == 0;
  if (!there) MESSAGE("skipped: there is no " << program << " here");
  return there;
}

json program(const std::vector<std::string>& argv) { return {{"argv", argv}, {"pipes", nullptr}}; }
json python(const char* text, const std::vector<std::string>& words = {}) {
  std::vector<std::string> argv{"python3", "-c", text};
  argv.insert(argv.end(), words.begin(), words.end());
  return program(argv);
}
json shell(const std::string& text) { return program({"sh", "-c", text}); }
json foreign(json sender, json receiver) {
  return {{"sender", std::move(sender)}, {"receiver", std::move(receiver)}, {"telemetry", "link"}};
}

// Of this process alone, so that it can be found among all.
std::string mark() { return "4711." + std::to_string(::getpid()); }

struct Files {
  Files() : folder{std::filesystem::temp_directory_path() / ("paceline-endpoints-" + std::to_string(::getpid()))} {
    std::filesystem::create_directories(folder);
  }
  ~Files() { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream file{folder / name};
    return {std::istreambuf_iterator<char>{file}, {}};
  }
  [[nodiscard]] std::vector<std::string> options(const std::vector<json>& flows) const {
    std::ofstream{folder / "endpoints.json"} << json{{"flows", flows}}.dump();
    return {"--endpoints", folder / "endpoints.json"};
  }
  std::filesystem::path folder;
};

json manifest_of(const std::vector<std::string>& ccas, double seconds) {
  json manifest = small_manifest();
  manifest["engine"] = "realtime";
  manifest["path"] = "tun";
  manifest["duration_s"] = seconds;
  manifest["flows"] = json::array();
  for (const std::string& cca : ccas) manifest["flows"].push_back(flow_manifest(cca));
  return manifest;
}

// False: this machine cannot run it, which was said.
bool ran(TunChild& child, int code) {
  if (code == 0) return true;
  if (tun_possible()) FAIL("exit code " << code << ": " << child.errors());
  return false;
}

// What a machine that was busy with something else did to a run is no fault of ours; the run says how late it was.
bool kept_up(const TunChild& child) {
  const json lateness = child.of_type("summary").at(0)["lateness"];
  const bool kept = !lateness["overrun"].get<bool>();
  if (!kept) MESSAGE("the machine did not keep up with real time, so its speed is not judged: " << lateness.dump());
  return kept;
}

// Nor is what it did to a program that waited for a processor for more of its time than the analysis allows.
bool programs_ran(const TunChild& child) {
  constexpr double kMostWaiting = 0.07;
  const json programs = child.of_type("summary").at(0)["programs"];
  const bool ran = std::ranges::all_of(programs, [](const json& program) {
    return program["kept_waiting_s"].get<double>() <= kMostWaiting * program["looked_s"].get<double>();
  });
  if (!ran) MESSAGE("a program was kept waiting for a processor, so what it did is not judged: " << programs.dump());
  return ran;
}

double time_of(const TunChild& child, const std::string& name) {
  for (const json& event : child.of_type("event"))
    if (event["event"] == name) return event["time_s"].get<double>();
  return -1;
}

std::string error_of(const std::vector<json>& flows, const json& manifest) {
  const Files files;
  TunChild child{manifest, "/nonexistent", files.options(flows)};
  CHECK(child.finish() == 1);
  const auto errors = child.of_type("error");
  return errors.empty() ? child.errors() : errors[0]["message"].get<std::string>();
}

bool gone(const std::string& word) {
  for (int i = 0; i < 100 && processes_of(word) > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds{20});
  return processes_of(word) == 0;
}

// Long beside what it takes to start a program on a busy machine.
constexpr double kSendUdpSeconds = 5;

void tells_what_was_sent(const Files& files, const TunChild& child) {
  const json summary = child.of_type("summary").at(0);
  const json& sender = summary["senders"][0];
  const json& receiver = summary["receivers"][0];
  CHECK(files.text("count") == "200");
  CHECK(sender["cca"] == "external-udp");
  CHECK(sender["sent_packets"] == 200);
  CHECK(sender["sent_bytes"] == 200'000);
  CHECK(sender["lost_packets"] == 0);
  CHECK(sender["rtt"]["count"] == 0);
  CHECK(receiver["received_packets"] == 200);
  CHECK(receiver["received_bytes"] == 200'000);
  CHECK(receiver["owd"]["p50_ms"].get<double>() > 20);
  // It ended by itself once it had sent everything, and the run went on.
  const double took = std::stod(files.text("took"));
  const double over = time_of(child, "flow_stop");
  CHECK(took > 0.99);
  CHECK(over > took);
  CHECK(over < kSendUdpSeconds - 0.1);
  CHECK(receiver["throughput_mbps"].get<double>() == doctest::Approx(1.6 / over).epsilon(0.1));
  for (const int stream : {0, 16, 17}) CHECK(child.rows(stream).size() == 100 * kSendUdpSeconds);
  for (const json& row : child.rows(16)) {
    CHECK(row["cwnd_bytes"].is_null());
    CHECK(row["inflight_bytes"].is_null());  // of UDP nobody can know
  }
}

}  // namespace

TEST_CASE("What the link tells of a program is what the program sent and its peer counted") {
  if (!has("python3")) return;
  // Where the link stood still for half a second, what had been sent meanwhile came at once and did not fit its queue; a receiver's socket
  // holds as much.
  constexpr int kAttempts = 4;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    const Files files;
    const std::string listens = files.folder / "listens";
    TunChild child{
        manifest_of({"external-udp"}, kSendUdpSeconds), "/nonexistent",
        files.options({foreign(python(kSendUdp, {"{receiver}", "{port}", files.folder / "took", listens}),
                               python(kReceiveUdp, {"{receiver}", "{port}", files.folder / "count", listens}))})};
    if (!ran(child, child.finish())) return;
    if (!kept_up(child) || !programs_ran(child)) continue;
    tells_what_was_sent(files, child);
    return;
  }
}

TEST_CASE("Programs and the kernel's own flows share a link, each told by itself") {
  if (!has("python3")) return;
  const Files files;
  // Long beside what it takes to start a program on a busy machine.
  constexpr double kSeconds = 8;
  json manifest = manifest_of({"kernel-reno", "external-tcp"}, kSeconds);
  manifest["flows"][1]["start_s"] = 0.5;
  TunChild child{manifest, "/nonexistent", files.options({nullptr, foreign(python(kSendTcp), python(kReceiveTcp))})};
  if (!ran(child, child.finish())) return;
  const json summary = child.of_type("summary").at(0);
  const json& link = summary["links"][0];
  CHECK(summary["senders"][0]["cca"] == "kernel-reno");
  CHECK(summary["senders"][1]["cca"] == "external-tcp");
  double throughput = 0;
  for (const json& receiver : summary["receivers"]) {
    CHECK(receiver["received_packets"].get<int>() > 100);
    throughput += receiver["received_bytes"].get<double>() * 8e-6 / kSeconds;
  }
  CHECK(throughput <= 12);
  if (kept_up(child)) CHECK(throughput > 7);
  const json& own = summary["senders"][1];
  CHECK(own["sent_packets"].get<int>() ==
        own["delivered_packets"].get<int>() + own["lost_packets"].get<int>() + own["inflight_packets"].get<int>());
  CHECK(own["rtt"]["p50_ms"].get<double>() > 40);
  CHECK(own["lost_packets"].get<int>() <= link["dropped_packets"].get<int>());
  const json kernels = child.rows(16).at(750);
  const json programs = child.rows(18).at(750);
  CHECK(kernels["cwnd_bytes"].get<double>() >= 1500);
  CHECK(programs["cwnd_bytes"].is_null());
  CHECK(programs["inflight_bytes"].get<double>() > 0);
  CHECK(programs["min_rtt_ms"].get<double>() >= 40);
  for (const json& row : child.rows(19))
    if (row["time_s"].get<double>() < 0.5) CHECK(row["throughput_mbps"].get<double>() == 0);
}

TEST_CASE("The called program may be the sender: the receiver then calls it, and ends the flow") {
  if (!has("python3")) return;
  constexpr const char* kServe = R"(import os, socket
door = socket.create_server((os.environ['PACELINE_SENDER'], int(os.environ['PACELINE_PORT'])))
link, _ = door.accept()
link.sendall(bytes(300000)))";
  constexpr const char* kFetch = R"(import os, socket
link = socket.create_connection((os.environ['PACELINE_SENDER'], int(os.environ['PACELINE_PORT'])))
count = 0
while data := link.recv(1 << 16): count += len(data)
assert count == 300000)";
  const Files files;
  json manifest = manifest_of({"external-http"}, 5);
  manifest["flows"][0]["start_s"] = 0.2;
  json flow = foreign(python(kServe), python(kFetch));
  flow["calls"] = "receiver";
  TunChild child{manifest, "/nonexistent", files.options({flow})};
  if (!ran(child, child.finish())) return;
  CHECK(time_of(child, "flow_start") >= 0.2);
  CHECK(time_of(child, "flow_stop") > 0.4);
  const json receiver = child.of_type("summary").at(0)["receivers"][0];
  CHECK(receiver["received_bytes"].get<int>() >= 300'000 / 1448 * 1500);
  CHECK(receiver["received_bytes"].get<int>() < 300'000 * 1.06);
}

TEST_CASE("How long a program waited for a processor is told, of all that it has started, and for whom") {
  if (!has("taskset")) return;
  const Files files;
  const std::string pin = "taskset -cp $(taskset -cp $$ | grep -o '[0-9]*$') $$ > /dev/null; ";
  const std::string forever = "while :; do :; done";
  const auto programs = [&](const std::string& sender, double seconds = 4) {
    TunChild child{manifest_of({"external-a"}, seconds), "/nonexistent",
                   files.options({foreign(shell(sender), shell("exec sleep 30"))})};
    if (!ran(child, child.finish())) return json{};
    const json summary = child.of_type("summary").at(0);
    CHECK(summary["host"]["processors"].get<int>() >= 1);
    CHECK(summary["host"]["load_before"].get<double>() >= 0);
    CHECK(summary["host"]["load_after"].get<double>() >= 0);
    REQUIRE(summary["programs"].size() == 2);
    CHECK(summary["senders"][0]["cpu_s"] == summary["programs"][0]["ran_s"]);
    CHECK(summary["receivers"][0]["cpu_s"] == summary["programs"][1]["ran_s"]);
    return summary["programs"];
  };
  const auto share = [](const json& one, const char* key) {
    return one[key].get<double>() / one["looked_s"].get<double>();
  };

  // Two that never sleep share one processor, one of them in the background: one of both always waits, for the other.
  const json two = programs(pin + "setsid sh -c '" + forever + "' & " + forever);
  if (two.is_null()) return;
  CHECK(two[0]["flow"] == 0);
  CHECK(two[0]["end"] == "sender");
  CHECK(two[1]["end"] == "receiver");
  CHECK(two[0]["looked_s"].get<double>() == doctest::Approx(4).epsilon(0.1));
  CHECK(share(two[0], "ran_s") + share(two[0], "waited_s") == doctest::Approx(2).epsilon(0.1));
  CHECK(share(two[0], "waited_s") > 0.9);
  CHECK(share(two[0], "kept_waiting_s") <= 1 - share(two[0], "ran_s") + 0.1);  // nothing on an idle machine
  CHECK(share(two[1], "ran_s") < 0.1);

  // One that is never given a processor, or hardly ever, waits all the same: also while its wait is not over.
  if (has("chrt")) {
    const json starved = programs(
        pin + "chrt -i 0 sh -c '" + forever + "' & for i in 1 2 3; do sh -c '" + forever + "' & done; " + forever, 1);
    if (starved.is_null()) return;
    CHECK(share(starved[0], "ran_s") + share(starved[0], "waited_s") == doctest::Approx(5).epsilon(0.1));
  }

  // The same with one that is none of its own.
  const pid_t other = ::fork();
  REQUIRE(other >= 0);
  if (other == 0) {
    ::setsid();
    ::execlp("sh", "sh", "-c", (pin + forever).c_str(), nullptr);
    ::_exit(kExitNotFound);
  }
  const json one = programs(pin + forever);
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  CHECK(share(one[0], "kept_waiting_s") > 0.3);
  CHECK(share(one[0], "ran_s") + share(one[0], "kept_waiting_s") == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("A program that fails fails the run, in its own words") {
  if (!tun_possible()) return;
  const json manifest = manifest_of({"external-x"}, 20);
  const json idle = shell("sleep 30");
  const std::string sender = error_of({foreign(shell("echo no such door >&2; exit 3"), idle)}, manifest);
  CHECK(sender.find("the sender of flow 0, sh, ended with exit code 3: no such door") != std::string::npos);
  const std::string receiver = error_of({foreign(idle, shell("kill -9 $$"))}, manifest);
  CHECK(receiver.find("the receiver of flow 0, sh, was ended by the signal Killed and said nothing") !=
        std::string::npos);
  const std::string missing = error_of({foreign(program({"/no/such-program", "{port}"}), idle)}, manifest);
  CHECK(missing.find("such-program, could not be started") != std::string::npos);
  CHECK(missing.find("No such file") != std::string::npos);
}

TEST_CASE("Programs know their addresses, have no input, and are asked to end before they are killed") {
  const Files files;
  const std::string out = "said";  // they work in the folder of the endpoints' file
  json manifest = manifest_of({"external-a"}, 1);
  manifest["flows"][0]["stop_s"] = 0.5;
  // Without exec: both the shell and what it has started must get the signal.
  TunChild child{manifest, "/nonexistent",
                 files.options({foreign(shell("trap 'echo asked >> " + out +
                                              "; exit 1' TERM; echo {sender} {receiver} "
                                              "{port} {duration_s} {flow} $PACELINE_SENDER $PACELINE_FLOW >> " +
                                              out + "; cat >> " + out + "; sleep 30 & wait"),
                                        shell("trap '' TERM; sleep 30"))})};
  if (!ran(child, child.finish())) return;
  CHECK(files.text("said") == "100.64.0.64 100.64.0.128 5201 0.5 0 100.64.0.64 0\nasked\n");
  CHECK(time_of(child, "flow_stop") >= 0.5);
  if (kept_up(child)) CHECK(time_of(child, "flow_stop") < 0.8);
}

TEST_CASE("Programs have the variables that they are given, and the run's own whatever is given") {
  const Files files;
  const auto with = [](json end, const json& env) {
    end["env"] = env;
    return end;
  };
  TunChild child{manifest_of({"external-a"}, 0.6), "/nonexistent",
                 files.options({foreign(with(shell("echo \"$MODE:$AT:$HOME\" >> said; exec sleep 30"),
                                             {{"MODE", "a b=c"}, {"AT", "{port}"}, {"HOME", "/nowhere"}}),
                                        shell("echo \"receiver:$MODE\" >> heard; exec sleep 30"))})};
  if (!ran(child, child.finish())) return;
  CHECK(files.text("said") == "a b=c:5201:/nowhere\n");
  CHECK(files.text("heard") == "receiver:\n");
}

TEST_CASE("What programs say is kept in pieces, the first and the last two, also when the run is killed") {
  constexpr std::size_t kPiece = 256 * 1024;
  const Files files;
  const auto keeping = [](json end, const std::string& name) {
    end["output"] = name;
    return end;
  };
  // Lines of eight bytes, so that each says where it belongs.
  json sender = keeping(shell("seq -f %07.0f 0 199999; echo trouble >&2; exec sleep 30"), "kept-sender");
  const json silent = keeping(shell("exec sleep 30"), "kept-receiver");
  const auto pieces_are_right = [&] {
    const std::size_t all = 200'000 * 8;
    CHECK(files.text("kept-sender-stdout.0").size() == kPiece);
    CHECK(files.text("kept-sender-stdout.0").starts_with("0000000\n0000001\n"));
    CHECK(files.text("kept-sender-stdout.5").starts_with("0163840\n"));
    CHECK(files.text("kept-sender-stdout.5").size() == kPiece);
    CHECK(files.text("kept-sender-stdout.6").size() == all - 6 * kPiece);
    CHECK(files.text("kept-sender-stdout.6").ends_with("0199999\n"));
    CHECK(files.text("kept-sender-stderr.0") == "trouble\n");
    for (const char* gone : {"kept-sender-stdout.1", "kept-sender-stdout.4", "kept-sender-stdout.7",
                             "kept-receiver-stdout.0", "kept-receiver-stderr.0"}) {
      CAPTURE(gone);
      CHECK_FALSE(std::filesystem::exists(files.folder / gone));
    }
  };
  {
    TunChild child{manifest_of({"external-a"}, 3), "/nonexistent", files.options({foreign(sender, silent)})};
    if (!ran(child, child.finish())) return;
    pieces_are_right();
  }
  for (const char* name : {"0", "5", "6"})
    std::filesystem::remove(files.folder / (std::string{"kept-sender-stdout."} + name));
  std::filesystem::remove(files.folder / "kept-sender-stderr.0");
  {
    TunChild child{manifest_of({"external-a"}, 30), "/nonexistent", files.options({foreign(sender, silent)})};
    for (int i = 0; i < 500 && files.text("kept-sender-stderr.0").empty(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    child.kill();
    CHECK(child.finish() == -SIGKILL);
    pieces_are_right();
  }
}

TEST_CASE("What is in the way of a program's output is left alone, and is no reason to fail") {
  const Files files;
  std::ofstream{files.folder / "precious"} << "mine";
  std::filesystem::create_symlink(files.folder / "precious", files.folder / "kept-stdout.0");
  json sender = shell("echo said; exec sleep 30");
  sender["output"] = "kept";
  TunChild child{manifest_of({"external-a"}, 0.6), "/nonexistent",
                 files.options({foreign(sender, shell("exec sleep 30"))})};
  if (!ran(child, child.finish())) return;
  CHECK(files.text("precious") == "mine");
}

TEST_CASE("A program may work in a folder of its own") {
  const Files files;
  std::filesystem::create_directory(files.folder / "own");
  json sender = shell("echo here > trace.log; exec sleep 30");
  sender["folder"] = "own";
  TunChild child{manifest_of({"external-a"}, 0.6), "/nonexistent",
                 files.options({foreign(sender, shell("exec sleep 30"))})};
  if (!ran(child, child.finish())) return;
  CHECK(files.text("own/trace.log") == "here\n");
}

TEST_CASE("A sender with pipes writes its own telemetry, and all begin together") {
  if (!tun_possible()) return;
  const Files files;
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  REQUIRE(::pipe2(in.data(), O_CLOEXEC) == 0);
  REQUIRE(::pipe2(out.data(), O_CLOEXEC) == 0);
  constexpr int kIn = 5;
  constexpr int kOut = 6;
  json flow = foreign(
      {{"argv", {"sh", "-c", "echo ready; read line; echo $line"}}, {"pipes", {{"stdin", kIn}, {"stdout", kOut}}}},
      shell("sleep 30"));
  flow["telemetry"] = "own";
  TunChild child{manifest_of({"quic-x"}, 0.5), "/nonexistent", files.options({flow}), {{in[0], kIn}, {out[1], kOut}}};
  ::close(in[0]);
  ::close(out[1]);
  REQUIRE(child.read_until("ready"));
  REQUIRE(::write(in[1], "hello\n", 6) == 6);
  child.say(R"({"type":"go","start_ns":)" + std::to_string(clock_ns(CLOCK_MONOTONIC) + 50'000'000) + "}");
  CHECK(child.finish() == 0);
  std::string said;
  std::array<char, 256> some{};
  for (ssize_t got = 0; (got = ::read(out[0], some.data(), some.size())) > 0;)
    said.append(some.data(), static_cast<std::size_t>(got));
  ::close(in[1]);
  ::close(out[0]);
  CHECK(said == "ready\nhello\n");  // and then it ended: nobody else had the pipe
  std::vector<int> streams;
  const json hello = child.of_type("hello").at(0);
  for (const json& stream : hello["streams"]) streams.push_back(stream["stream"].get<int>());
  CHECK(streams == std::vector<int>{0, 17});
  CHECK(child.of_type("summary").at(0)["senders"].empty());
  CHECK(child.of_type("summary").at(0)["receivers"].size() == 1);
}

TEST_CASE("However the run ends, nothing of its programs is left") {
  const std::vector<json> programs{
      foreign(shell("setsid sleep " + mark() + " & sleep " + mark()), shell("sleep " + mark()))};
  const Files files;
  const auto options = files.options(programs);
  {
    TunChild child{manifest_of({"external-x"}, 30), "/nonexistent", options};
    if (!child.read_until("progress")) {
      (void)ran(child, child.finish());
      return;
    }
    CHECK(processes_of(mark()) >= 3);
    child.kill();
    CHECK(child.finish() == -SIGKILL);
    CHECK(gone(mark()));
  }
  {
    TunChild child{manifest_of({"external-x"}, 30), "/nonexistent", options};
    REQUIRE(child.read_until("progress"));
    child.close_input();
    CHECK(child.finish() == 1);
    CHECK(gone(mark()));
  }
  {
    TunChild child{manifest_of({"external-x"}, 0.5), "/nonexistent", options};
    CHECK(child.finish() == 0);
    CHECK(gone(mark()));
  }
  // At any moment of its start.
  for (int i = 0; i < 15; ++i) {
    TunChild child{manifest_of({"external-x"}, 30), "/nonexistent", options};
    std::this_thread::sleep_for(std::chrono::milliseconds{i * 4});
    child.kill();
    CHECK(child.finish() == -SIGKILL);
    CHECK(gone(mark()));
  }
}

TEST_CASE("A program whose starter dies at once is not left behind") {
  if (!tun_possible()) return;
  REQUIRE(::prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);  // what is left behind becomes this process's
  for (int i = 0; i < 30; ++i) {
    const pid_t starter = ::fork();
    REQUIRE(starter >= 0);
    if (starter == 0) {
      std::array<int, 2> go{};
      const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      const int network = ::open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
      if (::pipe2(go.data(), O_CLOEXEC) != 0 || ::write(go[1], "!", 1) != 1) ::_exit(1);
      (void)start_contained(network, {"sleep", mark()},
                            Containment{.streams = {nothing, nothing, nothing}, .hold_fd = go[0]});
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    REQUIRE(::waitpid(starter, &status, 0) == starter);
    REQUIRE(WIFSIGNALED(status));
  }
  pid_t ended = 0;
  for (int i = 0; i < 500 && (ended = ::waitpid(-1, nullptr, WNOHANG)) >= 0; ++i)
    if (ended == 0) std::this_thread::sleep_for(std::chrono::milliseconds{20});
  CHECK(ended < 0);  // no child is left
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST_CASE("iperf3 fills the link") {
  if (!has("iperf3")) return;
  const Files files;
  TunChild child{manifest_of({"external-iperf3"}, 3), "/nonexistent",
                 files.options({foreign(program({"iperf3", "-c", "{receiver}", "-p", "{port}", "-t", "{duration_s}"}),
                                        program({"iperf3", "-s", "-p", "{port}", "-1"}))})};
  if (!ran(child, child.finish())) return;
  const json summary = child.of_type("summary").at(0);
  MESSAGE("utilisation " << summary["links"][0]["utilisation"].get<double>());
  CHECK(summary["links"][0]["utilisation"].get<double>() > (kept_up(child) ? 0.3 : 0));
  CHECK(summary["senders"][0]["rtt"]["p50_ms"].get<double>() > 40);
}

TEST_CASE("Endpoints that make no sense are refused with their place") {
  const Files files;
  const auto refused = [&](const std::vector<json>& flows, const std::string& why) {
    std::ofstream{files.folder / "manifest.json"} << manifest_of({"external-x"}, 1).dump();
    const ProgramRun run = run_program("tun", "--manifest " + (files.folder / "manifest.json").string() +
                                                  " --traces /nonexistent --endpoints " + files.options(flows)[1]);
    CAPTURE(run.err);
    CHECK(run.code == 2);
    CHECK(run.err.find(why) != std::string::npos);
  };
  const json idle = shell("sleep 30");
  refused({nullptr, foreign(idle, idle)}, "flows: there are 1, but endpoints for 2");
  refused({nullptr}, "flows[0].cca.id: \"external-x\" is not of the kernel's TCP");
  refused({foreign(program({}), idle)}, "endpoints.flows[0].sender.argv");
  refused({foreign({{"argv", {"true"}}, {"pipes", {{"stdin", 77}, {"stdout", 78}}}}, idle)},
          "endpoints.flows[0].sender.pipes.stdin: this process was given no such descriptor");
  for (const json& env : {json{{"A=B", "x"}}, json{{"", "x"}}, json{{"PACELINE_PORT", "1"}}, json{{"A", 1}}, json(3)}) {
    json given = idle;
    given["env"] = env;
    refused({foreign(given, idle)}, "endpoints.flows[0].sender.env");
  }
  for (const char* key : {"output", "folder"})
    for (const json& name : {json("/tmp/x"), json("../x"), json("a/../../x"), json(""), json(1)}) {
      json given = idle;
      given[key] = name;
      refused({foreign(given, idle)}, std::string{"endpoints.flows[0].sender."} + key);
    }
  json own = foreign(idle, idle);
  own["telemetry"] = "own";
  refused({own}, "a sender that writes its own telemetry needs them");
}
