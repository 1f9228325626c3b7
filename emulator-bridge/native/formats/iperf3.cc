// iperf3 --json, or --json-stream, as a trace: what arrived in each interval.

#include <algorithm>
#include <cmath>
#include <vector>

#include "channel/rate_integrator.hh"
#include "core/fail.hh"
#include "formats/iperf3_report.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

struct Interval {
  double start{};
  double end{};
  double bytes{};
  bool omitted{};
};

Interval of(const Iperf3Span& span) {
  return {span.start.value_or(0), span.end.value_or(0), span.bytes.value_or(0), span.omitted};
}

// What is known of the path from the report's own intervals, and from those of its other end.
struct Intervals {
  std::vector<Interval> sums{};
  std::vector<Interval> reverse{};
  std::vector<Interval> streams{};   // added up
  std::vector<Interval> received{};  // by a server that was asked for its report

  void add(const Iperf3Interval& interval) {
    if (interval.of_server) {
      // A server that sent has nothing to say of what arrived.
      const Iperf3Span* const span = interval.sum ? &*interval.sum : one_stream(interval);
      if (span != nullptr && span->sender == false) received.push_back(of(*span));
      return;
    }
    if (interval.sum) sums.push_back(of(*interval.sum));
    if (interval.sum_reverse) reverse.push_back(of(*interval.sum_reverse));
    if (interval.streams.empty()) return;
    streams.push_back(of(interval.streams.front()));
    for (std::size_t i = 1; i < interval.streams.size(); ++i) streams.back().bytes += of(interval.streams[i]).bytes;
  }

 private:
  static const Iperf3Span* one_stream(const Iperf3Interval& interval) {
    return interval.streams.size() == 1 ? &interval.streams.front() : nullptr;
  }
};

std::vector<Interval> chosen(const Intervals& seen, Reading& reading, const Choices& choices) {
  if (!seen.reverse.empty()) {
    const std::string way = decide(reading, choices,
                                   {.name = "direction",
                                    .label = "Direction",
                                    .value = "forward",
                                    .choices = {{"forward", "from the client"}, {"reverse", "to the client"}},
                                    .help = "The test ran both ways at once."});
    return way == "reverse" ? seen.reverse : seen.sums;
  }
  const std::vector<Interval>& own = seen.sums.empty() ? seen.streams : seen.sums;
  if (seen.received.empty()) return own;
  const std::string side =
      decide(reading, choices,
             {.name = "side",
              .label = "Counted by",
              .value = "receiver",
              .choices = {{"receiver", "the receiver"}, {"sender", "the sender"}},
              .help = "The report holds the intervals of both ends; a sender counts what it hands to "
                      "its socket, which is ahead of what arrives."});
  return side == "receiver" ? seen.received : own;
}

void read_iperf3(Source& source, const Choices& choices, Reading& reading) {
  Intervals seen;
  const Iperf3Report report =
      read_iperf3_report(source, [&seen](const Iperf3Interval& interval) { seen.add(interval); });
  const bool whole = report.whole && !report.several;
  std::vector<Interval> intervals = chosen(seen, reading, choices);
  if (intervals.empty()) {
    if (report.error && !report.error->empty())
      fail(TraceError{"iperf3_error", "iperf3 reported an error and measured nothing: " + *report.error});
    if (!whole)
      fail(TraceError{"json_broken", "the JSON is broken at byte " + std::to_string(report.broken_at) +
                                         ", before the first interval"});
    fail(TraceError{"empty", "this JSON has no intervals of iperf3", "Record with `iperf3 --json --interval 0.1`."});
  }
  std::erase_if(intervals, [](const Interval& i) { return i.omitted || !(i.end > i.start); });
  std::ranges::stable_sort(intervals, {}, &Interval::start);
  RateIntegrator integrator;
  const double first = intervals.empty() ? 0 : intervals.front().start;
  int64_t at_ns = 0;
  double bytes = 0;  // of intervals shorter than a nanosecond: for the next one
  double all_bytes = 0;
  double longest = 0;
  for (const Interval& i : intervals) {
    if (!(i.end - first <= static_cast<double>(kMaxTracePeriodMs) / 1000))
      fail(TraceError{"too_long", "the intervals span more than a day"});
    // Both from the beginning, so that rounding does not add up.
    const int64_t begin_ns = std::max(at_ns, Duration::seconds(i.start - first).ns);
    const int64_t end_ns = Duration::seconds(i.end - first).ns;
    if (end_ns < begin_ns || i.bytes < 0) continue;
    bytes += i.bytes;
    if (end_ns == begin_ns) continue;
    // What lies between two intervals was not measured; they follow one another up to rounding.
    integrator.add(0, Duration{begin_ns - at_ns});
    const double bps = bytes * 8e9 / static_cast<double>(end_ns - begin_ns);
    if (bps > 1e12)
      fail(TraceError{"rate_range", "more than 1 Tbit/s in the interval from " + std::to_string(i.start) + " s"});
    integrator.add(static_cast<uint64_t>(std::llround(bps)), Duration{end_ns - begin_ns});
    longest = std::max(longest, i.end - i.start);
    all_bytes += bytes;
    bytes = 0;
    at_ns = end_ns;
  }
  integrator.complete_millisecond();
  if (const std::string_view why = integrator.lacking(); !why.empty())
    fail(TraceError{"no_opportunities", std::string{why}});
  reading.counts = integrator.finish();
  reading.source_bytes = static_cast<uint64_t>(all_bytes);
  reading.notes.push_back(std::to_string(intervals.size()) + " intervals of up to " +
                          std::to_string(std::lround(longest * 1000)) +
                          " ms; iperf3 counts payload, so headers (2 to 3 %) are not in it.");
  if (report.protocol == "TCP")
    reading.notes.push_back("TCP: this is what its congestion control made of the path, not the path's capacity.");
  if (!whole) reading.notes.push_back("The file is cut; what came before its last whole interval was read.");
}

const RegisterFormat register_iperf3{{
    .id = "iperf3",
    .label = "iperf3 (JSON)",
    .extensions = {".json"},
    .priority = 80,
    .recognises =
        [](std::string_view head) {
          const std::size_t first = head.find_first_not_of(" \t\r\n");
          return first != std::string_view::npos && head[first] == '{';
        },
    .read = read_iperf3,
    .fuzz = {{"direction", "reverse"}, {"direction", "forward"}, {"side", "sender"}, {"side", "receiver"}},
}};

}  // namespace

}  // namespace paceline::formats
