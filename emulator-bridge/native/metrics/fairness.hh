#pragma once
// Jain's index over rolling windows of k base RTTs (Zeus), while all flows run. Windows slide by one RTT;
// those in which no flow moved are left out. Where all flows run for a window but a hundredth of it, the one window is the time that
// they run: flows start within a base RTT of one another (start_jitter), and Zeus' 3000 RTTs of 20 ms are all of its 60 s.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/units.hh"
#include "metrics/summary.hh"

namespace paceline {

class FairnessMeter {
 public:
  // All flows run in [from, to]. Nothing is measured with fewer than two flows or a base RTT below 0.1 ms.
  FairnessMeter(std::size_t flows, Duration base_rtt, Time from, Time to);

  // `bytes` of the flow arrived for the first time. Times never decrease.
  void add(std::size_t flow, Bytes bytes, Time now) {
    if (now >= next_) [[unlikely]]
      close_bins(now);
    totals_[flow] += bytes.v;
  }
  // From then on not all flows run any more.
  void ends(Time at) {
    if (at >= to_) return;
    to_ = at;
    next_ = std::min(next_, to_);
  }
  // Ends the measurement at `now`.
  [[nodiscard]] std::vector<FairnessSummary> summary(Time now);

 private:
  static constexpr int kLargest = 3000;
  static constexpr std::size_t kBuckets = 4096;  // of the index between 0 and 1

  struct Window {
    int k{};
    uint64_t count{};
    double sum{};
    std::vector<uint64_t> histogram = std::vector<uint64_t>(kBuckets + 1);
  };

  void close_bins(Time now);
  void close_bin();
  // What all flows moved since `before`, their totals then; NaN: nothing.
  [[nodiscard]] double index_since(const int64_t* before, const std::vector<int64_t>& now) const;
  // The window of all the time that they run, of which [from_, until] was measured; a window of `k` RTTs hardly falls short of it.
  [[nodiscard]] double index_of_all(int k, Time until) const;
  [[nodiscard]] static double percentile(const Window& window, double share);

  std::size_t flows_;
  Duration base_rtt_;
  Time from_;
  Time to_;
  Time bin_end_{Time::never()};
  Time next_{Time::never()};      // when something has to be noted: the bin's end, or that of all
  std::vector<int64_t> totals_;   // per flow, bytes so far
  std::vector<int64_t> at_end_;   // totals when not all flows ran any more; empty: they do
  std::vector<int64_t> history_;  // totals at the last kLargest + 1 bin ends, flow by flow
  int64_t bins_{};                // bin ends recorded
  std::vector<Window> windows_{};
};

}  // namespace paceline
