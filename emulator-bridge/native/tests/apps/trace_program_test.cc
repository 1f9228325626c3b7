// paceline-trace as people and the server call it: exit codes, JSON on standard output, sentences on standard error.

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/repository.hh"

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Outcome {
  int code{};
  std::string out{};
};

Outcome shell(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.out.append(buffer.data(), n);
  outcome.code = WEXITSTATUS(::pclose(pipe));
  return outcome;
}

// The program's standard output and exit code; `redirect` says where its standard error goes.
Outcome trace(const std::string& arguments, const std::string& input = "",
              const std::string& redirect = "2>/dev/null") {
  const std::string program = paceline::testing::programs_folder() + "/paceline-trace";
  return shell("printf '" + input + "' | " + program + " " + arguments + " " + redirect);
}

}  // namespace

TEST_CASE("info prints the trace's statistics and a preview") {
  const Outcome run = trace("info - --bins 5", "1\\n2\\n2\\n40\\n");
  REQUIRE(run.code == 0);
  const json report = json::parse(run.out);
  CHECK(report["info"]["format"] == "mahimahi");
  CHECK(report["info"]["gzip"] == false);
  CHECK(report["info"]["period_ms"] == 40);
  CHECK(report["info"]["opportunities"] == 4);
  CHECK(report["info"]["mean_mbps"] == doctest::Approx(1.2));
  CHECK(report["info"]["sha256"].get<std::string>().size() == 64);
  CHECK(report["preview"]["bin_ms"] == 10);
  CHECK(report["preview"]["mean_mbps"] == json{4.8, 0.0, 0.0, 0.0});
}

TEST_CASE("info tells the dynamics when asked, and flags with what to do about them") {
  const json report = json::parse(trace("info - --dynamics yes", "0\\n400\\n1000").out);
  CHECK(report["dynamics"]["outages"][0]["count"] == 2);
  CHECK(report["dynamics"]["outages"][0]["at"] == json{{0, 400}, {400, 600}});
  CHECK(report["dynamics"]["usual_ms"]["packets"] == 1);
  CHECK_FALSE(json::parse(trace("info -", "1\\n2\\n").out).contains("dynamics"));
  const auto ids = [](const json& of) {
    std::string all;
    for (const json& flag : of["info"]["flags"]) all += flag["id"].get<std::string>() + " ";
    return all;
  };
  CHECK(ids(report) == "short no_final_newline ");
  CHECK(report["info"]["warnings"].size() == 2);
  CHECK(ids(json::parse(trace("info -", "0\\n400\\n1000\\n").out)) == "short ");
  CHECK(ids(json::parse(trace("info - --set gaps=hold", "t_s,mbps\\n0,12\\n1,12").out)) == "short no_final_newline ");
}

TEST_CASE("A refusal is JSON on standard output, a sentence on standard error and exit code 2") {
  const Outcome run = trace("validate -", "5\\n3\\n");
  CHECK(run.code == 2);
  const json problem = json::parse(run.out);
  CHECK(problem["code"] == "decreasing");
  CHECK(problem["line"] == 2);
  CHECK(problem["text"] == "3");
  CHECK(problem["hint"].is_string());
  const Outcome sentence = trace("validate -", "5\\n3\\n", "2>&1 >/dev/null");
  CHECK(sentence.out.find("line 2: time goes back from 5 to 3 ms") != std::string::npos);
  CHECK(trace("info /nonexistent/file").code == 2);
}

TEST_CASE("Names and lines that are not UTF-8 are told all the same") {
  const Outcome read = trace("info - --set rate_unit=Mbps", "time,d\\351bit\\n0,12\\n1,12\\n");
  REQUIRE(read.code == 0);
  CHECK(json::parse(read.out)["info"]["source"]["columns"][1]["name"] == "d\uFFFDbit");
  const Outcome refused = trace("info - --format table", "time,rate d\\351bit\\n0,12\\n1,\\351\\n");
  CHECK(refused.code == 2);
  CHECK(json::parse(refused.out)["line"] == 3);
}

TEST_CASE("import stores the canonical text under its hash, the same for both forms and for gzip") {
  const fs::path folder = fs::temp_directory_path() / ("paceline-import-" + std::to_string(::getpid()));
  const std::string to = "--out-dir " + folder.string();
  const Outcome first = trace("import - " + to, "1\\n2\\n2\\n40\\n");
  REQUIRE(first.code == 0);
  const std::string sha256 = json::parse(first.out)["info"]["sha256"];
  CHECK(fs::exists(folder / (sha256 + ".trace")));
  const Outcome second = trace("import - " + to, "# same\\r\\n1 1\\r\\n2 1\\r\\n2 1\\r\\n40 1");
  CHECK(json::parse(second.out)["info"]["sha256"] == sha256);
  const Outcome packed = shell("printf '1\\n2\\n2\\n40\\n' | gzip | " + paceline::testing::programs_folder() +
                               "/paceline-trace import - " + to);
  CHECK(json::parse(packed.out)["info"]["sha256"] == sha256);
  CHECK(json::parse(packed.out)["info"]["gzip"] == true);
  CHECK(std::distance(fs::directory_iterator{folder}, {}) == 1);
  fs::remove_all(folder);
}

TEST_CASE("convert goes both ways, and a short ms count says what it is") {
  CHECK(trace("convert - --to ms-count", "1\\n2\\n2\\n40\\n").out == "# ms count\n1 1\n2 2\n40 1\n");
  CHECK(trace("convert - --to mahimahi", "# ms count\\n1 1\\n2 2\\n3 1\\n").out == "1\n2\n2\n3\n");
  const Outcome pause = trace("convert - --to mahimahi", "1 1\\n40 0\\n", "2>&1");
  CHECK(pause.code == 2);
  CHECK(pause.out.find("ends in a pause") != std::string::npos);
  CHECK(trace("convert - --format table --to ms-count", "0 12\\n1 0\\n").out.starts_with("# ms count\n1 1\n2 1\n"));
}

TEST_CASE("what a file does not say of itself is asked for, with what was understood so far") {
  const std::string table = "time_s,loss,a,b\\n0,0,12,24\\n1,0,12,24\\n2,0,0,0\\n5,0,12,24\\n";
  const json which = json::parse(trace("info -", table).out);
  CHECK(which["code"] == "which_column");
  CHECK(which["source"]["format"] == "table");
  CHECK(which["source"]["columns"][3]["samples"][0] == "24");
  const json gap = json::parse(trace("info - --set rate=b", table).out);
  CHECK(gap["code"] == "gap");
  CHECK(gap["line"] == 5);
  CHECK(gap["source"]["options"].back()["name"] == "gaps");
  const json held = json::parse(trace("info - --set rate=b --set gaps=hold", table).out);
  CHECK(held["info"]["format"] == "table");
  CHECK(held["info"]["source"]["bytes"] == 3 * 3'000'000);
  CHECK(held["info"]["opportunities"] == 3 * 2000);
  CHECK(json::parse(trace("info - --set rate=c", table).out)["code"] == "option");
  CHECK(json::parse(trace("info - --set rate=b --set gaps=hold --set colour=red", table).out)["code"] == "option");
  CHECK(json::parse(trace("info - --format csv", table).out)["code"] == "unknown_format");
}

TEST_CASE("make makes a trace from a recipe, also of another seed and length") {
  const std::string recipes = (paceline::testing::repository_root() / "traces" / "recipes").string() + "/";
  const Outcome walk = trace("make " + recipes + "random-walk-1-to-50mbps.json --duration 12");
  CHECK(walk.code == 0);
  CHECK(walk.out == trace("make " + recipes + "random-walk-1-to-50mbps.json --duration 12").out);
  CHECK(walk.out != trace("make " + recipes + "random-walk-1-to-50mbps.json --duration 12 --seed 9").out);
  const Outcome steps = trace("make " + recipes + "step-12-to-48mbps.json --duration 25");
  CHECK(steps.out.substr(steps.out.rfind('\n', steps.out.size() - 2) + 1) == "25000 1\n");
  const Outcome seedless = trace("make " + recipes + "step-12-to-48mbps.json --seed 3", "", "2>&1");
  CHECK(seedless.code == 2);
  CHECK(seedless.out.find("no seed") != std::string::npos);
  const std::string drive = "make " + recipes + "city-drive.json --duration 5 --step-us ";
  const Outcome fine = trace(drive + "125");
  CHECK(fine.code == 0);
  CHECK(fine.out != trace(drive + "1000").out);
  CHECK(trace(drive + "7000", "", "2>&1").out ==
        "paceline-trace: " + recipes + "city-drive.json: recipe, radio: \"step_us\" must divide 25000\n");
  CHECK(trace("make " + recipes + "step-12-to-48mbps.json --step-us 125").code == 2);
  CHECK(trace("make -", "{}").code == 2);
}

TEST_CASE("sketches answers line by line what sketch says, and goes on after a line that is refused") {
  std::ifstream file{paceline::testing::repository_root() / "traces" / "recipes" / "mmwave-b4.json"};
  const json recipe = json::parse(file);
  const auto ask = [](const json& what) { return json{{"bins", 50}, {"recipe", what}}.dump() + "\n"; };
  json impossible = recipe;
  impossible["radio"]["carrier_ghz"] = 4000;
  const Outcome all = trace("sketches -", ask(recipe) + ask(impossible) + "what?\n" + ask(recipe));
  CHECK(all.code == 0);
  std::istringstream lines{all.out};
  std::vector<json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(json::parse(line));
  REQUIRE(answers.size() == 4);
  CHECK(answers[0]["sketch"] == json::parse(trace("sketch - --bins 50", recipe.dump()).out));
  CHECK(answers[1]["refused"] == "recipe, radio: \"carrier_ghz\" must be from 0.4 to 100.0");
  CHECK(answers[2]["refused"].get<std::string>().starts_with("the line is no request for a sketch"));
  CHECK(answers[3] == answers[0]);
  CHECK(trace("sketches recipes.txt").code == 2);
}

TEST_CASE("targets: a table, and exit code 3 when one is missed") {
  const std::string recipe = R"({"schema":1,"name":"N","description":"","random_walk":{"seed":1,"duration_ms":5000,)"
                             R"("every_ms":100,"start_mbps":20,"min_mbps":19,"max_mbps":21,"step_mbps":0.5},)"
                             R"("targets":{"source":"S","mean_mbps":{"published":20,"from":19,"to":)";
  const Outcome met = trace("targets -", recipe + "21}}}");
  CHECK(met.code == 0);
  CHECK(met.out.find("mean_mbps") != std::string::npos);
  CHECK(met.out.find("ok") != std::string::npos);
  const Outcome missed = trace("targets - --seeds 2", recipe + "19.01}}}");
  CHECK(missed.code == 3);
  CHECK(missed.out.find("MISSED") != std::string::npos);
  CHECK(trace("targets - --as json", recipe + "21}}}").out.starts_with("[{\"name\":\"N\""));
  CHECK(trace("targets -", recipe + "18}}}").code == 2);  // to below from
}

TEST_CASE("A sentence about a file names it, and standard input has no name") {
  const auto folder = std::filesystem::temp_directory_path() / "paceline-names-test";
  std::filesystem::create_directories(folder);
  const std::string file = (folder / "the").string();
  std::ofstream{file};
  const std::string told = "paceline-trace: " + file + ": ";
  CHECK(trace("validate " + file, "", "2>&1 >/dev/null").out == told + "the file holds no rows\n");
  CHECK(trace("make " + file, "", "2>&1").out == told + "the recipe is not JSON\n");
  CHECK(trace("targets " + file, "", "2>&1").out == told + "the recipe is not JSON\n");
  CHECK(trace("validate -", "", "2>&1 >/dev/null").out == "paceline-trace: the file holds no rows\n");
  const std::string none = file + "-no";
  CHECK(trace("validate " + none, "", "2>&1 >/dev/null").out ==
        "paceline-trace: cannot read " + none + ": No such file or directory\n");
  std::filesystem::remove_all(folder);
}

TEST_CASE("Wrong use is told in one line, with exit code 2") {
  for (const char* wrong :
       {"", "look -", "info", "info a b", "info - --bins", "info - --bins 0", "info - --bins x", "info - --colour red",
        "convert -", "convert - --to xml", "convert - --to mahimahi --step-ms 5", "import -", "make - --seed x",
        "targets - --seeds 0", "library . --catalog burn"}) {
    CAPTURE(wrong);
    CHECK(trace(wrong).code == 2);
    const Outcome message = trace(wrong, "", "2>&1 >/dev/null");
    CHECK(message.out.starts_with("paceline-trace: "));
    CHECK(std::count(message.out.begin(), message.out.end(), '\n') == 1);
  }
  CHECK(trace("--help").out.starts_with("Usage: paceline-trace"));
  CHECK(trace("--version").out.starts_with("paceline-trace "));
}
