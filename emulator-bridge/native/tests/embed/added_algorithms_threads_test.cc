#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <deque>
#include <string>
#include <thread>

#include "plugin/paceline_plugin.h"
#include "tests/embed/lab.hh"

using namespace paceline::testing;
using nlohmann::json;

namespace {

// A window that never changes; its context says how many packets.
paceline_algorithm fixed(const char* id, const int64_t& packets) {
  return {.id = id,
          .label = "Fixed",
          .family = "own",
          .summary = "",
          .source = "",
          .pacing = PACELINE_PACE_WINDOW,
          .ecn = PACELINE_ECN_NONE,
          .needs = 0,
          .params = nullptr,
          .param_count = 0,
          .internals = nullptr,
          .internal_count = 0,
          .phases = nullptr,
          .phase_count = 0,
          .context = &packets,
          .create = [](const void* context, const paceline_setup* setup, const double*,
                       paceline_control* control) -> void* {
            control->cwnd_bytes = *static_cast<const int64_t*>(context) * setup->mss_bytes;
            return nullptr;
          },
          .destroy = nullptr,
          .on_ack = [](void*, const paceline_ack*, const paceline_acked_packet*, size_t, paceline_control*) {},
          .on_loss = nullptr,
          .on_timeout = nullptr,
          .on_sent = nullptr,
          .on_tick = nullptr,
          .on_idle_restart = nullptr,
          .read_internals = nullptr};
}

// The engine keeps what it is given for as long as the program runs.
const paceline_algorithm& kept(const char* id, int64_t packets) {
  static std::deque<int64_t> windows;
  static std::deque<paceline_algorithm> algorithms;
  return algorithms.emplace_back(fixed(id, windows.emplace_back(packets)));
}

std::string added(const paceline_algorithm& algorithm, const char* revision) {
  std::array<char, 256> error{};
  const int failed = paceline_lab_algorithm(&algorithm, revision, error.data(), error.size());
  return failed == 0 ? "" : error.data();
}

json cca_listed(const std::string& id) {
  const json listing = json::parse(paceline_lab_listing());
  for (const json& one : listing.at("ccas"))
    if (one.at("id") == id) return one;
  return nullptr;
}

json flow_of(const std::string& id, const std::string& revision) {
  json one = cca(id.c_str());
  one["revision"] = revision;
  return one;
}

double sent_packets(const Lab& lab, const std::string& revision, double seconds = 2) {
  const auto run = lab.run(manifest({flow_of("fixed-window", revision)}, seconds));
  return json::parse(paceline_run_summary(run.get())).at("senders").at(0).at("sent_packets");
}

}  // namespace

TEST_CASE("an algorithm that was added is listed and runs, and another one takes its place") {
  const Lab lab;
  const std::string before = paceline_lab_listing();
  CHECK(added(kept("fixed-window", 2), "000000000002").empty());
  const json listed = cca_listed("fixed-window");
  CHECK(listed.at("revision") == "000000000002");
  const double few = sent_packets(lab, "000000000002");
  CHECK(added(kept("fixed-window", 4), "000000000004").empty());
  CHECK(cca_listed("fixed-window").at("identity") == listed.at("identity"));
  CHECK(sent_packets(lab, "000000000004") > 1.5 * few);
  CHECK_THROWS(static_cast<void>(sent_packets(lab, "000000000002")));  // it is another one now
  CHECK(before.find("fixed-window") == std::string::npos);
}

TEST_CASE("what is ours is not replaced, and what is no algorithm is refused") {
  for (const char* id : {"cubic", "aurora", "agent"})
    CHECK(added(kept(id, 2), "000000000002").find("already") != std::string::npos);
  CHECK(added(kept("Fixed!", 2), "000000000002").find("lower-case") != std::string::npos);
  CHECK(added(kept("fixed-window", 2), "").find("revision") != std::string::npos);
}

TEST_CASE("an episode refuses what was added") {
  const Lab lab;
  REQUIRE(added(kept("fixed-window", 2), "000000000002").empty());
  const std::string text = manifest({cca("agent"), flow_of("fixed-window", "000000000002")}, 1).dump();
  const uint32_t agent = 0;
  std::array<char, 256> error{};
  CHECK(paceline_episode_create(lab.get(), text.data(), text.size(), &agent, 1, error.data(), error.size()) == nullptr);
  CHECK(std::string{error.data()}.find("flows.1: Fixed") == 0);
}

TEST_CASE("algorithms are added while others run, and each run is that of its revision") {
  const Lab lab;
  constexpr int kRounds = 40;
  std::deque<std::string> revisions;
  for (int i = 0; i < kRounds; ++i) revisions.push_back(std::to_string(100000000000 + i));
  REQUIRE(added(kept("fixed-window", 3), revisions.front().c_str()).empty());
  const double expected = sent_packets(lab, revisions.front(), 0.5);
  const auto cubic = lab.run(manifest({cca("cubic")}, 0.5));
  const std::string alone = paceline_run_summary(cubic.get());
  std::atomic<bool> over{};
  std::thread other{[&] {
    while (!over) CHECK(paceline_run_summary(lab.run(manifest({cca("cubic")}, 0.5)).get()) == alone);
  }};
  for (const std::string& revision : revisions) {
    REQUIRE(added(kept("fixed-window", 3), revision.c_str()).empty());
    CHECK(sent_packets(lab, revision, 0.5) == expected);
  }
  over = true;
  other.join();
}
