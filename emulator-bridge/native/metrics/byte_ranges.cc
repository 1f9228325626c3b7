#include "metrics/byte_ranges.hh"

#include <algorithm>

namespace paceline {

uint64_t ByteRanges::add(uint64_t begin, uint64_t end) {
  begin = std::max(begin, complete_);
  if (begin >= end) return 0;
  if (begin == complete_ && beyond_.empty()) {
    complete_ = end;
    return end - begin;
  }
  // Those that touch [begin, end) become one with it. Most arrivals extend the last one.
  auto first = beyond_.end();
  while (first != beyond_.begin() && (first - 1)->end >= begin) --first;
  auto last = first;
  uint64_t known = 0;
  Range merged{begin, end};
  for (; last != beyond_.end() && last->begin <= end; ++last) {
    const uint64_t from = std::max(last->begin, begin);
    const uint64_t to = std::min(last->end, end);
    if (to > from) known += to - from;
    merged = {std::min(merged.begin, last->begin), std::max(merged.end, last->end)};
  }
  if (first == last) {
    beyond_.insert(first, merged);
  } else {
    *first = merged;
    beyond_.erase(first + 1, last);
  }
  if (beyond_.front().begin <= complete_) {
    complete_ = beyond_.front().end;
    beyond_.erase(beyond_.begin());
  }
  return end - begin - known;
}

}  // namespace paceline
