// Weights files as paceline-weights and paceline-simulate read them.

#include "io/sha256.hh"
#include "tests/apps/manifests.hh"
#include "tests/apps/program_run.hh"

using nlohmann::json;
using namespace paceline;
using namespace paceline::testing;

namespace {

namespace fs = std::filesystem;

// One unit of tanh over two steps of two inputs.
json small_network() {
  return json::parse(R"({
    "format": "paceline-weights", "version": 1, "name": "by hand", "note": "for a test", "algorithm": "orca",
    "inputs": ["delay_metric", "loss_share"], "history": 2,
    "normalise": {"subtract": [0.5, 0], "divide": [0.5, 2]},
    "layers": [{"activation": "leaky_relu", "slope": 0.2, "weights": [[0.1, 0, 0.5, -1], [0, 0, 1, 0]], "bias": [0, 0.25]},
               {"activation": "tanh", "weights": [[-0.5, 0.25]], "bias": [0]}],
    "bounds": {"least": -0.5, "most": 0.5}})");
}

std::string sha256_of(const std::string& text) {
  Sha256 hash;
  hash.update(text);
  return hash.finish();
}

class Folder {
 public:
  Folder() : path{fs::temp_directory_path() / ("paceline-weights-" + std::to_string(::getpid()))} {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  [[nodiscard]] std::string store(const std::string& text) const {
    std::ofstream{path / (sha256_of(text) + ".weights.json")} << text;
    return sha256_of(text);
  }
  fs::path path;
};

ProgramRun check(const std::string& text) {
  const Folder folder;
  const fs::path file = folder.path / "file.json";
  std::ofstream{file} << text;
  return run_program("weights", "--file " + file.string());
}

// What is said of the file with `change` made to it.
template <typename Change>
std::string refusal(Change&& change) {
  json network = small_network();
  change(network);
  const ProgramRun run = check(network.dump());
  CHECK(run.code == 2);
  CHECK(run.out.empty());
  const std::string name = "paceline-weights: ";
  REQUIRE(run.err.starts_with(name));
  return run.err.substr(name.size(), run.err.size() - name.size() - 1);
}

ProgramRun simulate(const Folder& folder, const json& params) {
  json manifest = small_manifest("orca");
  manifest["flows"][0]["cca"]["params"] = params;
  return run_program("simulate", "--manifest - --traces " + folder.path.string(), manifest.dump());
}

}  // namespace

TEST_CASE("paceline-weights says what is in a weights file") {
  const std::string text = small_network().dump();
  const ProgramRun run = check(text);
  CHECK(run.err.empty());
  REQUIRE(run.code == 0);
  CHECK(json::parse(run.out) == json{{"sha256", sha256_of(text)},
                                     {"name", "by hand"},
                                     {"algorithm", "orca"},
                                     {"inputs", {"delay_metric", "loss_share"}},
                                     {"history", 2},
                                     {"units", {2, 1}},
                                     {"numbers", 13}});
}

TEST_CASE("a weights file that cannot be used is refused with the place and the reason") {
  CHECK(check("{").err.find("is not JSON: ") != std::string::npos);
  CHECK(check("[]").err == "paceline-weights: must be a JSON object\n");
  CHECK(refusal([](json& n) { n["format"] = "onnx"; }) ==
        "format: must be \"paceline-weights\": this is another kind of file");
  CHECK(refusal([](json& n) { n["version"] = 2; }) == "version: this engine reads version 1");
  CHECK(refusal([](json& n) { n.erase("inputs"); }) == "inputs: is missing");
  CHECK(refusal([](json& n) { n["extra"] = 1; }) == "extra: is not known");
  CHECK(refusal([](json& n) { n["algorithm"] = "cubic"; }) == "algorithm: there is no \"cubic\" that takes a network");
  CHECK(refusal([](json& n) { n["inputs"][1] = "weather"; }).starts_with("inputs[1]: orca has no \"weather\", only "));
  CHECK(refusal([](json& n) { n["inputs"][1] = "delay_metric"; }) == "inputs[1]: \"delay_metric\" is there twice");
  CHECK(refusal([](json& n) { n["history"] = 3; }) == "layers[0].weights[0]: has 4 weights for 6 inputs of the layer");
  CHECK(refusal([](json& n) { n["normalise"]["divide"][1] = 0; }) == "normalise.divide[1]: must not be 0");
  CHECK(refusal([](json& n) { n["layers"][0]["activation"] = "sigmoid"; }) ==
        "layers[0].activation: \"sigmoid\" is not one of linear, relu, leaky_relu, tanh");
  CHECK(refusal([](json& n) { n["layers"][0]["weights"][1][2] = "1"; }) == "layers[0].weights[1][2]: must be a number");
  CHECK(refusal([](json& n) { n["layers"][0]["weights"][1][2] = 1e39; }) ==
        "layers[0].weights[1][2]: does not fit a 32-bit floating-point number");
  CHECK(refusal([](json& n) { n["layers"][0]["bias"].push_back(1); }) == "layers[0].bias: must have 2 to 2 entries");
  CHECK(refusal([](json& n) { n["layers"].erase(1); }) ==
        "layers[0].weights: the last layer must have one unit, the action, not 2");
  CHECK(refusal([](json& n) { n["bounds"]["least"] = 0.7; }) == "bounds.least: is greater than bounds.most");
  CHECK(refusal([](json& n) {
          n["layers"].clear();
          for (int i = 0; i < 9; ++i) n["layers"].push_back(1);
        }) == "layers: must have 1 to 8 entries");
}

TEST_CASE("a run takes the network that its manifest names by hash, and acts by it") {
  const Folder folder;
  const std::string hash = folder.store(small_network().dump());
  const ProgramRun network = simulate(folder, {{"policy", "network"}, {"weights", hash}});
  CHECK(network.err.empty());
  REQUIRE(network.code == 0);
  CHECK(network.out == simulate(folder, {{"policy", "network"}, {"weights", hash}}).out);
  CHECK(network.out != simulate(folder, {{"policy", "neutral"}, {"weights", ""}}).out);
  json other = small_network();
  other["layers"][1]["bias"][0] = 0.5;
  CHECK(network.out != simulate(folder, {{"policy", "network"}, {"weights", folder.store(other.dump())}}).out);
}

TEST_CASE("a manifest whose network is missing, changed or of another algorithm is refused with its place") {
  const Folder folder;
  const auto refused = [&](const json& params) {
    const ProgramRun run = simulate(folder, params);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    return run.err;
  };
  const std::string place = "paceline-simulate: flows[0].cca.params";
  CHECK(refused({{"policy", "network"}}) ==
        place + ": parameter weights: must name a weights file when policy is network\n");
  CHECK(refused({{"policy", "network"}, {"weights", "net.json"}}) ==
        place + ".weights: must be the SHA-256 of a weights file, 64 hexadecimal digits\n");
  const std::string nowhere(64, 'a');
  CHECK(refused({{"policy", "network"}, {"weights", nowhere}}) ==
        place + ".weights: " + (folder.path / (nowhere + ".weights.json")).string() + ": cannot be read\n");
  const std::string hash = folder.store(small_network().dump());
  std::ofstream{folder.path / (hash + ".weights.json"), std::ios::app} << " ";
  CHECK(refused({{"policy", "network"}, {"weights", hash}}) ==
        place + ".weights: the stored file is no longer what it was: store it again\n");
  json other = small_network();
  other["algorithm"] = "deepcc";
  CHECK(refused({{"policy", "network"}, {"weights", folder.store(other.dump())}}) ==
        place + ": parameter weights: algorithm: the file is for \"deepcc\", not for orca\n");
}
