// Every build writes the same bytes: this one (optimised, or with sanitizers) against the release build beside it.

#include <algorithm>
#include <vector>

#include "core/random.hh"
#include "formats/trace_file.hh"
#include "io/sha256.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"
#include "tests/repository.hh"

using nlohmann::json;
using namespace paceline;
using namespace paceline::testing;
namespace fs = std::filesystem;

namespace {

class TraceFolder {
 public:
  TraceFolder() : path_{fs::temp_directory_path() / ("paceline-builds-" + std::to_string(::getpid()))} {
    Random random{5, 0, "builds"};
    std::vector<uint32_t> counts(1500);
    for (auto& count : counts) count = static_cast<uint32_t>(random.chance(0.4) ? random.below(6) : 0);
    counts.back() = 1;
    fs::create_directories(path_);
    sha256 = store_trace(counts, path_);
  }
  ~TraceFolder() { fs::remove_all(path_); }
  TraceFolder(const TraceFolder&) = delete;
  TraceFolder& operator=(const TraceFolder&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

  std::string sha256{};

 private:
  fs::path path_;
};

json scenario(const std::string& cca, const std::string& kind, const TraceFolder& traces) {
  json m = small_manifest(cca);
  m["duration_s"] = 4;
  m["sample_period_ms"] = 7;
  m["forward"]["loss"] = cca == "optimal" ? 0 : 0.002;
  if (kind == "trace")
    m["forward"]["capacity"] = {{"kind", "trace"}, {"sha256", traces.sha256}, {"name", "t"}, {"offset_ms", 137}};
  m["flows"].push_back(m["flows"][0]);
  m["flows"][1]["start_s"] = 0.3;
  m["flows"][1]["extra_rtt_ms"] = 13.7;
  if (cca != "optimal") m["reverse"]["capacity"] = {{"kind", "constant"}, {"rate_mbps", 0.9}};
  return m;
}

std::string digest(const std::string& program, const json& manifest, const TraceFolder& traces) {
  const ProgramRun run = run_program_file(program, "--manifest - --traces " + traces.path(), manifest.dump());
  CHECK(run.err.empty());
  REQUIRE(run.code == 0);
  Sha256 sha;
  sha.update(run.out);
  return sha.finish();
}

}  // namespace

TEST_CASE("optimised and sanitized builds write the same bytes") {
  const std::string here = programs_folder() + "/paceline-simulate";
  const std::string release = programs_folder() + "/../../native/bin/paceline-simulate";
  if (!fs::exists(release)) {
    MESSAGE("there is no release build to compare with");
    return;
  }
  const TraceFolder traces;
  const json listing = json::parse(run_program("list", "").out);
  for (const json& cca : listing["ccas"]) {
    if (cca["kind"] == "kernel") continue;  // not computed by us
    for (const std::string kind : {"constant", "trace"}) {
      const std::string id = cca["id"];
      CAPTURE(id);
      CAPTURE(kind);
      const json manifest = scenario(id, kind, traces);
      CHECK(digest(here, manifest, traces) == digest(release, manifest, traces));
    }
  }
}
