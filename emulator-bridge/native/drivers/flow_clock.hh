#pragma once
// Which flow is due next: a winner tree, so that many flows cost a logarithm and one flow costs nothing.

#include <bit>
#include <cstddef>
#include <vector>

#include "core/units.hh"

namespace paceline {

class FlowClock {
 public:
  explicit FlowClock(std::size_t flows)
      : leaves_{std::bit_ceil(flows)}, times_(leaves_, Time::never()), winners_(2 * leaves_) {
    for (std::size_t i = 0; i < leaves_; ++i) winners_[leaves_ + i] = i;
    for (std::size_t node = leaves_ - 1; node > 0; --node) play(node);
  }

  [[nodiscard]] std::size_t flow() const { return flow_; }
  [[nodiscard]] Time due() const { return due_; }

  void set(std::size_t flow, Time due) {
    if (leaves_ == 1) {
      due_ = due;
    } else {
      set_among(flow, due);
    }
  }

 private:
  [[gnu::noinline]] void set_among(std::size_t flow, Time due) {
    times_[flow] = due;
    for (std::size_t node = (leaves_ + flow) / 2; node > 0; node /= 2) play(node);
    flow_ = winners_[1];
    due_ = times_[flow_];
  }

  // Of two flows due at once the lower number goes first.
  void play(std::size_t node) {
    const std::size_t left = winners_[2 * node];
    const std::size_t right = winners_[2 * node + 1];
    winners_[node] = times_[right] < times_[left] ? right : left;
  }

  std::size_t leaves_;
  std::vector<Time> times_;
  std::vector<std::size_t> winners_;  // a single flow is node 1 itself
  std::size_t flow_{};
  Time due_{Time::never()};
};

}  // namespace paceline
