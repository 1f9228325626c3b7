#pragma once
// Delays that were measured: each holds from its time to the next one's, the last one as long as the one before it. Then they begin anew.

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "core/fail.hh"
#include "core/units.hh"

namespace paceline {

class RecordedDelays {
 public:
  // `times` begin with zero and rise. The run begins `offset` into them.
  RecordedDelays(std::vector<Duration> times, std::vector<Duration> delays, Duration offset)
      : times_{std::move(times)}, delays_{std::move(delays)}, offset_{offset} {
    if (times_.empty() || times_.size() != delays_.size() || times_.front() != Duration::zero() ||
        !std::ranges::is_sorted(times_))
      fail(std::invalid_argument{"recorded delays need a time each, from zero on, in order"});
    const Duration last = times_.back();
    const Duration gap = times_.size() < 2 ? Duration::zero() : last - times_[times_.size() - 2];
    period_ = std::max(last + gap, Duration{1});  // of one alone
  }

  // So long after the run's beginning.
  [[nodiscard]] Duration at(Duration since) const {
    const Duration within{(since + offset_).ns % period_.ns};
    const auto next = std::ranges::upper_bound(times_, within);
    return delays_[static_cast<std::size_t>(next - times_.begin()) - 1];
  }

 private:
  std::vector<Duration> times_;
  std::vector<Duration> delays_;
  Duration offset_;
  Duration period_{};
};

}  // namespace paceline
