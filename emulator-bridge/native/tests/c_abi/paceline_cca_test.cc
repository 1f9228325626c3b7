#include "c_abi/paceline_cca.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "cca/registry.hh"
#include "tests/c_abi/handle.hh"

using namespace paceline::testing;

namespace {

constexpr int64_t kMs = 1'000'000;

// Why it cannot be made.
std::string refusal(std::string_view id, const std::vector<paceline_cca_param>& params = {}) {
  try {
    const Handle handle{id, params};
  } catch (const std::invalid_argument& why) {
    return why.what();
  }
  return {};
}

// `packets` full packets leave at once.
void send(const Handle& cca, int64_t now, uint32_t packets) {
  paceline_cca_sent(cca.get(), now, int64_t{1500} * packets, packets);
}
void acknowledge(const Handle& cca, int64_t sent, int packets) {
  for (int i = 0; i < packets; ++i) paceline_cca_acked(cca.get(), sent, 1500);
}

}  // namespace

TEST_CASE("lists exactly what can be made") {
  std::vector<std::string> listed;
  for (size_t i = 0; paceline_cca_id(i) != nullptr; ++i) listed.emplace_back(paceline_cca_id(i));
  std::vector<std::string> made;
  for (const auto* cca : paceline::registered_ccas())
    if (refusal(cca->id).empty()) made.emplace_back(cca->id);
  CHECK(listed == made);
  CHECK(listed.size() >= 3);
  CHECK(listed.size() < paceline::registered_ccas().size());  // the references are not senders
  CHECK(std::strlen(paceline_engine_version()) > 5);
}

TEST_CASE("a refusal is a sentence, cut to the room there is") {
  CHECK(refusal("gauss") == "there is no CCA gauss");
  CHECK(refusal("optimal").find("not a sender") != std::string::npos);
  CHECK(refusal("cubic", {{"beta", "0.2"}}) == "parameter beta: 0.2 is outside 0.5 to 0.9");
  CHECK(refusal("cubic", {{"beta", "much"}}) == "parameter beta: must be a number");
  CHECK(refusal("cubic", {{"hystart", "maybe"}}).find("must be one of auto, off") != std::string::npos);
  CHECK(refusal("cubic", {{"friendliness", "1"}}) == "parameter friendliness: must be true or false");
  const paceline_cca_environment environment{.now_ns = 0, .mss_bytes = 1500, .seed = 1};
  char error[9] = "";
  CHECK(paceline_cca_create("gauss", nullptr, 0, &environment, error, sizeof error) == nullptr);
  CHECK(std::string{error} == "there is");
}

TEST_CASE("parameters arrive with their types") {
  const Handle cca{"cubic", {{"init_cwnd", "25"}, {"hystart", "off"}, {"friendliness", "false"}, {"beta", "0.5"}}};
  CHECK(cca.packets() == 25);
  send(cca, 0, 25);
  paceline_cca_lost(cca.get(), 0, 1500, 0);
  paceline_cca_settle(cca.get(), 40 * kMs, 24 * 1500, 1);
  CHECK(cca.packets() == 12);
}

TEST_CASE("a window that is not the limit does not grow") {
  const Handle cca{"newreno", {{"hystart", "off"}}};
  send(cca, 0, 10);
  acknowledge(cca, 0, 10);
  paceline_cca_settle(cca.get(), 40 * kMs, 0, 0);
  CHECK(cca.packets() == 10);
  send(cca, 41 * kMs, 10);
  acknowledge(cca, 41 * kMs, 10);
  paceline_cca_settle(cca.get(), 81 * kMs, 0, 1);
  CHECK(cca.packets() == 20);
}

TEST_CASE("losses of one flight are one episode; it ends with a packet sent after its start") {
  const Handle cca{"newreno", {{"hystart", "off"}, {"init_cwnd", "40"}}};
  send(cca, 0, 20);
  send(cca, 1 * kMs, 20);
  acknowledge(cca, 0, 18);
  paceline_cca_lost(cca.get(), 0, 2 * 1500, 0);
  paceline_cca_settle(cca.get(), 40 * kMs, 20 * 1500, 1);
  CHECK(cca.packets() == 20);
  CHECK(std::string{cca.look().phase} == "recovery");

  acknowledge(cca, 1 * kMs, 19);
  paceline_cca_lost(cca.get(), 1 * kMs, 1500, 0);  // the same flight
  paceline_cca_settle(cca.get(), 41 * kMs, 0, 1);
  CHECK(cca.packets() == 20);

  send(cca, 42 * kMs, 20);
  acknowledge(cca, 42 * kMs, 19);
  paceline_cca_settle(cca.get(), 82 * kMs, 1500, 1);
  CHECK(std::string{cca.look().phase} != "recovery");
  paceline_cca_lost(cca.get(), 42 * kMs, 1500, 0);
  paceline_cca_settle(cca.get(), 83 * kMs, 0, 1);
  CHECK(cca.packets() < 20);
}

TEST_CASE("persistent congestion leaves QUIC's least window of two packets") {
  for (const char* id : {"cubic", "newreno"}) {
    const Handle cca{id, {{"init_cwnd", "40"}}};
    send(cca, 0, 40);
    acknowledge(cca, 0, 1);
    paceline_cca_settle(cca.get(), 40 * kMs, 39 * 1500, 1);
    paceline_cca_lost(cca.get(), 0, 39 * 1500, 1);
    paceline_cca_settle(cca.get(), 900 * kMs, 0, 1);
    CHECK(cca.packets() == 2);
  }
}

TEST_CASE("an algorithm that paces itself says when the next packet may leave") {
  const Handle cca{"bbr"};
  REQUIRE(paceline_cca_pacing(cca.get()) == PACELINE_PACING_OWN);
  int64_t now = 0;
  for (int round = 0; round < 6; ++round) {
    send(cca, ++now, 10);
    acknowledge(cca, now, 10);
    now += 50 * kMs;
    paceline_cca_settle(cca.get(), now, 0, 1);
  }
  const auto view = cca.look();
  REQUIRE(view.pacing_bps > 1e6);
  CHECK(view.delivery_bps == doctest::Approx(10 * 1500 * 8 / 0.05).epsilon(0.01));
  send(cca, ++now, 1);
  CHECK(paceline_cca_release(cca.get(), now) <= now);  // the rest of its quantum
  paceline_cca_paused(cca.get(), 0);
  const int64_t gap = paceline_cca_release(cca.get(), now) - now;
  // A pacer that was woken late makes up for at most 200 us.
  CHECK(static_cast<double>(gap) == doctest::Approx(1500 * 8 / view.pacing_bps * 1e9 - 200e3).epsilon(0.001));
  CHECK(paceline_cca_release(cca.get(), now + gap) <= now + gap);
}

TEST_CASE("what left while the application was the limit is marked so") {
  const Handle cca{"bbr"};
  send(cca, 1, 2);
  CHECK(cca.look().app_limited == 0);
  paceline_cca_paused(cca.get(), 1);
  CHECK(cca.look().app_limited == 1);
  acknowledge(cca, 1, 2);
  paceline_cca_settle(cca.get(), 40 * kMs, 0, 0);
  send(cca, 41 * kMs, 10);
  paceline_cca_paused(cca.get(), 0);
  acknowledge(cca, 41 * kMs, 10);
  paceline_cca_settle(cca.get(), 81 * kMs, 0, 1);
  CHECK(cca.look().app_limited == 0);
}

TEST_CASE("packets that nobody told of do no harm") {
  const Handle cca{"cubic", {{"hystart", "off"}}};
  paceline_cca_acked(cca.get(), 5, 60);
  paceline_cca_settle(cca.get(), 40 * kMs, 0, 1);
  paceline_cca_lost(cca.get(), 5, 1500, 0);
  paceline_cca_settle(cca.get(), 50 * kMs, 0, 1);
  paceline_cca_settle(cca.get(), 60 * kMs, 0, 1);
  CHECK(cca.packets() == 7);
}

TEST_CASE("internals have names, and states theirs") {
  const Handle cca{"cubic"};
  const size_t count = paceline_cca_internal_count(cca.get());
  REQUIRE(count == 5);
  paceline_cca_internal state{};
  paceline_cca_describe_internal(cca.get(), 0, &state);
  CHECK(std::string{state.name} == "state");
  REQUIRE(state.states == 3);
  CHECK(std::string{paceline_cca_state_name(cca.get(), 0, 1)} == "avoidance");
  std::vector<float> values(count);
  paceline_cca_internals(cca.get(), values.data());
  CHECK(values[0] == 0.0F);
  CHECK(std::isnan(values[1]));
}
