// iperf3 --json: what arrived in each interval. The file is read as a stream, and up to its last whole interval if it was cut.

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

// The one part of the tree that is looked at; everything else goes by.
class Intervals final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Intervals(SourceBuffer& buffer) : buffer_{buffer} {}

  std::vector<Interval> sums{};     // intervals[i].sum
  std::vector<Interval> reverse{};  // intervals[i].sum_bidir_reverse
  std::vector<Interval> streams{};  // intervals[i].streams[*] added up
  std::string protocol{};
  bool receiver{};  // of test_start.reverse
  std::string error{};
  std::size_t broken_at{};

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
    if (key_ == "error" && path_.size() == 1) error = value;
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    open(key_);
    at_ = {};
    return true;
  }
  bool end_object() override {
    const std::string what = path_.back();
    if (path_.size() == 4 && path_[1] == "intervals") {
      if (what == "sum") sums.push_back(at_);
      if (what == "sum_bidir_reverse") reverse.push_back(at_);
    } else if (path_.size() == 5 && path_[1] == "intervals" && path_[3] == "streams") {
      if (of_interval_++ == 0)
        streams.push_back(at_);
      else
        streams.back().bytes += at_.bytes;
    } else if (path_.size() == 3 && path_[1] == "intervals") {
      of_interval_ = 0;
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
    if (key_ == "reverse" && path_.size() == 3 && path_[2] == "test_start") receiver = value != 0;
    return true;
  }

  SourceBuffer& buffer_;
  std::vector<std::string> path_{};  // names of what is open: "", "intervals", "", "sum"
  std::string key_{};
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

void read_iperf3(Source& source, const Choices& choices, Reading& reading) {
  SourceBuffer buffer{source};
  std::istream in{&buffer};
  Intervals seen{buffer};
  const bool whole = nlohmann::json::sax_parse(in, &seen);
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
