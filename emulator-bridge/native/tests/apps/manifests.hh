#pragma once
// Manifests for tests of the programs.

#include <string>

#include <nlohmann/json.hpp>

#include "core/version.hh"

namespace paceline::testing {

inline nlohmann::json link_manifest(nlohmann::json capacity, nlohmann::json limit_bytes, double delay_ms) {
  return {{"loss", 0},
          {"queue",
           {{"id", "droptail"},
            {"limit_bytes", limit_bytes},
            {"limit_packets", nullptr},
            {"params", nlohmann::json::object()}}},
          {"capacity", std::move(capacity)},
          {"delay_ms", delay_ms}};
}

inline nlohmann::json flow_manifest(const std::string& cca) {
  return {{"cca", {{"id", cca}, {"params", nlohmann::json::object()}}},
          {"start_s", 0},
          {"stop_s", nullptr},
          {"extra_rtt_ms", 0},
          {"transport", "tcp"},
          {"ack_every", 2},
          {"source", {{"kind", "bulk"}}}};
}

// Cubic over 12 Mbps, 40 ms, 1 BDP, for two seconds.
inline nlohmann::json small_manifest(const std::string& cca = "cubic") {
  return {{"schema", 1},
          {"engine", "virtual"},
          {"path", "memory"},
          {"engine_version", kEngineVersion},
          {"duration_s", 2},
          {"sample_period_ms", 10},
          {"seed", 1},
          {"repetition", 0},
          {"forward", link_manifest({{"kind", "constant"}, {"rate_mbps", 12}}, 60000, 20)},
          {"reverse", link_manifest({{"kind", "unlimited"}}, nullptr, 20)},
          {"flows", nlohmann::json::array({flow_manifest(cca)})}};
}

}  // namespace paceline::testing
