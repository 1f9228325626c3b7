#pragma once
// The log in windows of 100 ms: rates, queueing, and which of the windows show the sender's rate instead of the link's.
//
// A sender that overfills the link leaves a queue that never empties, or losses, or both. So a window is *source-limited*
// when nothing was lost in it, its luckiest packet found the queue empty (the smallest one-way delay of the window is
// close to the smallest of the recording, as CoDel judges a standing queue), and packets came at the rate at which they
// were sent. The link could have carried more there, and nobody knows how much.

#include <cstdint>
#include <span>

#include "recorder/log.hh"

namespace paceline::recorder {

struct Windows {
  uint64_t total{};
  uint64_t source_limited{};
  double p5_mbps{};
  double p95_mbps{};
  double queue_median_ms{};
  double queue_p95_ms{};
};

// `sorted` by arrival, without copies, not empty. A last window that is not full counts only if it is the only one.
[[nodiscard]] Windows windows_of(std::span<const Arrival> sorted, uint32_t packet_bytes);

}  // namespace paceline::recorder
