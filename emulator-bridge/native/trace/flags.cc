#include "trace/flags.hh"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "trace/lap.hh"
#include "trace/outages.hh"

namespace paceline {

namespace {

// Three digits.
std::string number(double value, const char* unit) {
  std::array<char, 48> text{};
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  char* end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  while (decimals > 0 && end[-1] == '0') --end;
  if (end[-1] == '.') --end;
  return std::string{text.data(), end} + " " + unit;
}
std::string duration(uint64_t ms) {
  return ms < 1000 ? std::to_string(ms) + " ms" : number(static_cast<double>(ms) / 1000.0, "s");
}
std::string times(uint64_t n) { return n == 1 ? "once" : n == 2 ? "twice" : std::to_string(n) + " times"; }

using Flags = std::vector<TraceFlag>;

void flag(Flags& flags, std::string id, std::string says, std::string advice, std::vector<FlagPlace> at = {}) {
  const uint64_t places = std::max<uint64_t>(at.size(), 1);
  at.resize(std::min(at.size(), kMostFlagPlaces));
  flags.push_back({std::move(id), std::move(says), std::move(advice), places, std::move(at)});
}

// One rate from beginning to end, but for the rounding to whole packets.
bool is_constant(const Lap& lap) {
  const std::vector<uint64_t> seconds = lap.bins(1000);
  const auto [least, most] = std::minmax_element(seconds.begin(), seconds.end());
  return *most - *least <= 1;
}

// What the source measured no finer than, where that is not on the grid of the trace.
uint64_t source_resolution(std::span<const uint32_t> counts) {
  constexpr uint64_t kTellingMs = 50;
  const uint64_t run = usual_run_ms(counts);
  return run < kTellingMs ? 1 : (run + 5) / 10 * 10;
}

void resolution(const Lap& lap, uint64_t resolution_ms, Flags& flags) {
  constexpr uint64_t kCoarseMs = 50;
  if (resolution_ms < kCoarseMs || is_constant(lap)) return;
  const std::string step = duration(resolution_ms);
  flag(flags, "coarse_resolution",
       "The capacity is constant within each " + step +
           ": the source measured no finer, so the trace says nothing about shorter times.",
       "Draw no conclusions from it about times below " + step +
           "; for those record arrivals (paceline-recorder, a packet capture).");
}

void pauses(std::span<const uint32_t> counts, const TraceStats& stats, Flags& flags) {
  constexpr uint64_t kLongMs = 1000;
  constexpr uint64_t kEdgeMs = 200;
  std::vector<FlagPlace> at;
  uint64_t longest = 0;
  for (const Outage& silence : silences(counts).all) {
    if (silence.length_ms < kLongMs || silence.from_ms + silence.length_ms > stats.period_ms) continue;
    at.push_back({silence.from_ms, silence.from_ms + silence.length_ms});
    longest = std::max(longest, silence.length_ms);
  }
  if (!at.empty()) {
    const std::string how_often = times(at.size());
    flag(
        flags, "silent_seconds",
        "Nothing is delivered for up to " + duration(longest) + ", " + how_often + " for a second or more.",
        "Flows time out there, and a queue that fills meanwhile overflows. If the recorder stood still rather than the "
        "link, cut these times out.",
        std::move(at));
  }
  if (stats.first_ms >= kEdgeMs)
    flag(flags, "late_start",
         "The first opportunity comes after " + duration(stats.first_ms) + ": every lap begins with this pause.",
         "If the recorder was only started early, cut the beginning off.", {{0, stats.first_ms}});
  if (stats.period_ms - stats.last_ms >= kEdgeMs)
    flag(flags, "trailing_gap",
         "The last " + duration(stats.period_ms - stats.last_ms) + " deliver nothing: every lap ends with this pause.",
         "Mahimahi's form cannot hold it. If the recorder was only stopped late, cut the end off.",
         {{stats.last_ms, stats.period_ms}});
}

// A recorder that sends too slowly shows as a plateau: much of the trace is delivered in milliseconds at the very maximum.
bool millisecond_plateau(std::span<const uint32_t> counts, const TraceStats& stats) {
  constexpr uint32_t kTellingMaximum = 20;  // 240 Mbps: below, few packets per millisecond make every trace look capped
  constexpr double kShare = 0.25;
  if (stats.max_per_ms < kTellingMaximum) return false;
  uint64_t at_top = 0;
  for (const uint32_t n : counts)
    if (n + 1 >= stats.max_per_ms) at_top += n;
  return static_cast<double>(at_top) > kShare * static_cast<double>(stats.opportunities);
}

// The same where packets are few: many tenths of a second that all deliver what only the best one in a hundred exceeds.
bool plateau(std::vector<uint64_t> tenths) {
  constexpr double kShare = 0.4;
  constexpr uint64_t kTellingPackets = 40;  // 5 % of them are two packets
  std::sort(tenths.begin(), tenths.end());
  const uint64_t top = tenths[(tenths.size() - 1) * 99 / 100];
  const auto near = std::ranges::lower_bound(tenths, top - top / 20);
  return top >= kTellingPackets &&
         static_cast<double>(tenths.end() - near) >= kShare * static_cast<double>(tenths.size());
}

void source(std::span<const uint32_t> counts, const Lap& lap, const TraceStats& stats, Flags& flags) {
  const char* advice =
      "The link could have carried more at those times: record again with a faster sender, or read the rate as a lower "
      "bound.";
  // Stalls and bursts that even out to the same volume every second are those of a steady sender behind a link that keeps up.
  const bool steady = stats.period_ms >= 10'000 && stats.std_1s_mbps < 0.1 * stats.mean_mbps &&
                      stats.std_10ms_mbps > 0.5 * stats.mean_mbps;
  if (millisecond_plateau(counts, stats))
    flag(flags, "source_limited",
         "Much of the trace is at exactly its maximum of " + std::to_string(stats.max_per_ms) +
             " packets per ms: probably the recorder's sending rate, not the channel's capacity.",
         advice);
  else if (steady)
    flag(
        flags, "source_limited",
        "Each second delivers nearly the same, " + number(stats.mean_mbps, "Mbps") +
            ", although the rate stalls and leaps within: probably a steady sender's rate, not the channel's capacity.",
        advice);
  else if (lap.period() >= 10'000 && !is_constant(lap) && plateau(lap.bins(100)))
    flag(flags, "source_limited",
         "Much of the trace lies within 5 % of one greatest rate: probably the recorder's sending rate, not the "
         "channel's capacity.",
         advice);
}

void bursts(std::span<const uint32_t> counts, uint64_t resolution_ms, Flags& flags) {
  std::vector<FlagPlace> at = catch_up_bursts(counts, resolution_ms);
  if (at.empty()) return;
  const std::string how_often = times(at.size());
  flag(flags, "catch_up_bursts",
       "After a silence, what it withheld arrives at once, far above the usual rate, " + how_often +
           ": a layer below or the receiver held packets back. Such peaks are not the channel's.",
       "Volumes are right, peaks are not: smooth over 100 ms or more where they matter.", std::move(at));
}

}  // namespace

uint64_t usual_run_ms(std::span<const uint32_t> counts) {
  constexpr uint64_t kEnoughPackets = 8;  // fewer fit any rate
  // Packets by the length of their runs: a trace may have as many runs as milliseconds, but few lengths.
  std::map<uint64_t, uint64_t> packets_of{};
  uint64_t in_runs = 0;
  struct Run {
    uint64_t ms;
    uint64_t packets;
  };
  const auto keep = [&](const Run& run) {
    if (run.packets < kEnoughPackets) return;
    packets_of[run.ms] += run.packets;
    in_runs += run.packets;
  };
  // The rates that fit all of the run so far: its running sum is off by less than a packet.
  Run run{};
  double least = 0;
  double most = 0;
  uint64_t total = 0;
  for (std::size_t ms = 1; ms < counts.size(); ++ms) {
    const uint64_t packets = run.packets + counts[ms];
    const auto length = static_cast<double>(run.ms + 1);
    const double low = std::max(least, (static_cast<double>(packets) - 1) / length);
    const double high = std::min(run.ms == 0 ? 1e9 : most, (static_cast<double>(packets) + 1) / length);
    total += counts[ms];
    if (low < high) {
      run = {run.ms + 1, packets};
      least = low;
      most = high;
      continue;
    }
    keep(run);
    run = {1, counts[ms]};
    least = std::max(0.0, static_cast<double>(counts[ms]) - 1);
    most = static_cast<double>(counts[ms]) + 1;
  }
  keep(run);
  if (10 * in_runs < 9 * total) return 1;
  uint64_t passed = 0;
  for (const auto& [ms, packets] : packets_of) {
    passed += packets;
    if (4 * passed >= in_runs) return ms;
  }
  return 1;
}

std::vector<FlagPlace> catch_up_bursts(std::span<const uint32_t> counts, uint64_t resolution_ms) {
  constexpr uint64_t kSilenceMs = 20;
  constexpr uint64_t kFewPackets = 10;
  const uint64_t bin = std::max<uint64_t>(resolution_ms, 10);
  const std::vector<uint64_t> bins = Lap{counts}.bins(bin);
  std::vector<uint64_t> sorted = bins;
  std::sort(sorted.begin(), sorted.end());
  const uint64_t usual = sorted[(sorted.size() - 1) * 98 / 100];
  uint64_t total = 0;
  for (const uint64_t n : bins) total += n;

  std::vector<FlagPlace> found;
  uint64_t silent = 0;    // bins in the last silence that was long enough
  std::size_t since = 2;  // bins since then
  uint64_t running = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const uint64_t n = bins[i];
    if (20 * n * bins.size() < total) {  // less than a twentieth of the mean
      ++running;
      if (running * bin >= kSilenceMs) {
        silent = running;
        since = 0;
      }
      continue;
    }
    running = 0;
    // No more than the usual rate would have brought in the silence, or it is not that.
    if (since <= 1 && n >= kFewPackets && 2 * n > 3 * usual && n <= usual * (silent + 2)) {
      found.push_back({(i - since - silent) * bin, (i + 1) * bin});
      since = 1;
    }
    ++since;
  }
  return found;
}

std::vector<TraceFlag> trace_flags(std::span<const uint32_t> counts, const TraceStats& stats, TraceOrigin origin) {
  constexpr uint64_t kShortMs = 10'000;
  const Lap lap{counts};
  Flags flags;
  const bool recorded = origin == TraceOrigin::recorded;
  uint64_t resolution_ms = stats.resolution_ms;
  if (recorded && resolution_ms == 1) {
    source(counts, lap, stats, flags);
    if (flags.empty()) resolution_ms = source_resolution(counts);
  }
  if (recorded) resolution(lap, resolution_ms, flags);
  pauses(counts, stats, flags);
  if (stats.period_ms < kShortMs)
    flag(flags, "short", "The trace lasts only " + duration(stats.period_ms) + " and repeats all the time.",
         "Longer runs see the same again and again: loop it knowingly, or record for longer.");
  if (recorded) bursts(counts, resolution_ms, flags);
  return flags;
}

}  // namespace paceline
