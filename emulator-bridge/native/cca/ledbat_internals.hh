#pragma once
// What LEDBAT shows, whether the RFC's, LEDBAT++ or libutp's is at work.

#include <array>
#include <cstddef>
#include <string_view>

#include "cca/internals.hh"
#include "cca/ledbat_delays.hh"

namespace paceline {

inline constexpr std::array<std::string_view, 4> kLedbatStates{"slow start", "avoidance", "recovery", "slowdown"};

struct LedbatView {
  std::size_t state{};
  const LedbatDelays& delays;
  Duration target{};
  double off_target{};
  double gain{};
  bool one_way{};

  [[nodiscard]] float if_measured(double value) const { return if_known(delays.known(), value); }
};

[[nodiscard]] inline const Internals<LedbatView>& ledbat_internals() {
  using View = const LedbatView&;
  static const Internals<LedbatView> all{{
      {"state", "state", "", [](View v) { return v.state; }, {kLedbatStates.begin(), kLedbatStates.end()}},
      {"queueing_delay_ms", "queueing delay: estimated", "ms",
       [](View v) { return v.if_measured(v.delays.queueing().to_millis()); }},
      {"target_ms", "queueing delay: target", "ms", [](View v) { return v.target.to_millis(); }},
      {"base_delay_ms", "base delay", "ms", [](View v) { return v.if_measured(v.delays.base().to_millis()); }},
      {"off_target", "off target", "", [](View v) { return v.if_measured(v.off_target); }},
      {"gain", "gain", "packets/round trip", [](View v) { return v.gain; }},
      {"signal", "delay signal", "", [](View v) { return !v.one_way; }, {"one-way", "round trip"}},
  }};
  return all;
}

}  // namespace paceline
