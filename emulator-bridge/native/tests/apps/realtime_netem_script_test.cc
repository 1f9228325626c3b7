// The netem script as a person runs it: what tc says while it runs, and that nothing is left.

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/apps/program_run.hh"

using namespace paceline::testing;
namespace fs = std::filesystem;

namespace {

// 12 Mbps, 24 Mbps, nothing, 6 Mbps: half a second each.
std::string trace_text() {
  std::string text;
  for (int ms = 1; ms <= 500; ++ms) text += std::to_string(ms) + " 1\n";
  for (int ms = 501; ms <= 1000; ++ms) text += std::to_string(ms) + " 2\n";
  for (int ms = 1502; ms <= 2000; ms += 2) text += std::to_string(ms) + " 1\n";
  return text;
}

class Folder {
 public:
  Folder() : path_{fs::temp_directory_path() / ("paceline-netem-" + std::to_string(::getpid()))} {
    fs::create_directories(path_);
    const ProgramRun made =
        run_program("trace",
                    "convert - --format trace --set 'columns=ms count' --to netem --step-ms 500 --out " +
                        (path_ / "link.sh").string(),
                    trace_text());
    REQUIRE(made.code == 0);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  // The words given to `sh` in a network namespace of its own, with a pair of devices in it; `$script` is the script.
  [[nodiscard]] ProgramRun run(const std::string& words) const {
    std::ofstream{path_ / "run.sh"} << "set -e\nscript=" << (path_ / "link.sh").string()
                                    << "\nip link add v0 type veth peer name v1\nip link set v0 up\nip link set v1 up\n"
                                    << words;
    return run_program_file("unshare", "--net bash " + (path_ / "run.sh").string());
  }
  void write_program(const std::string& name, const std::string& text) const {
    std::ofstream{path_ / name} << text;
    ::chmod((path_ / name).c_str(), 0755);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool skipped(const ProgramRun& trial) {
  if (trial.code != 0) MESSAGE("skipped: " << trial.err);
  return trial.code != 0;
}

}  // namespace

TEST_CASE("The script sets netem's rate step by step, and leaves nothing behind") {
  const Folder folder;
  if (skipped(folder.run("tc qdisc add dev v0 root netem rate 1mbit\n"))) return;
  const ProgramRun once = folder.run(
      "bash $script v0 --delay-ms 7 --limit 300 --once &\n"
      "while kill -0 $! 2>/dev/null; do tc qdisc show dev v0; sleep 0.05; done\n"
      "wait $!; echo over; tc qdisc show dev v0\n");
  REQUIRE_MESSAGE(once.code == 0, once.err);
  const std::string during = once.out.substr(0, once.out.find("over"));
  for (const char* step : {"rate 12Mbit", "rate 24Mbit", "rate 6Mbit"}) {
    CAPTURE(step);
    CHECK(during.find(step) != std::string::npos);
  }
  CHECK(during.find("limit 300 delay 7") != std::string::npos);
  CHECK(during.find("delay 507") != std::string::npos);  // the outage holds for its half second
  CHECK(once.out.substr(once.out.find("over")).find("netem") == std::string::npos);

  const ProgramRun stopped = folder.run(
      "bash $script v0 &\nsleep 0.3; tc qdisc show dev v0; kill $!; wait $! || echo \"code $?\"; tc qdisc show dev "
      "v0\n");
  CHECK(stopped.out.find("rate 12Mbit") < stopped.out.find("code 143"));
  CHECK(stopped.out.substr(stopped.out.find("code 143")).find("netem") == std::string::npos);
}

TEST_CASE("What the script asks of tc: each step in order, and its own discipline away at the end, however it ends") {
  const Folder folder;
  if (skipped(folder.run(":\n"))) return;
  folder.write_program("tc", "#!/bin/sh\necho \"$@\" >>" + (folder.path() / "asked").string() + "\n");
  const std::string ours = "PATH=" + folder.path().string() + ":$PATH\n";
  const std::string netem = " dev v0 root handle 7ace: netem rate ";
  const auto asked = [&folder] {
    std::ifstream in{folder.path() / "asked"};
    return std::string{std::istreambuf_iterator<char>{in}, {}};
  };
  REQUIRE(folder.run(ours + "bash $script v0 --delay-ms 7 --once\n").code == 0);
  CHECK(asked() == "qdisc add" + netem + "12000000bit delay 7ms limit 1000\nqdisc change" + netem +
                       "24000000bit delay 7ms limit 1000\nqdisc change" + netem +
                       "6000000bit delay 507ms limit 1000\nqdisc change" + netem +
                       "6000000bit delay 7ms limit 1000\nqdisc del dev v0 root handle 7ace:\n");
  fs::remove(folder.path() / "asked");
  const ProgramRun stopped = folder.run(ours + "bash $script v0 --limit 9 &\nsleep 0.3; kill $!; wait $!\n");
  CHECK(stopped.code == 143);
  CHECK(asked() == "qdisc add" + netem + "12000000bit delay 0ms limit 9\nqdisc del dev v0 root handle 7ace:\n");
  for (const char* wrong : {"", "v0 --limit many", "v0 v1", "v0 --colour"})
    CHECK(folder.run(ours + "bash $script " + wrong + "\n").code == 2);
}
