// Whole runs of the kernel's TCP, as the bridge starts and stops them.

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "drivers/realtime_tun/kernel_ccas.hh"
#include "formats/trace_file.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/processes.hh"
#include "tests/apps/program_run.hh"
#include "tests/apps/tun_child.hh"
#include "tests/library.hh"
#include "tests/repository.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;

namespace {

json tun_manifest(const std::string& cca, double seconds) {
  json manifest = small_manifest(cca);
  manifest["engine"] = "realtime";
  manifest["path"] = "tun";
  manifest["duration_s"] = seconds;
  return manifest;
}

// False: this machine cannot run it, which was said.
bool ran(TunChild& child, int code) {
  if (code == 0) return true;
  if (tun_possible()) FAIL("exit code " << code << ": " << child.errors());
  return false;
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream stream{file};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

// What the host shows of itself: its devices, and every setting of TCP and IP.
std::map<std::string, std::string> host_settings() {
  std::map<std::string, std::string> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/proc/sys/net/ipv4"))
    if (entry.is_regular_file()) all[entry.path()] = text_of(entry.path());
  for (const auto& device : std::filesystem::directory_iterator("/sys/class/net")) all[device.path()] = "";
  return all;
}

}  // namespace

TEST_CASE("Each CCA of the kernel fills a link as the model of it does") {
  for (const auto& [each_kernel, own] :
       {std::pair{"kernel-reno", "newreno"}, {"kernel-cubic", "cubic"}, {"kernel-bbr", "bbr"}}) {
    const auto& kernel = each_kernel;
    CAPTURE(std::string{kernel});
    if (!find_kernel_cca(kernel)) {
      MESSAGE("skipped: this kernel has no " << kernel);
      continue;
    }
    constexpr double kSeconds = 4;
    json manifest = tun_manifest(kernel, kSeconds);
    manifest["forward"]["queue"]["limit_bytes"] = 120'000;  // 2 BDP
    TunChild child{manifest};
    if (!ran(child, child.finish())) return;
    const json summary = child.of_type("summary").at(0);
    const json& link = summary["links"][0];
    CHECK(link["arrived_packets"].get<int>() == link["delivered_packets"].get<int>() +
                                                    link["dropped_packets"].get<int>() +
                                                    link["queued_packets"].get<int>());
    for (const int stream : {0, 16, 17}) CHECK(child.rows(stream).size() == 400);
    const json row = child.rows(16).at(300);
    CHECK(row["cwnd_bytes"].get<double>() >= 1500);
    CHECK(row["srtt_ms"].get<double>() > 39);
    CHECK(row["latest_rtt_ms"].get<double>() > 39);
    // The kernel's floor of 200 ms under four variances, and its clock's ticks of up to 10 ms; after a timeout it is more.
    std::vector<double> beyond;
    for (const json& at : child.rows(16))
      if (at["time_s"].get<double>() > 1) beyond.push_back(at["rto_ms"].get<double>() - at["srtt_ms"].get<double>());
    std::ranges::sort(beyond);
    CHECK(beyond.front() >= 199);
    CHECK(beyond[beyond.size() / 2] <= 215);
    CHECK(row["busy_ms"].get<double>() > 2000);
    const json& sender = summary["senders"][0];
    CHECK(sender["cca"] == kernel);
    CHECK(sender["cpu_s"].get<double>() > 0);
    CHECK(sender["cpu_s"].get<double>() < kSeconds);
    CHECK(sender["rtt"]["mean_ms"].get<double>() > 40);
    CHECK(summary["receivers"][0]["throughput_mbps"].get<double>() < 12);
    const json& lateness = summary["lateness"];
    CHECK(lateness["wakeups"].get<int>() > 1000);
    CHECK(lateness["writes"]["p99_us"].get<double>() > 0);
    if (lateness["overrun"].get<bool>()) {
      MESSAGE("the machine did not keep up with real time (overrun), so there is nothing to compare");
      continue;
    }
    Recorder recorder;
    const LinkSummary model =
        simulate(one_flow(constant_link(12, Duration::millis(20), Bytes{120'000}), flow(cca(own), 2), kSeconds),
                 recorder)
            .links.at(0);
    MESSAGE(std::string{kernel} << ": utilisation " << link["utilisation"].get<double>() << ", model "
                                << model.utilisation << "; queueing delay "
                                << link["queueing_delay"]["mean_ms"].get<double>() << " ms, model "
                                << model.queueing_delay.mean_ms << " ms");
    CHECK(link["utilisation"].get<double>() == doctest::Approx(model.utilisation).epsilon(0.06));
  }
}

TEST_CASE("A trace can wait for the first packet") {
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-tun-traces-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string sha256 = store_trace(library_trace("constant-48mbps"), folder);
  json manifest = tun_manifest("kernel-reno", 1);
  manifest["trace_start"] = "first_packet";
  manifest["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", sha256}, {"name", "48"}};
  manifest["flows"][0]["start_s"] = 0.295;
  TunChild child{manifest, folder};
  const int code = child.finish();
  std::filesystem::remove_all(folder);
  if (!ran(child, code)) return;
  const auto rows = child.rows(0);
  REQUIRE(rows.size() == 100);
  for (std::size_t i = 0; i < 29; ++i) CHECK(rows[i]["capacity_mbps"].get<double>() == 0);
  for (std::size_t i = 35; i < 100; ++i)
    CHECK(rows[i]["capacity_mbps"].get<double>() == doctest::Approx(48).epsilon(0.06));
  CHECK(child.of_type("summary").at(0)["links"][0]["capacity_bytes"].get<double>() ==
        doctest::Approx(48e6 / 8 * 0.705).epsilon(0.1));
}

TEST_CASE("Idle milliseconds, seconds of silence and bursts of hundreds of packets run as the trace has them") {
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-tun-bursts-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream file{folder / "bursts.txt"};
    const auto opportunities = [&file](int ms, int count) {
      for (int i = 0; i < count; ++i) file << ms << '\n';
    };
    for (int ms = 2; ms <= 500; ms += 2) opportunities(ms, 4);        // every other millisecond
    for (int ms = 525; ms <= 1000; ms += 50) opportunities(ms, 600);  // bursts
    opportunities(2600, 600);                                         // after 1.6 s of silence
    opportunities(2800, 1);                                           // the period ends
  }
  const ProgramRun imported =
      run_program("trace", "import " + (folder / "bursts.txt").string() + " --out-dir " + folder.string());
  REQUIRE(imported.code == 0);
  // Reno has no HyStart: it fills the queue before the bursts come.
  json manifest = tun_manifest("kernel-reno", 2.8);
  manifest["forward"]["capacity"] = {
      {"kind", "trace"}, {"sha256", json::parse(imported.out)["info"]["sha256"]}, {"name", "bursts"}};
  manifest["forward"]["queue"]["limit_bytes"] = 8'000'000;
  TunChild child{manifest, folder};
  const int code = child.finish();
  std::filesystem::remove_all(folder);
  if (!ran(child, code)) return;
  const json summary = child.of_type("summary").at(0);
  CHECK(summary["lateness"]["unmodelled_losses"] == 0);
  CHECK(summary["links"][0]["capacity_bytes"].get<double>() == (250 * 4 + 11 * 600 + 1) * 1500.0);
  double queued = 0;
  int bursts = 0;
  const auto rows = child.rows(0);
  REQUIRE(rows.size() == 280);
  for (const json& row : rows) {
    const double offered = row["capacity_mbps"].get<double>() * 1e6 * 0.01 / 8;
    const double delivered = row["delivered_mbps"].get<double>() * 1e6 * 0.01 / 8;
    CHECK(delivered <= offered + 1500);
    if (offered == 0) CHECK(delivered == 0);
    // What waited before the interval leaves with its burst.
    if (offered >= 600 * 1500 && queued >= offered) {
      CHECK(delivered > offered - 1500);
      ++bursts;
    }
    queued = row["queue_bytes"].get<double>();
  }
  CHECK(bursts >= 2);
  CHECK(summary["receivers"][0]["received_bytes"].get<double>() > 1'000'000);
}

TEST_CASE("A handshake that a dark link delays by seconds is no loss that nobody modelled") {
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-tun-dark-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  {
    std::ofstream file{folder / "dark.txt"};
    for (int ms = 3001; ms <= 5000; ++ms) file << ms << '\n';
  }
  const ProgramRun imported =
      run_program("trace", "import " + (folder / "dark.txt").string() + " --out-dir " + folder.string());
  REQUIRE(imported.code == 0);
  json manifest = tun_manifest("kernel-cubic", 4);
  manifest["forward"]["capacity"] = {
      {"kind", "trace"}, {"sha256", json::parse(imported.out)["info"]["sha256"]}, {"name", "dark"}};
  TunChild child{manifest, folder};
  const int code = child.finish();
  std::filesystem::remove_all(folder);
  if (!ran(child, code)) return;
  const json summary = child.of_type("summary").at(0);
  // The SYN and its two repetitions leave together when there is light, so the connection is there before the copies' answers.
  CHECK(summary["links"][0]["queueing_delay"]["max_ms"].get<double>() > 2900);
  CHECK(summary["receivers"][0]["received_bytes"].get<double>() > 100'000);
  CHECK(summary["lateness"]["unmodelled_losses"] == 0);
  for (const json& event : child.of_type("event")) CHECK(event["event"] != "unmodelled_loss");
}

TEST_CASE("The link changes while the run goes on, each change is an event, and a bad order changes nothing") {
  TunChild child{tun_manifest("kernel-cubic", 2.4)};
  const bool greeted = child.read_until("progress");
  if (!greeted) {
    (void)ran(child, child.finish());
    return;
  }
  child.say(R"({"type":"set","direction":"forward","rate_mbps":3,"limit_packets":7})");
  for (int i = 0; i < 8; ++i) REQUIRE(child.read_until("progress"));
  child.say(R"({"type":"set","direction":"forward","rate_mbps":"fast"})");
  child.say(R"({"type":"set","direction":"forward","delay_ms":60})");
  if (!ran(child, child.finish())) return;
  std::vector<json> changes;
  for (const json& event : child.of_type("event"))
    if (event["event"] == "link_change") changes.push_back(event);
  REQUIRE(changes.size() == 2);
  CHECK(changes[0]["flow"].is_null());
  CHECK(json::parse(changes[0]["detail"].get<std::string>())["rate_mbps"] == 3);
  CHECK(child.errors().find("rate_mbps must be a number") != std::string::npos);
  const double first = changes[0]["time_s"].get<double>();
  const double second = changes[1]["time_s"].get<double>();
  for (const json& row : child.rows(0)) {
    const double time = row["time_s"].get<double>();
    if (time < first) CHECK(row["capacity_mbps"].get<double>() == doctest::Approx(12));
    if (time > first + 0.02) CHECK(row["capacity_mbps"].get<double>() == doctest::Approx(3));
    // A queue of at most 60 kB at 12 Mbps is gone after 0.16 s at 3 Mbps; from then on seven packets are the limit.
    if (time > first + 0.2) CHECK(row["queue_packets"].get<double>() <= 7);
  }
  double least_before = 1e9;
  double least_after = 1e9;
  for (const json& row : child.rows(17)) {
    if (row["owd_mean_ms"].is_null()) continue;
    const double time = row["time_s"].get<double>();
    const double owd = row["owd_mean_ms"].get<double>();
    if (time < second) least_before = std::min(least_before, owd);
    if (time > second + 0.1) least_after = std::min(least_after, owd);
  }
  CHECK(least_before < 40);
  CHECK(least_after >= 60);
}

TEST_CASE("Flows start and stop when they should, at the same port or another") {
  json manifest = tun_manifest("kernel-reno", 1.6);
  manifest["flows"].push_back(flow_manifest("kernel-cubic"));
  manifest["flows"][0]["stop_s"] = 0.8;
  // A third of the link: the end of a slow start would fill the queue when the other connects, and a SYN that is dropped waits a second.
  manifest["flows"][0]["source"] = {{"kind", "rate"}, {"rate_mbps", 4}};
  manifest["flows"][1]["start_s"] = 0.5;
  manifest["flows"][1]["extra_rtt_ms"] = 30;
  TunChild child{manifest};
  if (!ran(child, child.finish())) return;
  for (const json& row : child.rows(17))
    if (row["time_s"].get<double>() > 1.2) CHECK(row["throughput_mbps"].get<double>() == 0);
  for (const json& row : child.rows(19))
    if (row["time_s"].get<double>() < 0.5) CHECK(row["throughput_mbps"].get<double>() == 0);
  const json summary = child.of_type("summary").at(0);
  // 4 Mbps over 0.8 s are 266 packets; most of the link over a second is some 900.
  CHECK(summary["receivers"][0]["received_packets"].get<int>() > 200);
  CHECK(summary["receivers"][1]["received_packets"].get<int>() > 400);
  CHECK(summary["senders"][1]["rtt"]["p50_ms"].get<double>() > 70);
  CHECK_FALSE(summary["fairness"].empty());
}

TEST_CASE("An application that writes at a rate is the limit, and what a full link held back is made up for") {
  json manifest = tun_manifest("kernel-reno", 3.2);
  manifest["flows"][0]["source"] = {{"kind", "rate"}, {"rate_mbps", 4}};
  manifest["forward"]["queue"]["limit_bytes"] = 15'000;
  TunChild child{manifest};
  REQUIRE(child.read_until("hello"));
  const auto until = [&](double time) {
    while (child.read_until("progress") && child.all.back()["time_s"].get<double>() < time) continue;
  };
  until(1);
  child.say(R"({"type":"set","direction":"forward","rate_mbps":1})");
  until(1.5);
  child.say(R"({"type":"set","direction":"forward","rate_mbps":12})");
  if (!ran(child, child.finish())) return;
  // The share of samples within a time that are application-limited, and what arrived, Mbps.
  const auto limited = [&](double from, double to) {
    double sum = 0;
    double count = 0;
    for (const json& row : child.rows(16)) {
      const double time = row["time_s"].get<double>();
      if (time <= from || time > to) continue;
      sum += row["app_limited"].get<double>();
      ++count;
    }
    return sum / count;
  };
  CHECK(limited(0.5, 0.95) > 0.9);
  CHECK(limited(1.3, 1.5) < 0.5);
  CHECK(limited(2.8, 3.2) > 0.9);
  const json summary = child.of_type("summary").at(0);
  const double bytes = summary["receivers"][0]["received_bytes"].get<double>();
  CHECK(bytes == doctest::Approx(4e6 / 8 * 3.2).epsilon(0.06));
}

TEST_CASE("A run that is killed or stopped leaves nothing behind, and a run changes nothing of the host's") {
  const auto before = host_settings();
  std::string folder;
  {
    TunChild child{tun_manifest("kernel-reno", 30)};
    if (!child.read_until("progress")) {
      (void)ran(child, child.finish());
      return;
    }
    folder = child.folder();
    CHECK(processes_of(folder) == 1);
    CHECK(host_settings() == before);
    child.kill();
    CHECK(child.finish() == -SIGKILL);
  }
  {
    TunChild child{tun_manifest("kernel-reno", 30)};
    REQUIRE(child.read_until("progress"));
    const auto began = std::chrono::steady_clock::now();
    child.close_input();
    CHECK(child.finish() == 1);
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
    CHECK(child.of_type("error").size() == 1);
  }
  CHECK(processes_of(folder) == 0);
  CHECK(host_settings() == before);
}

TEST_CASE("Only the kernel's CCAs run over TUN, and only there") {
  const auto refused = [](const json& manifest) {
    const auto file = std::filesystem::temp_directory_path() / ("paceline-tun-refused-" + std::to_string(::getpid()));
    std::ofstream{file} << manifest.dump();
    const ProgramRun run = run_program("tun", "--manifest " + file.string() + " --traces /nonexistent");
    std::filesystem::remove(file);
    return run;
  };
  const ProgramRun own = refused(tun_manifest("cubic", 1));
  CHECK(own.code == 2);
  CHECK(own.err.find("flows[0].cca.id: \"cubic\" is not of the kernel's TCP") != std::string::npos);
  const ProgramRun unknown = refused(tun_manifest("kernel-none", 1));
  CHECK(unknown.code == 127);
  CHECK(unknown.err.find("this kernel's TCP has no \"kernel-none\"") != std::string::npos);
  json elsewhere = tun_manifest("kernel-reno", 1);
  elsewhere["path"] = "udp";
  CHECK(refused(elsewhere).err.find("travel over tun") != std::string::npos);
}

TEST_CASE("The kernel's TCP carries applications: spells, and messages with their completion times") {
  const char* kernel = "kernel-cubic";
  if (!find_kernel_cca(kernel)) {
    MESSAGE("skipped: this kernel has no " << kernel);
    return;
  }
  json manifest = tun_manifest(kernel, 4);
  manifest["forward"]["capacity"]["rate_mbps"] = 60;
  manifest["forward"]["queue"]["limit_bytes"] = 600'000;
  for (int i = 0; i < 3; ++i) manifest["flows"].push_back(flow_manifest(kernel));
  manifest["flows"][0]["source"] = {
      {"kind", "on_off"}, {"on_s", 0.5}, {"off_s", 0.5}, {"durations", "fixed"}, {"rate_mbps", 8}};
  manifest["flows"][1]["source"] = {
      {"kind", "transfers"}, {"bytes", 30'000}, {"sizes", "fixed"}, {"arrivals", "after"}, {"interval_s", 0.1}};
  manifest["flows"][2]["source"] = {{"kind", "frames"}, {"fps", 25},      {"rate_mbps", 4},
                                    {"key_every", 1},   {"key_ratio", 1}, {"deadline_ms", 100}};
  manifest["flows"][3]["source"] = {{"kind", "on_off"}, {"on_s", 0.2}, {"off_s", 0.8}, {"durations", "fixed"}};
  TunChild child{manifest};
  if (!ran(child, child.finish())) return;
  const json summary = child.of_type("summary").at(0);
  const json& transfers = summary["receivers"][1]["messages"];
  CHECK(transfers["completed"].get<int>() > 5);
  // The way and 20 packets' time: the window has learnt that they fit into it, and 0.1 s is no idle time.
  CHECK(transfers["delay"]["p50_ms"].get<double>() > 23.5);
  CHECK(summary["senders"][1]["messages"]["count"].get<int>() - transfers["completed"].get<int>() <= 1);
  const json& frames = summary["receivers"][2]["messages"];
  CHECK(frames["completed"].get<int>() > 90);
  CHECK(frames["delay"]["p50_ms"].get<double>() >= 20);
  if (summary["lateness"]["overrun"].get<bool>()) {
    MESSAGE("the machine did not keep up with real time (overrun), so no figures are compared");
    return;
  }
  CHECK(summary["receivers"][0]["throughput_mbps"].get<double>() == doctest::Approx(4).epsilon(0.05));
  CHECK(summary["receivers"][2]["throughput_mbps"].get<double>() == doctest::Approx(4).epsilon(0.05));
  CHECK(summary["receivers"][3]["throughput_mbps"].get<double>() < 40);
  CHECK(transfers["delay"]["p50_ms"].get<double>() < 80);
  int told = 0;
  for (const json& event : child.of_type("event")) told += event["event"] == "message" ? 1 : 0;
  CHECK(told == transfers["completed"].get<int>() + frames["completed"].get<int>());
}
