#include "metrics/fairness.hh"

#include <algorithm>
#include <cmath>

namespace paceline {
namespace {

constexpr int kWindows[] = {1, 2, 5, 10, 20, 50, 100, 500, 1000, 3000};
constexpr Duration kLeastRtt = Duration::micros(100);
// Of a window, that may be missing where it is all the time there is.
constexpr double kMostMissing = 0.01;

}  // namespace

FairnessMeter::FairnessMeter(std::size_t flows, Duration base_rtt, Time from, Time to)
    : flows_{flows}, base_rtt_{base_rtt}, from_{from}, to_{to}, totals_(flows) {
  if (flows < 2 || base_rtt < kLeastRtt || to <= from) return;
  for (const int k : kWindows) windows_.push_back({.k = k});
  history_.resize(flows * (kLargest + 1));
  at_end_.reserve(flows);
  next_ = bin_end_ = from;  // the first "end" only notes where everybody stands
}

void FairnessMeter::close_bins(Time now) {
  for (; bin_end_ <= now && bin_end_ <= to_; bin_end_ += base_rtt_) close_bin();
  next_ = std::min(bin_end_, to_);
  if (now < to_) return;
  if (at_end_.empty()) at_end_ = totals_;
  next_ = Time::never();
}

double FairnessMeter::index_since(const int64_t* before, const std::vector<int64_t>& now) const {
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < flows_; ++i) {
    const auto moved = static_cast<double>(now[i] - before[i]);
    sum += moved;
    squares += moved * moved;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(flows_) * squares) : kNotMeasured;
}

void FairnessMeter::close_bin() {
  const auto slot = [&](int64_t bin) { return static_cast<std::size_t>(bin % (kLargest + 1)) * flows_; };
  std::copy(totals_.begin(), totals_.end(), history_.begin() + static_cast<std::ptrdiff_t>(slot(bins_)));
  for (Window& window : windows_) {
    if (bins_ < window.k) break;
    const double index = index_since(&history_[slot(bins_ - window.k)], totals_);
    if (std::isnan(index)) continue;
    ++window.count;
    window.sum += index;
    ++window.histogram[static_cast<std::size_t>(std::lround(index * static_cast<double>(kBuckets)))];
  }
  ++bins_;
}

double FairnessMeter::index_of_all(int k, Time until) const {
  const Duration whole = base_rtt_ * k;
  const Duration measured = std::min(until, to_) - from_;
  if (bins_ == 0 || bins_ > k || measured.to_seconds() < (1 - kMostMissing) * whole.to_seconds()) return kNotMeasured;
  return index_since(history_.data(), at_end_.empty() ? totals_ : at_end_);
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
    if (const double all_of_it = index_of_all(window.k, now); !std::isnan(all_of_it)) {
      s.windows = 1;
      s.mean = s.p25 = s.p50 = s.p75 = all_of_it;
    } else if (window.count > 0) {
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
