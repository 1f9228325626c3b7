// A bounded part of what `npm run hostile` does without end: every algorithm and each of its variants through random weather.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/hostile/rough_path.hh"

using namespace paceline;
using namespace paceline::testing;

namespace {

constexpr uint64_t kSeed = 20'261'122;

}  // namespace

TEST_CASE("every algorithm, and every variant of it, survives random hostile weather and delivers again after it") {
  uint64_t number = 0;
  for (int round = 0; round < 5; ++round) {
    for (const Subject& subject : hostile_subjects()) {
      const Scenario scenario = hostile_scenario(subject, kSeed, number);
      INFO("npm run hostile -- --scenarios 1 --seed ", kSeed, " --first ", number);
      INFO(scenario.text);
      CHECK(run_hostile(scenario).fault == "");
      ++number;  // not before: what INFO has is written when a check fails
    }
  }
}

TEST_CASE("a hostile scenario goes the same way twice, and another one another way") {
  const std::vector<Subject> subjects = hostile_subjects();
  std::set<uint64_t> digests;
  for (uint64_t number = 0; number < 12; ++number) {
    const Scenario scenario = hostile_scenario(subjects[number * 7 % subjects.size()], kSeed + 1, number);
    const uint64_t digest = run_hostile(scenario).digest;
    CHECK(run_hostile(scenario).digest == digest);
    digests.insert(digest);
  }
  CHECK(digests.size() == 12);
}

TEST_CASE("hostile scenarios reorder, lose, stop, and use every discipline, profile and kind of application") {
  const std::vector<Subject> subjects = hostile_subjects();
  std::set<std::string_view> disciplines;
  std::set<TransportProfile> profiles;
  std::set<std::string> applications;
  int reordering = 0;
  int heavy_loss = 0;
  int long_way = 0;
  int two_packets = 0;
  int moved = 0;
  constexpr int kScenarios = 300;
  for (uint64_t number = 0; number < kScenarios; ++number) {
    const Subject& subject = subjects[number % subjects.size()];
    const Scenario s = hostile_scenario(subject, kSeed, number);
    const FlowPlan& f = s.plan.flows.front();
    disciplines.insert(s.plan.forward.queue.discipline->id);
    profiles.insert(f.profile);
    applications.insert(f.on_off                ? "on-off"
                        : f.messages            ? std::to_string(static_cast<int>(f.messages->kind))
                        : f.source_rate.bps > 0 ? "rate"
                                                : "bulk");
    reordering += std::ranges::any_of(s.pieces, [](const Weather& w) { return w.spread > Duration::zero(); }) ? 1 : 0;
    heavy_loss += s.pieces.front().loss == 0.3 ? 1 : 0;
    long_way += s.pieces.back().delay == Duration::millis(500) ? 1 : 0;
    two_packets += s.plan.forward.queue.limit_packets == 2 || s.plan.forward.queue.limit_bytes == kMtu * 2 ? 1 : 0;
    moved += s.text.find("()") == std::string::npos ? 1 : 0;
  }
  CHECK(disciplines.size() == registered_queues().size());
  CHECK(profiles.size() == 3);
  CHECK(applications.size() == 6);
  for (const int count : {reordering, heavy_loss, long_way, two_packets, moved}) CHECK(count > kScenarios / 10);
}
