#pragma once
// The emulator measures RTTs; another thread writes them into the senders' samples.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/units.hh"

namespace paceline {

class LatestRtts {
 public:
  explicit LatestRtts(std::size_t flows) : ns_(flows) {}

  void set(std::size_t flow, Duration rtt) { ns_[flow].store(rtt.ns, std::memory_order_relaxed); }
  [[nodiscard]] std::optional<Duration> get(std::size_t flow) const {
    const int64_t ns = ns_[flow].load(std::memory_order_relaxed);
    return ns > 0 ? std::optional{Duration{ns}} : std::nullopt;
  }

 private:
  std::vector<std::atomic<int64_t>> ns_;
};

}  // namespace paceline
