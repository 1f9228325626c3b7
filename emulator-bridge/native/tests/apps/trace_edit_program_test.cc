// paceline-trace edit and edit-sketch: what they make, and how they refuse.

#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "formats/trace_file.hh"
#include "tests/apps/program_run.hh"

using namespace paceline;
using namespace paceline::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

// A folder with one trace: 10 ms of 1, 2 … 10 packets, and a pause of 5 ms.
class Stored {
 public:
  Stored() : folder_{fs::temp_directory_path() / ("paceline-edit-" + std::to_string(::getpid()))} {
    std::vector<uint32_t> counts(16);
    for (uint32_t k = 1; k <= 10; ++k) counts[k] = k;
    source = store_trace(counts, folder_);
    other = store_trace(std::vector<uint32_t>{7, 0, 1}, folder_);
  }
  ~Stored() { fs::remove_all(folder_); }
  Stored(const Stored&) = delete;
  Stored& operator=(const Stored&) = delete;

  [[nodiscard]] ProgramRun run(const std::string& command, const std::vector<json>& steps) const {
    return run_text(command, steps);
  }
  [[nodiscard]] ProgramRun run_text(const std::string& command, const json& steps) const {
    const json edit{{"schema", 1}, {"source", source}, {"steps", steps}};
    return run_program("trace", command + " - --traces " + folder_.string(), edit.dump());
  }
  // "where: why".
  [[nodiscard]] std::string refusal(const std::vector<json>& steps) const {
    const ProgramRun made = run("edit", steps);
    CHECK(made.code == 2);
    const json problem = json::parse(made.out);
    const std::string text = problem["where"].get<std::string>() + ": " + problem["message"].get<std::string>();
    CHECK(made.err == "paceline-trace: " + text + "\n");
    return text;
  }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

  std::string source{};
  std::string other{};

 private:
  fs::path folder_;
};

const json kStep = json::object();

json step(const char* op, json parameters = kStep) {
  parameters["op"] = op;
  return parameters;
}

}  // namespace

TEST_CASE("An edit's steps are made one after the other") {
  const Stored stored;
  const ProgramRun none = stored.run("edit", {});
  CHECK(none.code == 0);
  const ProgramRun made = stored.run("edit", {step("cut", {{"from_ms", 1}, {"to_ms", 6}}),
                                              step("outage", {{"at_ms", 2}, {"duration_ms", 3}, {"mode", "insert"}}),
                                              step("scale", {{"factor", 0.5}})});
  // 2 3 | 0 0 0 | 4 5 6, halved with what is left carried on: 1 1 0 0 0 2 3 3.
  CHECK(made.out == "# ms count\n1 1\n2 1\n6 2\n7 3\n8 3\n");
  const ProgramRun joined = stored.run(
      "edit", {step("cut", {{"from_ms", 8}, {"to_ms", 15}}), step("concatenate", {{"trace", stored.other}})});
  CHECK(joined.out == "# ms count\n1 9\n2 10\n9 8\n");
  const ProgramRun others =
      stored.run("edit", {step("cut", {{"from_ms", 0}, {"to_ms", 4}}), step("shift", {{"by_ms", 1}}), step("reverse"),
                          step("remove", {{"from_ms", 0}, {"to_ms", 1}}), step("loop", {{"duration_ms", 7}}),
                          step("smooth", {{"window_ms", 1}}),
                          step("handover", {{"at_ms", 6}, {"interruption_ms", 1}, {"ramp_ms", 0}})});
  const ProgramRun usual = stored.run("edit", {step("loop", {{"duration_ms", 41}}), step("handover", {{"at_ms", 11}})});
  CHECK(usual.out.ends_with("10 10\n41 0\n"));  // 30 ms, and no ramp
  // 1 2 3 4 → 2 3 4 1 → 1 4 3 2 → 4 3 2 → 4 3 2 4 3 2 4 → … 0.
  CHECK(others.out == "# ms count\n1 4\n2 3\n3 2\n4 4\n5 3\n6 2\n7 0\n");
}

TEST_CASE("A sketch says what would come of it, and how long the trace is at each step") {
  const Stored stored;
  const json sketch =
      json::parse(stored
                      .run("edit-sketch --bins 2",
                           {step("cut", {{"from_ms", 0}, {"to_ms", 10}}), step("loop", {{"duration_ms", 40}}),
                            step("outage", {{"at_ms", 0}, {"duration_ms", 10}, {"mode", "insert"}})})
                      .out);
  CHECK(sketch["lengths_ms"] == json{15, 10, 40, 50});
  CHECK(sketch["period_ms"] == 50);
  CHECK(sketch["mean_mbps"] == doctest::Approx(4 * 55 * 12.0 / 50));
  CHECK(sketch["longest_gap_ms"] == 11);
  CHECK(sketch["preview"]["mean_mbps"].size() == 2);
}

TEST_CASE("An edit that cannot be made names the step, the parameter and the reason") {
  const Stored stored;
  const json cut = step("cut", {{"from_ms", 0}, {"to_ms", 10}});
  CHECK(stored.refusal({cut, cut, step("cut", {{"from_ms", 2}, {"to_ms", 12}})}) ==
        "steps[2].to_ms: beyond the trace's end, 10 ms, after the steps before");
  CHECK(stored.refusal({step("cut", {{"from_ms", 2}, {"to_ms", 99}})}) ==
        "steps[0].to_ms: beyond the trace's end, 15 ms");
  CHECK(stored.refusal({step("cut", {{"from_ms", 11}, {"to_ms", 15}})}) ==
        "steps[0]: not one delivery opportunity is left");
  CHECK(stored.refusal({step("cut", {{"from_ms", 2.5}, {"to_ms", 9}})}) ==
        "steps[0].from_ms: must be a whole number of milliseconds from 0 to 86400000");
  CHECK(stored.refusal({step("cut", {{"from_ms", 2}})}) == "steps[0].to_ms: must be a number of milliseconds");
  CHECK(stored.refusal({cut, step("scale", {{"factor", 0}})}) ==
        "steps[1].factor: must be a number from 0.000001 to 1000");
  CHECK(stored.refusal({step("outage", {{"at_ms", 2}, {"duration_ms", 9}, {"mode", "drop"}})}) ==
        "steps[0].mode: must be insert or overwrite");
  CHECK(stored.refusal({step("melt")}).starts_with("steps[0].op: must be one of: cut, remove"));
  CHECK(stored.refusal({step("reverse", {{"colour", 1}})}) == "steps[0].colour: is not a parameter of this step");
  CHECK(stored.refusal({step("concatenate", {{"trace", "../../etc/passwd"}})}) ==
        "steps[0].trace: must be a trace's SHA-256");
  CHECK(stored.refusal({step("concatenate", {{"trace", std::string(64, 'a')}})}) ==
        "steps[0].trace: there is no trace " + std::string(64, 'a'));
  CHECK(stored.refusal({json(3)}) == "steps[0]: must be an object");
  CHECK(stored.run_text("edit", "all").err == "paceline-trace: steps: must be a list of at most 100 steps\n");
  CHECK(run_program("trace", "edit - --traces " + stored.folder().string(), "{").code == 2);
  CHECK(run_program("trace", "edit -", "{}").err ==
        "paceline-trace: an edit needs --traces, the folder of the traces that it names (see --help)\n");
}
