// The kernel judges the model of the handshake: short transfers over links that are there, dark at first, or lose the SYN.

#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "drivers/realtime_tun/kernel_ccas.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"
#include "tests/apps/tun_child.hh"
#include "tests/library.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;

namespace {

constexpr double kMbps = 12;
constexpr int kLimitBytes = 240'000;  // 4 BDP

// What a receiver saw of a flow.
struct Seen {
  double first_ms{};  // first data, to the sample
  double whole_ms{};  // all of the transfer
};

json transfer_manifest(double seconds, int64_t bytes) {
  json manifest = small_manifest("kernel-cubic");
  manifest["engine"] = "realtime";
  manifest["path"] = "tun";
  manifest["duration_s"] = seconds;
  manifest["forward"]["queue"]["limit_bytes"] = kLimitBytes;
  manifest["flows"][0]["source"] = {{"kind", "transfers"}, {"bytes", bytes},   {"sizes", "fixed"},
                                    {"arrivals", "after"}, {"interval_s", 60}, {"count", 1}};
  return manifest;
}

Seen seen_by_kernel(const TunChild& child) {
  Seen seen{};
  for (const json& row : child.rows(17)) {
    if (row["throughput_mbps"].get<double>() == 0) continue;
    seen.first_ms = row["time_s"].get<double>() * 1e3;
    break;
  }
  for (const json& event : child.of_type("event"))
    if (event["event"] == "message") seen.whole_ms = event["value"].get<double>();
  return seen;
}

Seen seen_by_model(LinkPlan forward, double seconds, int64_t bytes, Handshake handshake) {
  // This kernel's devices have no discipline that paces. Paced by a round trip that was mostly darkness, windows would take that long.
  FlowPlan f = flow(cca("cubic"), 2, {{"pacing", std::string{"off"}}});
  f.messages = std::make_shared<const MessagePlan>(
      MessagePlan{.kind = MessagePlan::Kind::transfers, .mean_bytes = {bytes}, .count = 1});
  f.handshake = handshake;
  Recorder recorder;
  (void)simulate(one_flow(std::move(forward), std::move(f), seconds), recorder);
  Seen seen{};
  for (const Recorder::Row& row : recorder.rows.at(17)) {
    if (row.values.at(0) == 0) continue;
    seen.first_ms = row.time * 1e3;
    break;
  }
  for (const auto& event : recorder.events_named("message")) seen.whole_ms = event.value;
  return seen;
}

struct Transfer {
  int64_t bytes{};
  double seconds{};
  json manifest{};
  std::unique_ptr<TunChild> child{};
};

struct Light {
  int dark_ms{};
  int lit_ms{};
};

// An opportunity each millisecond once there is light.
std::vector<uint32_t> counts_of(const Light& light) {
  std::vector<uint32_t> counts(static_cast<std::size_t>(light.dark_ms + light.lit_ms), 1);
  std::fill_n(counts.begin(), light.dark_ms, 0);
  return counts;
}

std::string stored(const Light& light, const std::filesystem::path& folder) {
  {
    std::ofstream file{folder / "light.txt"};
    for (int ms = light.dark_ms + 1; ms <= light.dark_ms + light.lit_ms; ++ms) file << ms << '\n';
  }
  const ProgramRun imported =
      run_program("trace", "import " + (folder / "light.txt").string() + " --out-dir " + folder.string());
  REQUIRE(imported.code == 0);
  return json::parse(imported.out)["info"]["sha256"];
}

}  // namespace

TEST_CASE("Short transfers take as long as the kernel's, over a link that is there and over links that begin dark") {
  if (!tun_possible() || !find_kernel_cca("kernel-cubic")) {
    MESSAGE("skipped: no TUN devices for this user, or no Cubic in this kernel");
    return;
  }
  const auto folder = std::filesystem::temp_directory_path() / ("paceline-tun-opening-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const int dark_ms : {0, 2300, 3000}) {
    const Light light{.dark_ms = dark_ms, .lit_ms = 3000};
    const LinkPlan link = trace_link(counts_of(light), Duration::millis(20), Bytes{kLimitBytes});
    const std::string trace = stored(light, folder);
    std::array<Transfer, 3> transfers{{{10'000}, {100'000}, {1'000'000}}};
    for (Transfer& transfer : transfers) {
      transfer.seconds = dark_ms / 1e3 + (transfer.bytes > 500'000 ? 2.0 : 0.8);
      transfer.manifest = transfer_manifest(transfer.seconds, transfer.bytes);
      transfer.manifest["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", trace}, {"name", "light"}};
      // They are short, and over links of 12 Mbps: all at once.
      transfer.child = std::make_unique<TunChild>(transfer.manifest, folder);
    }
    for (Transfer& transfer : transfers) {
      const Seen model = seen_by_model(link, transfer.seconds, transfer.bytes, Handshake::full);
      const Seen without = seen_by_model(link, transfer.seconds, transfer.bytes, Handshake::none);
      // A process that waits for a processor makes a transfer longer, never shorter: what came late is asked again, alone.
      for (int attempt = 0; attempt < 3; ++attempt) {
        if (attempt > 0) transfer.child = std::make_unique<TunChild>(transfer.manifest, folder);
        REQUIRE(transfer.child->finish() == 0);
        const Seen kernel = seen_by_kernel(*transfer.child);
        MESSAGE("dark " << dark_ms << " ms, " << transfer.bytes << " B: first data kernel " << kernel.first_ms
                        << " ms, model " << model.first_ms << " (without a handshake " << without.first_ms
                        << "); all of it " << kernel.whole_ms << ", " << model.whole_ms << " (" << without.whole_ms
                        << ")");
        if (transfer.child->of_type("summary").at(0)["lateness"]["overrun"].get<bool>()) {
          MESSAGE("the machine did not keep up with real time (overrun), so there is nothing to compare");
          break;
        }
        const double first_late = kernel.first_ms - model.first_ms;
        const double whole_late = kernel.whole_ms - model.whole_ms;
        const double tolerance = 0.05 * (kernel.whole_ms - dark_ms) + 15;
        if (attempt < 2 && (first_late > 20 || whole_late > tolerance)) continue;
        CHECK(std::abs(first_late) <= 20);
        CHECK(std::abs(whole_late) <= tolerance);
        break;
      }
    }
  }
  std::filesystem::remove_all(folder);
}

TEST_CASE("A SYN that was lost costs the kernel a second, as it does the model") {
  if (!tun_possible() || !find_kernel_cca("kernel-cubic")) {
    MESSAGE("skipped: no TUN devices for this user, or no Cubic in this kernel");
    return;
  }
  for (int attempt = 0; attempt < 4; ++attempt) {
    json manifest = transfer_manifest(1.8, 10'000);
    manifest["forward"]["loss"] = 0.9;
    manifest["seed"] = attempt + 1;
    TunChild child{manifest};
    while (child.read_until("progress") && child.all.back()["time_s"].get<double>() < 0.4) continue;
    child.say(R"({"type":"set","direction":"forward","loss":0})");
    REQUIRE(child.finish() == 0);
    const Seen kernel = seen_by_kernel(child);
    if (kernel.first_ms < 900) continue;  // it was not lost
    const double model = 1000 + seen_by_model(constant_link(kMbps, Duration::millis(20), Bytes{kLimitBytes}), 1.8,
                                              10'000, Handshake::full)
                                    .whole_ms;
    MESSAGE("all of it: kernel " << kernel.whole_ms << " ms, model " << model);
    if (child.of_type("summary").at(0)["lateness"]["overrun"].get<bool>()) return;
    CHECK(std::abs(kernel.whole_ms - model) <= 60);  // the kernel's timers count in ticks of up to 10 ms
    return;
  }
  FAIL("the SYN came through four times");
}
