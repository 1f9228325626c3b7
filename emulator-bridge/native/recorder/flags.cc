#include <array>
#include <cstdio>

#include "recorder/analysis.hh"

namespace paceline::recorder {

namespace {

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}
std::string percent(double share) { return number(share * 100) + " %"; }

double share_of(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::vector<Flag> flags_of(const Analysis& a, const Conditions& conditions) {
  constexpr double kSourceLimited = 0.05;
  constexpr double kShort = 0.01;
  constexpr double kReordered = 0.01;
  constexpr double kLateMs = 5;
  constexpr uint64_t kManyAtOnce = 32;
  constexpr double kBriefS = 10;
  std::vector<Flag> flags;
  const double source_limited = share_of(a.source_limited_windows, a.windows);
  if (source_limited > kSourceLimited)
    flags.push_back(
        {"source_limited", "Source-limited: in " + percent(source_limited) +
                               " of the time the packets came as fast as they were sent, without a queue and "
                               "without losses. There the trace shows the sender's rate, not the link's. "
                               "Record again with a higher --mbps."});
  if (a.shortfall > kShort)
    flags.push_back({"sender_short", "The sender could not keep its rate: " + percent(a.shortfall) +
                                         " of the packets were never sent. Give it a faster machine or a lower rate."});
  if (conditions.socket_drops > 0)
    flags.push_back(
        {"socket_drops", "The receiver was too slow for " + std::to_string(conditions.socket_drops) +
                             " packets: its socket had no room, so the trace misses what the link delivered. "
                             "A larger net.core.rmem_max helps."});
  if (a.longest_burst >= kManyAtOnce && a.longest_burst_ms > kLateMs)
    flags.push_back({"receiver_catch_up", "The receiver got up to " + std::to_string(a.longest_burst) +
                                              " packets at once (" + number(a.longest_burst_ms) +
                                              " ms at the mean rate): within such times the trace shows the receiver's "
                                              "system, not the link."});
  if (share_of(a.reordered, a.received) > kReordered)
    flags.push_back(
        {"reordered", percent(share_of(a.reordered, a.received)) + " of the packets were overtaken by others."});
  if (!conditions.sender && !conditions.interrupted)
    flags.push_back({"no_last_word",
                     "The sender's last word never came: losses at the end and its own shortfall are not "
                     "known."});
  if (conditions.interrupted) flags.push_back({"interrupted", "The recording was stopped before its time."});
  if (a.duration_s < kBriefS)
    flags.push_back(
        {"short", "The recording lasts only " + number(a.duration_s) + " s; the trace repeats all the time."});
  return flags;
}

}  // namespace paceline::recorder
