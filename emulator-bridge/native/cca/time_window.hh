#pragma once
// Least or largest value of a sliding window of time, in constant space. A monotone queue whose entries lie at least a
// thirty-second of the window apart: right to within that share of the window, whatever its length.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/units.hh"

namespace paceline {

// `Better` orders the values: std::less keeps the least, std::greater the largest.
template <class Value, class Better = std::less<Value>>
class TimeWindow {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  // The best value of the window; `otherwise` when there is none.
  [[nodiscard]] Value get(Value otherwise) const { return size_ > 0 ? at(0).value : otherwise; }

  void clear() { size_ = 0; }

  // The window may be of another length each time.
  void update(Time now, Duration window, Value value) {
    const Better better{};
    while (size_ > 0 && now - at(0).when > window) {
      first_ = (first_ + 1) % kEntries;
      --size_;
    }
    while (size_ > 0 && !better(at(size_ - 1).value, value)) --size_;
    if (size_ > 0 && (size_ == kEntries || now - at(size_ - 1).when < window / kGrain)) return;
    ++size_;
    at(size_ - 1) = {now, value};
  }

 private:
  static constexpr std::size_t kEntries = 64;  // more than a window of constant length can need
  static constexpr int64_t kGrain = 32;

  struct Entry {
    Time when{};
    Value value{};
  };
  [[nodiscard]] Entry& at(std::size_t i) { return entries_[(first_ + i) % kEntries]; }
  [[nodiscard]] const Entry& at(std::size_t i) const { return entries_[(first_ + i) % kEntries]; }

  Entry entries_[kEntries]{};
  std::size_t first_{};
  std::size_t size_{};
};

template <class Value>
using LeastOver = TimeWindow<Value, std::less<Value>>;
template <class Value>
using LargestOver = TimeWindow<Value, std::greater<Value>>;

}  // namespace paceline
