// Two bottlenecks in series, 24 and then 8 Mbps: one list of elements against two shells, one within the other, and kernel TCP over the
// list against virtual time.

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "drivers/realtime_tun/kernel_ccas.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"
#include "tests/apps/tun_child.hh"
#include "tests/repository.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;

namespace {

constexpr double kSeconds = 5;
constexpr int kLimitBytes = 60'000;  // 1.5 BDP of the narrow one
constexpr int kAttempts = 3;

json narrow() {
  return {{"element", "bottleneck"},
          {"capacity", {{"kind", "constant"}, {"rate_mbps", 8}}},
          {"queue",
           {{"id", "droptail"}, {"limit_bytes", kLimitBytes}, {"limit_packets", nullptr}, {"params", json::object()}}}};
}
json in_series() { return {{{"element", "bottleneck"}}, narrow(), {{"element", "delay"}}}; }

json series_manifest(const std::string& cca) {
  json manifest = small_manifest(cca);
  manifest["duration_s"] = kSeconds;
  manifest["forward"] = link_manifest({{"kind", "constant"}, {"rate_mbps", 24}}, kLimitBytes, 20);
  manifest["forward"]["path"] = in_series();
  return manifest;
}

json summary_in(const std::string& ndjson) {
  for (std::size_t at = 0; at < ndjson.size(); at = ndjson.find('\n', at) + 1) {
    const json said = json::parse(ndjson.substr(at, ndjson.find('\n', at) - at));
    if (said["type"] == "summary") return said;
  }
  FAIL("no summary");
  return {};
}

struct Figures {
  double mbps{};
  double rtt_ms{};
};
Figures figures_of(const json& summary) {
  return {summary["receivers"][0]["throughput_mbps"], summary["senders"][0]["rtt"]["mean_ms"]};
}
Figures simulated() {
  const ProgramRun run =
      run_program("simulate", "--manifest - --traces /nonexistent --format ndjson", series_manifest("cubic").dump());
  REQUIRE(run.code == 0);
  return figures_of(summary_in(run.out));
}

// What arrives of a bulk transfer, measured by perl at the far end, Mbps without headers. Negative: not possible here, which was said.
double carried(const std::string& before, const std::string& within) {
  const std::string perl = "perl -MIO::Socket::INET -MTime::HiRes=time -e '";
  const std::string server =
      perl +
      "$l=IO::Socket::INET->new(Listen=>1,LocalPort=>5201)||die; $c=$l->accept; $n=0; "
      "while(my $r=sysread($c,$b,65536)){$t||=time; $n+=$r; $e=time} print STDOUT $n*8e-6/($e-$t),\"\\n\"'";
  const std::string client = perl +
                             "for(1..50){last if $c=IO::Socket::INET->new(PeerAddr=>$ENV{FAR},PeerPort=>5201); "
                             "select(undef,undef,undef,0.1)} $c||die; $d=\"x\"x65536; $e=time+" +
                             std::to_string(static_cast<int>(kSeconds)) +
                             "; syswrite($c,$d) while time<$e; shutdown($c,1); sysread($c,$d,1)'";
  // Quotes within quotes would not survive: what runs is in files.
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-series-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream{folder / "server"} << server << " > " << (folder / "mbps").string() << "\n";
  std::ofstream{folder / "client"} << client << "\n";
  const ProgramRun run = run_program("shell", before + " --server 'sh " + (folder / "server").string() +
                                                  "' -- sh -c 'FAR=$PACELINE_BASE exec " + within + " sh " +
                                                  (folder / "client").string() + "'");
  double mbps = -1;
  std::ifstream{folder / "mbps"} >> mbps;
  std::filesystem::remove_all(folder);
  if (run.code != 0 && tun_possible()) FAIL("exit code " << run.code << ": " << run.err);
  return mbps;
}

bool has_perl() {
  if (run_program_file("perl", "-MIO::Socket::INET -e 1").code == 0) return true;
  MESSAGE("skipped: there is no perl with sockets");
  return false;
}

}  // namespace

TEST_CASE("A list of two bottlenecks carries of the kernel's TCP what two shells, one within the other, carry") {
  if (!tun_possible() || !has_perl()) return;
  const std::string queue = "--uplink-queue droptail --uplink-queue-args bytes=" + std::to_string(kLimitBytes);
  // What leaves the inner shell enters the outer one.
  const std::string inner = programs_folder() + "/paceline-shell --uplink-rate-mbps 24 " + queue + " --";
  std::string list = in_series().dump();
  for (std::size_t at = 0; (at = list.find('"', at)) != std::string::npos; at += 2) list.insert(at, "\\");
  const double model = simulated().mbps * 1448 / 1500;
  double within = 0, between = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const double nested = carried("--uplink-rate-mbps 8 --delay-ms 20 " + queue, inner);
    const double listed =
        carried("--uplink-rate-mbps 24 --delay-ms 20 " + queue + " --uplink-path \"" + list + "\"", "env");
    if (nested < 0 || listed < 0) return;
    MESSAGE("nested " << nested << " Mbps, listed " << listed << " Mbps, virtual time " << model << " Mbps");
    within = listed / nested;
    between = listed / model;
    if (std::abs(within - 1) <= 0.06 && std::abs(between - 1) <= 0.06) return;
  }
  CHECK(within == doctest::Approx(1).epsilon(0.06));
  CHECK(between == doctest::Approx(1).epsilon(0.06));
}

TEST_CASE("Over TUN the kernel's Cubic meets the path of virtual time, and the second bottleneck tells the same") {
  if (!find_kernel_cca("kernel-cubic")) {
    MESSAGE("skipped: this kernel has no kernel-cubic");
    return;
  }
  if (!tun_possible()) return;
  const Figures model = simulated();
  for (int attempt = 1;; ++attempt) {
    json manifest = series_manifest("kernel-cubic");
    manifest["engine"] = "realtime";
    manifest["path"] = "tun";
    TunChild child{manifest};
    if (const int code = child.finish(); code != 0) FAIL("exit code " << code << ": " << child.errors());
    const json summary = child.of_type("summary").at(0);
    const Figures real = figures_of(summary);
    MESSAGE("virtual " << model.mbps << " Mbps, " << model.rtt_ms << " ms; TUN " << real.mbps << " Mbps, "
                       << real.rtt_ms << " ms");
    if (summary["lateness"]["overrun"].get<bool>()) {
      MESSAGE("the machine did not keep up with real time (overrun), so there is nothing to compare");
      return;
    }
    // Its stream is the third of the list, behind the link's own loss and bottleneck.
    const auto rows = child.rows(1026);
    REQUIRE(rows.size() == 500);
    double lost = 0;
    for (const json& row : rows) lost += row["lost_packets"].get<double>();
    const json& second = summary["links"][0]["path"][2];
    CHECK(lost == second["lost_packets"].get<double>());
    CHECK(second["figures"]["capacity_mean_mbps"].get<double>() == doctest::Approx(8).epsilon(0.001));
    const bool agrees = std::abs(real.mbps / model.mbps - 1) <= 0.06 && std::abs(real.rtt_ms / model.rtt_ms - 1) <= 0.1;
    if (agrees) return;
    if (attempt == kAttempts) FAIL("none of " << kAttempts << " runs over TUN agrees with virtual time");
  }
}

TEST_CASE("Over TUN a flow of the kernel's joins the path where its manifest says") {
  if (!find_kernel_cca("kernel-cubic")) {
    MESSAGE("skipped: this kernel has no kernel-cubic");
    return;
  }
  if (!tun_possible()) return;
  json manifest = series_manifest("kernel-cubic");
  manifest["engine"] = "realtime";
  manifest["path"] = "tun";
  // The second flow joins at the narrow bottleneck: neither the policer nor the recorded delays in front are on its way.
  const json policer{{"element", "policer"}, {"params", {{"rate_mbps", 2}, {"burst_bytes", 30'000}}}};
  const json before{{"element", "jitter"},
                    {"params", {{"distribution", "recorded"}}},
                    {"recorded", {{"times_ms", {0, 200}}, {"delays_ms", {25, 35}}}}};
  manifest["forward"]["path"] = {policer, before, {{"element", "bottleneck"}}, narrow(), {{"element", "delay"}}};
  manifest["flows"].push_back(flow_manifest("kernel-cubic"));
  manifest["flows"][1]["joins"] = 3;
  TunChild child{manifest};
  if (const int code = child.finish(); code != 0) FAIL("exit code " << code << ": " << child.errors());
  const json summary = child.of_type("summary").at(0);
  const json& path = summary["links"][0]["path"];
  REQUIRE(path.size() == 6);  // the link's own loss in front
  const auto packets = [&](std::size_t place, const char* what) { return path[place][what].get<uint64_t>(); };
  const json& receivers = summary["receivers"];
  MESSAGE("policed " << receivers[0]["throughput_mbps"] << " Mbps, joined " << receivers[1]["throughput_mbps"]
                     << " Mbps; RTT " << summary["senders"][0]["rtt"]["mean_ms"] << " and "
                     << summary["senders"][1]["rtt"]["mean_ms"] << " ms");
  CHECK(packets(1U, "lost_packets") > 0);
  CHECK(packets(3U, "entered_packets") == packets(2U, "passed_packets"));
  CHECK(path[2]["figures"]["delay_mean_ms"].get<double>() == doctest::Approx(30).epsilon(0.15));
  // A bucket of 2 Mbps for five seconds, full at first: what it passes of one flow is less than what joins behind it.
  const uint64_t joined = packets(4U, "entered_packets") - packets(3U, "passed_packets");
  CHECK(packets(1U, "passed_packets") <= (30'000 + kSeconds * 2e6 / 8) / 1000);
  CHECK(joined > packets(1U, "passed_packets"));
  CHECK(joined >= receivers[1]["received_packets"].get<uint64_t>());
  CHECK(receivers[0]["throughput_mbps"].get<double>() < 2.1);
  CHECK(receivers[1]["throughput_mbps"].get<double>() > 3);
  if (summary["lateness"]["overrun"].get<bool>()) {
    MESSAGE("the machine did not keep up with real time (overrun), so no times are compared");
    return;
  }
  // Both wait in the narrow queue alone.
  const double apart =
      summary["senders"][0]["rtt"]["mean_ms"].get<double>() - summary["senders"][1]["rtt"]["mean_ms"].get<double>();
  CHECK(apart == doctest::Approx(30).epsilon(0.4));
}
