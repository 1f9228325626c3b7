#include "live/shell_summary.hh"

#include <array>
#include <cmath>
#include <cstdio>

namespace paceline {

namespace {

constexpr double kPercent = 100;
constexpr double kBitsPerByte = 8;

template <typename... Values>
std::string text(const char* form, Values... values) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), form, values...);
  return line.data();
}

std::string packets(uint64_t count) { return std::to_string(count) + (count == 1 ? " packet" : " packets"); }

std::string line_of(const LinkSummary& link) {
  const bool up = link.direction == Direction::forward;
  const double seconds = link.to_s - link.from_s;
  const auto bytes = static_cast<double>(link.delivered_bytes);
  std::string line = std::string{"  "} + (up ? "up    " : "down  ") + packets(link.arrived_packets) + ", " +
                     std::to_string(link.delivered_packets) + " passed";
  if (seconds > 0) line += text(": %.2f MB, %.2f Mbps", bytes / 1e6, bytes * kBitsPerByte / (seconds * 1e6));
  if (!std::isnan(link.utilisation)) line += text(", %.1f %% of the capacity", kPercent * link.utilisation);
  if (link.dropped_packets > 0) line += "; " + std::to_string(link.dropped_packets) + " dropped by the queue";
  if (link.lost_packets > 0) line += "; " + std::to_string(link.lost_packets) + " lost";
  if (link.marked_packets > 0) line += "; " + std::to_string(link.marked_packets) + " marked";
  if (link.queued_packets > 0) line += "; " + std::to_string(link.queued_packets) + " still waiting";
  if (link.queueing_delay.count > 0)
    line += text("; queueing delay %.1f ms in the mean, %.1f ms at the 95th percentile, %.1f ms at most",
                 link.queueing_delay.mean_ms, link.queueing_delay.p95_ms, link.queueing_delay.max_ms);
  return line + "\n";
}

}  // namespace

std::string shell_summary(const RunSummary& summary) {
  if (summary.links.empty()) return "";
  std::string lines = text("paceline-shell: %.1f s\n", summary.links.front().to_s - summary.links.front().from_s);
  for (const LinkSummary& link : summary.links) lines += line_of(link);
  return lines;
}

}  // namespace paceline
