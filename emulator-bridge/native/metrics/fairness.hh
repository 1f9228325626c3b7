#pragma once
// Jain's index over rolling windows of k base RTTs (Zeus), while all flows run. Windows slide by one RTT;
// those in which no flow moved are left out.

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
    if (now >= bin_end_) [[unlikely]]
      close_bins(now);
    totals_[flow] += bytes.v;
  }
  // From then on not all flows run any more.
  void ends(Time at) { to_ = at < to_ ? at : to_; }
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
  [[nodiscard]] static double percentile(const Window& window, double share);

  std::size_t flows_;
  Duration base_rtt_;
  Time to_;
  Time bin_end_{Time::never()};
  std::vector<int64_t> totals_;   // per flow, bytes so far
  std::vector<int64_t> history_;  // totals at the last kLargest + 1 bin ends, flow by flow
  int64_t bins_{};                // bin ends recorded
  std::vector<Window> windows_{};
};

}  // namespace paceline
