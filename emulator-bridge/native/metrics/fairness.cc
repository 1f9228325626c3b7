#include "metrics/fairness.hh"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

constexpr int kWindows[] = {1, 2, 5, 10, 20, 50, 100, 500, 1000, 3000};
constexpr Duration kLeastRtt = Duration::micros(100);

}  // namespace

FairnessMeter::FairnessMeter(std::size_t flows, Duration base_rtt, Time from, Time to)
    : flows_{flows}, base_rtt_{base_rtt}, to_{to}, totals_(flows) {
  if (flows < 2 || base_rtt < kLeastRtt || to <= from) return;
  for (const int k : kWindows) windows_.push_back({.k = k});
  history_.resize(flows * (kLargest + 1));
  bin_end_ = from;  // the first "end" only notes where everybody stands
}

void FairnessMeter::close_bins(Time now) {
  while (bin_end_ <= now && bin_end_ <= to_) {
    close_bin();
    bin_end_ += base_rtt_;
  }
  if (bin_end_ > to_) bin_end_ = Time::never();
}

void FairnessMeter::close_bin() {
  const auto slot = [&](int64_t bin) { return static_cast<std::size_t>(bin % (kLargest + 1)) * flows_; };
  std::copy(totals_.begin(), totals_.end(), history_.begin() + static_cast<std::ptrdiff_t>(slot(bins_)));
  for (Window& window : windows_) {
    if (bins_ < window.k) break;
    const std::size_t before = slot(bins_ - window.k);
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 0; i < flows_; ++i) {
      const auto moved = static_cast<double>(totals_[i] - history_[before + i]);
      sum += moved;
      squares += moved * moved;
    }
    if (squares <= 0) continue;
    const double index = sum * sum / (static_cast<double>(flows_) * squares);
    ++window.count;
    window.sum += index;
    ++window.histogram[static_cast<std::size_t>(std::lround(index * static_cast<double>(kBuckets)))];
  }
  ++bins_;
}

double FairnessMeter::percentile(const Window& window, double share) {
  const auto rank = std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(share * static_cast<double>(window.count))));
  uint64_t seen = 0;
  std::size_t bucket = 0;
  for (; bucket < kBuckets; ++bucket) {
    seen += window.histogram[bucket];
    if (seen >= rank) break;
  }
  return static_cast<double>(bucket) / static_cast<double>(kBuckets);
}

std::vector<FairnessSummary> FairnessMeter::summary(Time now) {
  close_bins(now);
  std::vector<FairnessSummary> all;
  for (const Window& window : windows_) {
    FairnessSummary s{.k = window.k, .window_ms = base_rtt_.to_millis() * window.k, .windows = window.count};
    if (window.count > 0) {
      s.mean = window.sum / static_cast<double>(window.count);
      s.p25 = percentile(window, 0.25);
      s.p50 = percentile(window, 0.50);
      s.p75 = percentile(window, 0.75);
    }
    all.push_back(s);
  }
  return all;
}

}  // namespace paceline
