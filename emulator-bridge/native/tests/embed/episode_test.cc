#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tests/embed/lab.hh"

using namespace paceline::testing;
using nlohmann::json;

namespace {

// One layer, one unit: the weighted sum of what the loop shows.
json network(const char* algorithm, const std::vector<std::string>& inputs, const std::vector<double>& weights) {
  const json layer{{"activation", "linear"}, {"weights", json::array({weights})}, {"bias", {0}}};
  return {{"format", "paceline-weights"}, {"version", 1},     {"name", "a sum"},
          {"algorithm", algorithm},       {"inputs", inputs}, {"layers", json::array({layer})}};
}

std::vector<std::string> inputs_of(const std::string& id) {
  for (std::size_t loop = 0; const char* name = paceline_loop_id(loop); ++loop) {
    if (id != name) continue;
    std::vector<std::string> inputs;
    while (const char* input = paceline_loop_input(loop, inputs.size())) inputs.emplace_back(input);
    return inputs;
  }
  return {};
}

}  // namespace

TEST_CASE("there are four loops, each with what it shows") {
  const Lab lab;
  CHECK(inputs_of("aurora") == std::vector<std::string>{"latency_gradient", "latency_ratio", "sending_ratio"});
  CHECK(inputs_of("orca").size() == 7);
  CHECK(inputs_of("deepcc").size() == 5);
  CHECK(inputs_of("agent").size() == 6);
  CHECK(inputs_of("cubic").empty());
}

TEST_CASE("an episode whose every decision is a network's is the run that this network makes") {
  for (const char* id : {"orca", "deepcc", "aurora", "agent"}) {
    CAPTURE(id);
    const Lab lab;
    const std::string hash(64, 'c');
    const auto inputs = inputs_of(id);
    std::vector<double> weights(inputs.size(), 0.125);
    weights.front() = -0.5;
    const std::string text = network(id, inputs, weights).dump();
    char error[256] = "";
    REQUIRE_MESSAGE(paceline_lab_weights(lab.get(), hash.data(), text.data(), text.size(), error, sizeof error) == 0,
                    error);
    json params{{"weights", hash}};
    if (std::string{id} != "agent") params["policy"] = "network";
    const json by_network = json::parse(paceline_run_summary(lab.run(manifest({cca(id, params)}), false).get()));

    Player player{lab.episode(manifest({cca(id)}))};
    paceline_decision decision = player.step();
    int decisions = 0;
    while (decision.flow == 0) {
      ++decisions;
      // The network's own arithmetic: floats, in the order of the inputs.
      float sum = 0;
      for (std::size_t i = 0; i < inputs.size(); ++i) sum += static_cast<float>(weights[i]) * player.seen[i];
      decision = player.step(static_cast<double>(std::clamp(sum, -1.0F, 1.0F)));
    }
    CHECK(decision.flow == -1);
    CHECK(decisions > 20);
    CHECK(player.summary() == by_network);
  }
}

TEST_CASE("a decision says what came of the one before") {
  const Lab lab;
  Player player{lab.episode(manifest({cca("agent")}, 30))};
  double acked = 0;
  double last = 0;
  paceline_decision decision = player.step();
  while (decision.flow == 0) {
    CHECK(decision.inputs == 6);
    CHECK(decision.now > last);
    CHECK(decision.lasted > 0);
    CHECK(decision.capacity_bps == 12e6);
    CHECK(decision.least_rtt >= 0.04);
    CHECK(decision.mean_rtt > decision.least_rtt - 1e-9);
    acked += decision.acked_bytes;
    last = decision.now;
    // to some packets of queue
    decision = player.step(decision.cwnd_bytes < 75'000 ? 0.1 : -0.1);
  }
  const json summary = player.summary();
  const double delivered = summary.at("receivers").at(0).at("throughput_mbps").get<double>() * 1e6 / 8 * 30;
  CHECK(acked == doctest::Approx(delivered).epsilon(0.1));
  CHECK(summary.at("links").at(0).at("utilisation").get<double>() > 0.9);
  // over and done with
  CHECK(player.step().flow == -1);
}

TEST_CASE("several flows are decided about as their periods end") {
  const Lab lab;
  Player player{lab.episode(manifest({cca("orca"), cca("cubic"), cca("orca")}), {0, 2})};
  std::array<int, 3> asked{};
  for (paceline_decision d = player.step(); d.flow >= 0; d = player.step()) ++asked[static_cast<std::size_t>(d.flow)];
  CHECK(asked[0] > 50);
  CHECK(asked[1] == 0);
  CHECK(asked[2] > 50);
}

TEST_CASE("nobody decides where there is no loop, no such flow, or twice") {
  const Lab lab;
  CHECK_THROWS_WITH(lab.episode(manifest({cca("cubic")})), doctest::Contains("Cubic has no loop"));
  CHECK_THROWS_WITH(lab.episode(manifest({cca("orca")}), {1}), doctest::Contains("no flow 1"));
  CHECK_THROWS_WITH(lab.episode(manifest({cca("orca")}), {0, 0}), doctest::Contains("twice"));
}

TEST_CASE("an action that is no number ends the episode with a reason, and no other") {
  const Lab lab;
  Player good{lab.episode(manifest({cca("orca")}))};
  Player bad{lab.episode(manifest({cca("orca")}))};
  CHECK(good.step().flow == 0);
  CHECK(bad.step().flow == 0);
  CHECK(bad.step(std::numeric_limits<double>::quiet_NaN()).flow == -2);
  CHECK(bad.error() == "an action must be a finite number");
  CHECK(bad.step(0).flow == -2);
  CHECK(good.step(1e300).flow == 0);
  CHECK(good.error() == "");
}

TEST_CASE("an action that nobody asked for is not looked at") {
  const Lab lab;
  Player player{lab.episode(manifest({cca("orca")}, 0.5))};
  const double none = std::numeric_limits<double>::quiet_NaN();
  paceline_decision decision = player.step(none);
  CHECK(decision.flow == 0);
  while (decision.flow == 0) decision = player.step(0);
  CHECK(player.step(none).flow == -1);
  CHECK(player.error() == "");
}

TEST_CASE("what a decision says of now is of now, in every loop") {
  for (const char* id : {"orca", "deepcc", "aurora", "agent"}) {
    CAPTURE(id);
    const Lab lab;
    Player player{lab.episode(manifest({cca(id)}, 20))};
    double before = 0;
    double inflight = 0;
    for (paceline_decision decision = player.step(); decision.flow == 0; decision = player.step()) {
      CHECK(decision.now >= before);
      CHECK(decision.inflight_bytes >= 0);
      before = decision.now;
      inflight = std::max(inflight, decision.inflight_bytes);
    }
    CHECK(before > 19);
    CHECK(inflight > 3000);
  }
}

TEST_CASE("an episode that is given up in the middle leaves nothing behind") {
  const Lab lab;
  // the address sanitizer's leak check looks at what is left
  for (int i = 0; i < 50; ++i) {
    Player player{lab.episode(manifest({cca("orca"), cca("cubic")}))};
    for (int k = 0; k < i; ++k) player.step();
  }
  const auto never_begun = lab.episode(manifest({cca("orca")}));
  CHECK(paceline_episode_summary(never_begun.get()) == nullptr);
}

TEST_CASE("episodes come to the same whoever takes them on, and however many do") {
  const Lab lab;
  constexpr std::size_t kCount = 12;
  const auto played = [&](std::size_t threads) {
    std::vector<Owned<paceline_episode>> held;
    std::vector<paceline_episode*> episodes;
    for (std::size_t i = 0; i < kCount; ++i) {
      auto one = manifest({cca(i % 2 == 0 ? "orca" : "agent")}, 0.5 + 0.1 * static_cast<double>(i));
      one["seed"] = i;
      held.push_back(lab.episode(one));
      episodes.push_back(held.back().get());
    }
    const Owned<paceline_crew> crew{paceline_crew_create(threads)};
    std::vector<double> actions(kCount);
    std::vector<paceline_decision> decisions(kCount);
    std::vector<float> seen(kCount * 8);
    std::vector<double> all;
    for (int step = 0; step < 100; ++step) {
      paceline_crew_step(crew.get(), episodes.data(), actions.data(), kCount, decisions.data(), seen.data(), 8);
      for (std::size_t i = 0; i < kCount; ++i) {
        actions[i] = (step % 3 - 1) * 0.1;
        if (decisions[i].flow >= 0) all.push_back(decisions[i].acked_bytes + decisions[i].now);
      }
    }
    return all;
  };
  const auto alone = played(1);
  CHECK(alone.size() > 300);
  CHECK(played(2) == alone);
  CHECK(played(7) == alone);
}
