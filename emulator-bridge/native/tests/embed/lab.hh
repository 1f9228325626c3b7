#pragma once
// A lab behind its C interface, with manifests to run in it.

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "embed/paceline_lab.h"

namespace paceline::testing {

struct Destroy {
  void operator()(paceline_lab* lab) const { paceline_lab_destroy(lab); }
  void operator()(paceline_run* run) const { paceline_run_destroy(run); }
  void operator()(paceline_episode* episode) const { paceline_episode_destroy(episode); }
  void operator()(paceline_crew* crew) const { paceline_crew_destroy(crew); }
};
template <typename Held>
using Owned = std::unique_ptr<Held, Destroy>;

// A link of 12 Mbps and 40 ms with a queue of 1 BDP, and a flow of each of `ccas`.
inline nlohmann::json manifest(const std::vector<nlohmann::json>& ccas, double duration_s = 5) {
  const nlohmann::json endless{
      {"id", "droptail"}, {"limit_bytes", nullptr}, {"limit_packets", nullptr}, {"params", nlohmann::json::object()}};
  nlohmann::json limited = endless;
  limited["limit_bytes"] = 60'000;
  nlohmann::json flows = nlohmann::json::array();
  for (const auto& cca : ccas)
    flows.push_back({{"cca", cca},
                     {"start_s", 0},
                     {"stop_s", nullptr},
                     {"extra_rtt_ms", 0},
                     {"transport", "tcp"},
                     {"ack_every", 2},
                     {"source", {{"kind", "bulk"}}}});
  return {
      {"schema", 1},
      {"engine", "virtual"},
      {"path", "memory"},
      {"engine_version", paceline_lab_engine_version()},
      {"duration_s", duration_s},
      {"sample_period_ms", 10},
      {"seed", 7},
      {"repetition", 0},
      {"forward",
       {{"capacity", {{"kind", "constant"}, {"rate_mbps", 12}}}, {"delay_ms", 20}, {"loss", 0}, {"queue", limited}}},
      {"reverse", {{"capacity", {{"kind", "unlimited"}}}, {"delay_ms", 20}, {"loss", 0}, {"queue", endless}}},
      {"flows", flows}};
}

inline nlohmann::json cca(const char* id, nlohmann::json params = nlohmann::json::object()) {
  return {{"id", id}, {"params", std::move(params)}};
}

class Lab {
 public:
  [[nodiscard]] paceline_lab* get() const { return lab_.get(); }

  // Throws what the interface says.
  Owned<paceline_run> run(const nlohmann::json& manifest, bool with_samples = true, int cancelled = 0) const {
    char error[256] = "";
    const std::string text = manifest.dump();
    Owned<paceline_run> made{
        paceline_run_create(get(), text.data(), text.size(), with_samples ? 1 : 0, &cancelled, error, sizeof error)};
    if (!made) throw std::runtime_error{error};
    return made;
  }
  Owned<paceline_episode> episode(const nlohmann::json& manifest, const std::vector<uint32_t>& agents = {0}) const {
    char error[256] = "";
    const std::string text = manifest.dump();
    Owned<paceline_episode> made{
        paceline_episode_create(get(), text.data(), text.size(), agents.data(), agents.size(), error, sizeof error)};
    if (!made) throw std::runtime_error{error};
    return made;
  }

 private:
  Owned<paceline_lab> lab_{paceline_lab_create()};
};

// One episode, step by step.
class Player {
 public:
  explicit Player(Owned<paceline_episode> episode) : episode_{std::move(episode)} {}

  paceline_decision step(double action = 0) {
    paceline_episode* const one = episode_.get();
    paceline_decision decision{};
    paceline_crew_step(crew_.get(), &one, &action, 1, &decision, seen.data(), seen.size());
    return decision;
  }
  [[nodiscard]] nlohmann::json summary() const {
    return nlohmann::json::parse(paceline_episode_summary(episode_.get()));
  }
  [[nodiscard]] std::string error() const {
    const char* text = paceline_episode_error(episode_.get());
    return text ? text : "";
  }

  std::vector<float> seen = std::vector<float>(16);

 private:
  Owned<paceline_episode> episode_;
  Owned<paceline_crew> crew_{paceline_crew_create(1)};
};

}  // namespace paceline::testing
