#pragma once
// Both directions of the modelled path, with their times worked out from schedules alone: what is due is served first, then what has
// arrived is admitted, and a packet leaves at the time of its opportunity plus the delay, however late the driver comes.

#include <algorithm>

#include "path/way.hh"

namespace paceline {

class EmulatedPath {
 public:
  EmulatedPath(const LinkPlan& forward, const LinkPlan& reverse, const WaySetup& to, const WaySetup& back,
               PathHost& host)
      : forward_{forward, to, host}, reverse_{reverse, back, host} {}

  void observe(PathObserver* observer) {
    forward_.observe(observer);
    reverse_.observe(observer);
  }
  [[nodiscard]] Way& way(Direction direction) { return direction == Direction::forward ? forward_ : reverse_; }
  [[nodiscard]] const Way& way(Direction direction) const {
    return direction == Direction::forward ? forward_ : reverse_;
  }
  [[nodiscard]] Bottleneck& link(Direction direction) { return way(direction).link(); }
  [[nodiscard]] const Bottleneck& link(Direction direction) const { return way(direction).link(); }
  // When something is due next in either direction, if nothing enters.
  [[nodiscard]] Time next() const { return std::min(forward_.next(), reverse_.next()); }
  // See Way::sample().
  template <typename Tell>
  void sample(Time now, Duration interval, Tell&& tell) {
    forward_.sample(now, interval, tell);
    reverse_.sample(now, interval, tell);
  }
  // Figures of both directions, where there are any.
  [[nodiscard]] std::vector<LinkSummary> summaries(Time now) const;

 private:
  Way forward_;
  Way reverse_;
};

}  // namespace paceline
