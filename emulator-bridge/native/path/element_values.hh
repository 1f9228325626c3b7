#pragma once
// What elements tell of themselves beyond the packets that a Chain counts: counts and delays, of an interval and of the whole run.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "metrics/interval.hh"
#include "path/registry.hh"

namespace paceline {

class Tally {
 public:
  void add(uint64_t more = 1) { total_ += more; }
  // Since the last time it was asked.
  [[nodiscard]] float interval() { return static_cast<float>(growth_.of(static_cast<int64_t>(total_))); }
  [[nodiscard]] double total() const { return static_cast<double>(total_); }

 private:
  uint64_t total_{};
  Growth growth_{};
};

class DelayTally {
 public:
  void add(Duration delay) { interval_.add(delay); }
  [[nodiscard]] const DelayInterval& interval() const { return interval_; }
  void close_interval() {
    whole_.merge(interval_);
    interval_ = {};
  }
  [[nodiscard]] DelayInterval whole() const {
    DelayInterval all = whole_;
    all.merge(interval_);
    return all;
  }

 private:
  DelayInterval interval_{};
  DelayInterval whole_{};
};

// Columns and figures of an element whose delays differ.
inline std::vector<ElementValue> delay_values() {
  return {{.name = "delay_mean_ms", .label = "delay", .unit = "ms", .help = "Mean, of the packets of the interval."},
          {.name = "delay_max_ms",
           .label = "delay peak",
           .unit = "ms",
           .help = "Longest, of the packets of the interval."}};
}
inline void fill_columns(DelayTally& delays, std::span<float> values) {
  values[0] = delays.interval().mean_ms();
  values[1] = delays.interval().max_ms();
  delays.close_interval();
}
inline void fill_figures(const DelayTally& delays, std::span<double> values) {
  values[0] = delays.whole().mean_ms();
  values[1] = delays.whole().max_ms();
}
// Behind others of the element.
inline std::vector<ElementValue> and_delays(std::vector<ElementValue> others) {
  for (ElementValue& value : delay_values()) others.push_back(std::move(value));
  return others;
}

}  // namespace paceline
