#pragma once
// What every algorithm with a window of packets shows first: its state and ssthresh.

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "cca/internals.hh"

namespace paceline {

enum class WindowState : uint8_t { slow_start, avoidance, recovery };
inline constexpr std::array<std::string_view, 3> kWindowStates{"slow start", "avoidance", "recovery"};

template <class C>
[[nodiscard]] Internals<C> window_internals_with(Getter<C> state, Getter<C> ssthresh, std::vector<Internal<C>> own) {
  std::vector<Internal<C>> all{
      {"state", "state", "", state, {kWindowStates.begin(), kWindowStates.end()}},
      {"ssthresh_packets", "ssthresh", "packets", ssthresh},
  };
  for (Internal<C>& internal : own) all.push_back(std::move(internal));
  return Internals<C>{std::move(all)};
}

}  // namespace paceline
