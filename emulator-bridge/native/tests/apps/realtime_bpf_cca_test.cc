// A congestion control that is compiled here, loaded into the kernel for a run, and gone after it.

#include <doctest/doctest.h>

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"
#include "tests/apps/tun_child.hh"
#include "tests/repository.hh"

using namespace paceline::testing;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

json bpf_manifest(double seconds) {
  json manifest = small_manifest("kernel-bpf-aimd");
  manifest["engine"] = "realtime";
  manifest["path"] = "tun";
  manifest["duration_s"] = seconds;
  return manifest;
}

// The compiled object in a folder of its own; empty, and said why, where it cannot be compiled.
class CompiledObject {
 public:
  CompiledObject() : folder_{fs::temp_directory_path() / ("paceline-bpf-" + std::to_string(::getpid()))} {
    fs::create_directories(folder_);
    const fs::path source = repository_root() / "emulator-bridge/native/tests/apps/bpf/aimd.bpf.c";
    // Debian keeps asm/ where the compiler for this machine looks, not that for BPF.
    const ProgramRun compiled =
        run_program_file("clang", "-O2 -g -target bpf -I/usr/include/$(uname -m)-linux-gnu -c " + source.string() +
                                      " -o " + (folder_ / "aimd.o").string());
    if (compiled.code == 0) object_ = folder_ / "aimd.o";
    if (compiled.code != 0) MESSAGE("skipped: the object cannot be compiled: " << compiled.err);
  }
  ~CompiledObject() { fs::remove_all(folder_); }
  CompiledObject(const CompiledObject&) = delete;
  CompiledObject& operator=(const CompiledObject&) = delete;

  [[nodiscard]] std::string option() const { return object_.empty() ? "" : "aimd=" + object_.string(); }

 private:
  fs::path folder_;
  fs::path object_{};
};

json listing_with(const std::string& option) { return json::parse(run_program("list", "--bpf " + option).out); }

// Null: not listed.
json listed(const json& entries, const std::string& id) {
  for (const json& entry : entries)
    if (entry["id"] == id) return entry;
  return {};
}

// What the kernel has now that begins like this.
std::string registered(const std::string& beginning) {
  std::ifstream file{"/proc/sys/net/ipv4/tcp_available_congestion_control"};
  for (std::string name; file >> name;)
    if (name.starts_with(beginning)) return name;
  return {};
}

bool gone_soon(const std::string& beginning) {
  for (int i = 0; i < 100; ++i) {
    if (registered(beginning).empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  }
  return false;
}

// False, and said why: nothing can be loaded here.
bool loadable(const std::string& option) {
  if (option.empty() || !tun_possible()) return false;
  const json listing = listing_with(option);
  if (!listed(listing["ccas"], "kernel-bpf-aimd").is_null()) return true;
  MESSAGE("skipped: " << listed(listing["unavailable"], "kernel-bpf-aimd")["reason"]);
  return false;
}

}  // namespace

TEST_CASE("A compiled congestion control is listed, runs, and is gone after the run") {
  const CompiledObject object;
  if (!loadable(object.option())) return;
  CHECK(registered("aimd.").empty());  // listing it registers nothing
  const json entry = listed(listing_with(object.option())["ccas"], "kernel-bpf-aimd");
  CHECK(entry["label"] == "Aimd · kernel (BPF)");
  CHECK(entry["kind"] == "kernel");

  TunChild child{bpf_manifest(2), "/nonexistent", {"--bpf", object.option()}};
  REQUIRE(child.read_until("sample"));
  const std::string name = registered("aimd.");
  CHECK(name.size() == 13);
  const int code = child.finish();
  INFO(child.errors());
  REQUIRE(code == 0);
  const json summary = child.of_type("summary").at(0);
  CHECK(summary["senders"][0]["cca"] == "kernel-bpf-aimd");
  CHECK(summary["links"][0]["utilisation"].get<double>() > 0.5);
  CHECK(summary["links"][0]["dropped_packets"].get<int>() > 0);  // it grows until the queue is full
  CHECK(gone_soon("aimd."));
}

TEST_CASE("A run that is killed leaves nothing registered") {
  const CompiledObject object;
  if (!loadable(object.option())) return;
  TunChild child{bpf_manifest(20), "/nonexistent", {"--bpf", object.option()}};
  REQUIRE(child.read_until("sample"));
  const std::string name = registered("aimd.");
  REQUIRE_FALSE(name.empty());
  child.kill();
  CHECK(gone_soon(name));
}

TEST_CASE("What is no congestion control is said to be unavailable, with the reason") {
  const json listing = listing_with("none=/etc/passwd");
  CHECK(listed(listing["ccas"], "kernel-bpf-none").is_null());
  const json entry = listed(listing["unavailable"], "kernel-bpf-none");
  CHECK(entry["label"] == "None · kernel (BPF)");
  CHECK(entry["reason"].get<std::string>().starts_with("/etc/passwd: "));
  CHECK(run_program("list", "--bpf nothing").code == 2);
  CHECK(run_program("tun", "--bpf Bad=/etc/passwd --manifest m --traces t").err.find("\"Bad\" is not a name") !=
        std::string::npos);
}
