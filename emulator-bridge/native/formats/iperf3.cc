// iperf3 --json, or --json-stream: what arrived in each interval. The file is read as a stream, and up to its last whole interval if it
// was cut. Windows and RTTs, which a comparison with a run wants, are read where such reports are laid over runs
// (server/analysis/iperf3.ts): that keeps a whole report, this any length in constant memory. A test holds both to the same intervals.

#include <algorithm>
#include <cmath>
#include <istream>
#include <optional>
#include <streambuf>
#include <vector>

#include <nlohmann/json.hpp>

#include "channel/rate_integrator.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

// A stream of what the source holds. The parser keeps a string until it is whole, so there is a limit to what may come between two things.
class SourceBuffer final : public std::streambuf {
 public:
  explicit SourceBuffer(Source& source) : source_{source} {}
  void progress() { since_ = 0; }

 protected:
  int_type underflow() override {
    const auto chunk = source_.next();
    if (chunk.empty()) return traits_type::eof();
    since_ += chunk.size();
    if (since_ > kLongestPiece)
      throw TraceError{"json_broken", "this JSON has a piece of more than 4 MB: it is not iperf3's"};
    char* const begin = const_cast<char*>(chunk.data());
    setg(begin, begin, begin + chunk.size());
    return traits_type::to_int_type(*begin);
  }

 private:
  static constexpr std::size_t kLongestPiece = std::size_t{1} << 22U;
  Source& source_;
  std::size_t since_{};
};

struct Interval {
  double start{};
  double end{};
  double bytes{};
  bool omitted{};
};

// The one part of the tree that is looked at; everything else goes by. In a report that was written line by line, an interval is the
// `data` of an event (iperf 3.17 and later).
class Intervals final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Intervals(SourceBuffer& buffer) : buffer_{buffer} {}

  std::vector<Interval> sums{};     // intervals[i].sum
  std::vector<Interval> reverse{};  // intervals[i].sum_bidir_reverse
  std::vector<Interval> streams{};  // intervals[i].streams[*] added up
  std::string protocol{};
  std::string error{};
  std::size_t broken_at{};
  int starts{};  // of tests in a report by lines

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (key_ == "omitted") at_.omitted = value;
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    if (key_ == "protocol" && path_.size() == 3 && path_[2] == "test_start") protocol = value;
    if (path_.size() == 1) {
      if (key_ == "error" || (key_ == "data" && event_ == "error")) error = value;
      if (key_ == "event") starts += (event_ = value) == "start" ? 1 : 0;
    }
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    if (path_.empty()) event_.clear();
    open(key_);
    at_ = {};
    return true;
  }
  bool end_object() override {
    const std::size_t depth = path_.size() - depth_of_interval();
    if (depth == 0) of_interval_ = 0;
    if (depth == 1) {
      if (path_.back() == "sum") sums.push_back(at_);
      if (path_.back() == "sum_bidir_reverse") reverse.push_back(at_);
    }
    if (depth == 2 && path_[path_.size() - 2] == "streams") {
      if (of_interval_++ == 0)
        streams.push_back(at_);
      else
        streams.back().bytes += at_.bytes;
    }
    path_.pop_back();
    at_ = {};
    return true;
  }
  bool start_array(std::size_t) override {
    open(key_);
    key_ = {};
    return true;
  }
  bool end_array() override {
    path_.pop_back();
    return true;
  }
  bool key(string_t& value) override {
    buffer_.progress();
    key_ = value;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    broken_at = position;
    return false;
  }

 private:
  // How many things are open where an interval is; more than ever are outside of intervals.
  [[nodiscard]] std::size_t depth_of_interval() const {
    if (path_.size() >= 3 && path_[1] == "intervals") return 3;
    if (path_.size() >= 2 && path_[1] == "data" && event_ == "interval") return 2;
    return path_.size() + 1;
  }
  void open(const std::string& name) {
    constexpr std::size_t kDeepest = 64;
    if (path_.size() == kDeepest) throw TraceError{"json_broken", "this JSON is nested deeper than iperf3's ever is"};
    buffer_.progress();
    path_.push_back(name);
  }
  bool number(double value) {
    buffer_.progress();
    if (key_ == "start") at_.start = value;
    if (key_ == "end") at_.end = value;
    if (key_ == "bytes") at_.bytes = value;
    return true;
  }

  SourceBuffer& buffer_;
  std::vector<std::string> path_{};  // names of what is open: "", "intervals", "", "sum"
  std::string key_{};
  std::string event_{};  // of the line, where there are lines
  Interval at_{};
  int of_interval_{};
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
  return seen.sums.empty() ? seen.streams : seen.sums;
}

// {"event": …} a line.
bool is_by_lines(std::string_view head) {
  for (const std::string_view part : {"{", "\"event\""}) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (!head.starts_with(part)) return false;
    head.remove_prefix(part.size());
  }
  return true;
}

bool has_more(SourceBuffer& buffer) {
  constexpr std::string_view kBlank = " \t\r\n";
  constexpr int kEnd = SourceBuffer::traits_type::eof();
  int c = buffer.sgetc();  // not by the stream, which would keep the source's refusals to itself
  while (c != kEnd && kBlank.find(static_cast<char>(c)) != std::string_view::npos) c = buffer.snextc();
  return c != kEnd;
}

// False: the text broke off.
bool read_lines(SourceBuffer& buffer, Intervals& seen) {
  std::istream in{&buffer};
  while (has_more(buffer)) {
    if (!nlohmann::json::sax_parse(in, &seen, nlohmann::json::input_format_t::json, false)) return false;
    if (seen.starts > 1)
      throw TraceError{"several_tests", "the file holds the reports of several tests",
                       "Keep one of them in a file of its own."};
  }
  return true;
}

bool read_report(SourceBuffer& buffer, Intervals& seen) {
  std::istream in{&buffer};
  return nlohmann::json::sax_parse(in, &seen);
}

void read_iperf3(Source& source, const Choices& choices, Reading& reading) {
  const bool by_lines = is_by_lines(source.head());
  SourceBuffer buffer{source};
  Intervals seen{buffer};
  const bool whole = by_lines ? read_lines(buffer, seen) : read_report(buffer, seen);
  std::vector<Interval> intervals = chosen(seen, reading, choices);
  if (intervals.empty()) {
    if (!seen.error.empty())
      throw TraceError{"iperf3_error", "iperf3 reported an error and measured nothing: " + seen.error};
    if (!whole)
      throw TraceError{"json_broken",
                       "the JSON is broken at byte " + std::to_string(seen.broken_at) + ", before the first interval"};
    throw TraceError{"empty", "this JSON has no intervals of iperf3", "Record with `iperf3 --json --interval 0.1`."};
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
      throw TraceError{"too_long", "the intervals span more than a day"};
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
      throw TraceError{"rate_range", "more than 1 Tbit/s in the interval from " + std::to_string(i.start) + " s"};
    integrator.add(static_cast<uint64_t>(std::llround(bps)), Duration{end_ns - begin_ns});
    longest = std::max(longest, i.end - i.start);
    all_bytes += bytes;
    bytes = 0;
    at_ns = end_ns;
  }
  integrator.complete_millisecond();
  try {
    reading.counts = integrator.finish();
  } catch (const std::invalid_argument& error) {
    throw TraceError{"no_opportunities", error.what()};
  }
  reading.source_bytes = static_cast<uint64_t>(all_bytes);
  reading.notes.push_back(std::to_string(intervals.size()) + " intervals of up to " +
                          std::to_string(std::lround(longest * 1000)) +
                          " ms; iperf3 counts payload, so headers (2 to 3 %) are not in it.");
  if (seen.protocol == "TCP")
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
    .fuzz = {{"direction", "reverse"}, {"direction", "forward"}},
}};

}  // namespace

}  // namespace paceline::formats
