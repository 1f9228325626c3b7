#pragma once
// When flows ended by themselves: one thread sees it, another one measures.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/units.hh"

namespace paceline {

class FlowEnds {
 public:
  explicit FlowEnds(std::size_t flows) : ns_(flows) {
    for (auto& ns : ns_) ns.store(Time::never().ns, std::memory_order_relaxed);
  }

  void set(std::size_t flow, Time end) { ns_[flow].store(end.ns, std::memory_order_relaxed); }
  // Never, as long as it goes on.
  [[nodiscard]] Time get(std::size_t flow) const { return {ns_[flow].load(std::memory_order_relaxed)}; }

 private:
  std::vector<std::atomic<int64_t>> ns_;
};

}  // namespace paceline
