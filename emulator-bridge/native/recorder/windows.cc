#include "recorder/windows.hh"

#include <algorithm>
#include <cmath>
#include <vector>

namespace paceline::recorder {

namespace {

constexpr int64_t kWindowNs = 100'000'000;
// Waiting that is no queue: interrupts, a radio's next slot.
constexpr double kEmptyNs = 2'000'000;
// Two clocks that nobody sets may part by this much; one that is being set moves less than this on average.
constexpr double kDrift = 100e-6;
// Packets come as fast as they were sent when neither a queue grows nor one drains.
constexpr double kSameRate = 0.1;
constexpr uint64_t kFewest = 3;

struct Window {
  uint64_t packets{};
  uint64_t lost_before{};  // missing numbers below the highest of the window, not counted in a window before
  int64_t least_delay_ns{};
  int64_t first_arrival_ns{};
  int64_t last_arrival_ns{};
  int64_t first_sent_ns{};
  int64_t last_sent_ns{};
};

int64_t delay_of(const Arrival& a) { return a.arrival_ns - a.sent_ns; }

// Numbers at which some are missing: for each packet, in the order of sending, how many before it never came.
std::vector<uint64_t> losses_before(std::span<const Arrival> log) {
  std::vector<std::size_t> by_number(log.size());
  for (std::size_t i = 0; i < log.size(); ++i) by_number[i] = i;
  std::sort(by_number.begin(), by_number.end(),
            [&](std::size_t a, std::size_t b) { return log[a].sequence < log[b].sequence; });
  std::vector<uint64_t> losses(log.size());
  uint64_t expected = 0;
  for (const std::size_t i : by_number) {
    losses[i] = log[i].sequence - expected;
    expected = log[i].sequence + 1;
  }
  return losses;
}

std::vector<Window> cut(std::span<const Arrival> log) {
  const std::vector<uint64_t> losses = losses_before(log);
  const int64_t start = log.front().arrival_ns;
  std::vector<Window> windows(static_cast<std::size_t>((log.back().arrival_ns - start) / kWindowNs) + 1);
  for (std::size_t i = 0; i < log.size(); ++i) {
    const Arrival& a = log[i];
    Window& w = windows[static_cast<std::size_t>((a.arrival_ns - start) / kWindowNs)];
    if (w.packets++ == 0)
      w = {.packets = 1,
           .least_delay_ns = delay_of(a),
           .first_arrival_ns = a.arrival_ns,
           .first_sent_ns = a.sent_ns,
           .last_sent_ns = a.sent_ns};
    w.lost_before += losses[i];
    w.least_delay_ns = std::min(w.least_delay_ns, delay_of(a));
    w.last_arrival_ns = a.arrival_ns;
    w.first_sent_ns = std::min(w.first_sent_ns, a.sent_ns);
    w.last_sent_ns = std::max(w.last_sent_ns, a.sent_ns);
  }
  if (windows.size() > 1) windows.pop_back();
  return windows;
}

bool source_limited(const Window& w, const Arrival& luckiest) {
  if (w.packets < kFewest || w.lost_before > 0) return false;
  const double elapsed = std::abs(static_cast<double>(w.first_arrival_ns - luckiest.arrival_ns));
  const auto waited = static_cast<double>(w.least_delay_ns - delay_of(luckiest));
  if (waited > kEmptyNs + kDrift * elapsed) return false;
  const auto came = static_cast<double>(w.last_arrival_ns - w.first_arrival_ns);
  const auto sent = static_cast<double>(w.last_sent_ns - w.first_sent_ns);
  return std::abs(came - sent) <= kSameRate * sent;
}

// Nearest rank; the values are put in order on the way.
double quantile(std::vector<double>& values, double q) {
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Windows windows_of(std::span<const Arrival> sorted, uint32_t packet_bytes) {
  const Arrival& luckiest = *std::min_element(
      sorted.begin(), sorted.end(), [](const Arrival& a, const Arrival& b) { return delay_of(a) < delay_of(b); });
  const std::vector<Window> windows = cut(sorted);
  Windows out{.total = windows.size()};
  std::vector<double> rates;
  for (const Window& w : windows) {
    if (source_limited(w, luckiest)) ++out.source_limited;
    rates.push_back(static_cast<double>(w.packets * packet_bytes * 8) / (static_cast<double>(kWindowNs) / 1e9) / 1e6);
  }
  out.p5_mbps = quantile(rates, 0.05);
  out.p95_mbps = quantile(rates, 0.95);
  std::vector<double> delays;
  delays.reserve(sorted.size());
  for (const Arrival& a : sorted) delays.push_back(static_cast<double>(delay_of(a) - delay_of(luckiest)) / 1e6);
  out.queue_median_ms = quantile(delays, 0.5);
  out.queue_p95_ms = quantile(delays, 0.95);
  return out;
}

}  // namespace paceline::recorder
