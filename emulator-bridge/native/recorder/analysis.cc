#include "recorder/analysis.hh"

#include <algorithm>
#include <stdexcept>

#include "recorder/pacing.hh"
#include "recorder/windows.hh"

namespace paceline::recorder {

namespace {

// Which sequence numbers came.
class Seen {
 public:
  explicit Seen(uint64_t numbers) : seen_(numbers) {}
  // False: it was there already.
  bool add(uint64_t sequence) {
    if (seen_[sequence]) return false;
    seen_[sequence] = true;
    return true;
  }
  [[nodiscard]] uint64_t longest_hole() const {
    uint64_t longest = 0;
    uint64_t hole = 0;
    for (const bool seen : seen_) longest = std::max(longest, hole = seen ? 0 : hole + 1);
    return longest;
  }

 private:
  std::vector<bool> seen_;
};

void measure_bursts(std::span<const Arrival> log, Analysis& out) {
  // 1500 bytes in two microseconds are 6 Gbps: faster than the paths this is for, so several packets were handed over
  // together after waiting somewhere on the receiver's side.
  constexpr int64_t kAtOnceNs = 2'000;
  constexpr uint64_t kFewest = 8;
  uint64_t run = 1;
  const auto close = [&] {
    if (run >= kFewest) ++out.bursts;
    out.longest_burst = std::max(out.longest_burst, run);
    run = 1;
  };
  for (std::size_t i = 1; i < log.size(); ++i) {
    if (log[i].arrival_ns - log[i - 1].arrival_ns <= kAtOnceNs)
      ++run;
    else
      close();
  }
  close();
  out.longest_burst_ms =
      static_cast<double>(out.longest_burst) * out.duration_s * 1e3 / static_cast<double>(out.received);
}

}  // namespace

Analysis analyse(std::vector<Arrival>& log, const Conditions& conditions) {
  Analysis out;
  // What the other end says is not trusted with our memory: no sender gets further than its plan.
  uint64_t most = PacketPlan{conditions.rate_bps, conditions.duration, conditions.packet_bytes}.planned();
  if (conditions.sender) most = std::min(most, conditions.sender->sent_packets);
  std::erase_if(log, [&](const Arrival& a) { return a.sequence >= most; });
  if (log.empty()) throw std::runtime_error{"no packet arrived"};

  uint64_t highest = 0;
  for (const Arrival& a : log) highest = std::max(highest, a.sequence);
  out.sent = conditions.sender ? most : highest + 1;
  std::stable_sort(log.begin(), log.end(),
                   [](const Arrival& a, const Arrival& b) { return a.arrival_ns < b.arrival_ns; });
  Seen seen{out.sent};
  const std::size_t all = log.size();
  std::erase_if(log, [&](const Arrival& a) { return !seen.add(a.sequence); });
  out.received = log.size();
  out.copies = all - log.size();
  out.lost = out.sent - out.received;
  out.longest_loss = seen.longest_hole();
  uint64_t next = 0;
  for (const Arrival& a : log) {
    if (a.sequence < next) ++out.reordered;
    next = std::max(next, a.sequence + 1);
  }

  out.duration_s = static_cast<double>(log.back().arrival_ns - log.front().arrival_ns) / 1e9;
  if (out.duration_s > 0)
    out.mean_mbps = static_cast<double>(out.received - 1) * conditions.packet_bytes * 8 / out.duration_s / 1e6;
  if (conditions.sender && conditions.sender->planned_packets > 0)
    out.shortfall = 1 - static_cast<double>(conditions.sender->sent_packets) /
                            static_cast<double>(conditions.sender->planned_packets);
  measure_bursts(log, out);

  const Windows windows = windows_of(log, conditions.packet_bytes);
  out.windows = windows.total;
  out.source_limited_windows = windows.source_limited;
  out.p5_mbps = windows.p5_mbps;
  out.p95_mbps = windows.p95_mbps;
  out.queue_median_ms = windows.queue_median_ms;
  out.queue_p95_ms = windows.queue_p95_ms;
  return out;
}

}  // namespace paceline::recorder
