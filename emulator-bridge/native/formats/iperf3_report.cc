#include "formats/iperf3_report.hh"

#include <algorithm>
#include <istream>
#include <streambuf>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/fail.hh"
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
      fail(TraceError{"json_broken", "this JSON has a piece of more than 4 MB: it is not iperf3's"});
    char* const begin = const_cast<char*>(chunk.data());
    setg(begin, begin, begin + chunk.size());
    return traits_type::to_int_type(*begin);
  }

 private:
  static constexpr std::size_t kLongestPiece = std::size_t{1} << 22U;
  Source& source_;
  std::size_t since_{};
};

// Looks at the parts that are of use; everything else goes by. In a report that was written line by line, each part is the `data` of an
// event (iperf 3.17 and later).
class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Reader(SourceBuffer& buffer, const std::function<void(const Iperf3Interval&)>& take) : buffer_{buffer}, take_{take} {}

  Iperf3Report report{};
  int starts{};  // of tests in a report by lines

  bool null() override { return true; }
  bool boolean(bool value) override {
    if (Iperf3Span* const span = open_span()) {
      if (key_ == "omitted") span->omitted = value;
      if (key_ == "sender") span->sender = value;
    }
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    const auto keep = [&](std::string_view name, std::optional<std::string>& kept) {
      if (key_ == name) kept = value.substr(0, kLongestText);
    };
    if (path_.size() == 1) {
      keep("error", report.error);
      if (key_ == "event") starts += (event_ = value) == "start" ? 1 : 0;
      if (key_ == "data" && event_ == "error") report.error = value.substr(0, kLongestText);
      if (key_ == "server_output_text" || (key_ == "data" && event_ == "server_output_text"))
        report.server_told_text = true;
    }
    if (is_at({"start"})) keep("version", report.version);
    if (is_at({"start", "test_start"})) keep("protocol", report.protocol);
    if (is_at({"end"})) keep("sender_tcp_congestion", report.sender_cca);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    if (path_.empty()) {
      event_.clear();
      report.is_object = true;
    }
    open(false);
    if (is_at({"start"})) report.has_start = true;
    if (is_at({"end"})) report.has_end = true;
    const std::size_t depth = depth_in_interval();
    if (depth == 0) interval_ = {.of_server = of_server()};
    if (depth == 1 && path_.back().name == "sum") interval_.sum.emplace();
    if (depth == 1 && path_.back().name == "sum_bidir_reverse") interval_.sum_reverse.emplace();
    if (in_streams()) {
      if (interval_.streams.size() == kMostStreams)
        fail(TraceError{"json_broken", "an interval of more than 1000 connections is not iperf3's"});
      interval_.streams.emplace_back();
    }
    return true;
  }
  bool end_object() override {
    if (depth_in_interval() == 0) take_(interval_);
    path_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override {
    open(true);
    if (depth_in_interval() == 1 && path_.back().name == "streams") interval_.has_streams = true;
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
    report.broken_at = position;
    return false;
  }

 private:
  struct Open {
    std::string name;
    bool array;
  };
  static constexpr std::size_t kLongestText = 1000;
  static constexpr std::size_t kMostStreams = 1000;

  void open(bool array) {
    constexpr std::size_t kDeepest = 64;
    if (path_.size() == kDeepest) fail(TraceError{"json_broken", "this JSON is nested deeper than iperf3's ever is"});
    buffer_.progress();
    path_.push_back({path_.empty() || path_.back().array ? "" : key_, array});
  }
  // Does the innermost thing that is open lie at these names from the report's beginning?
  [[nodiscard]] bool is_at(std::initializer_list<std::string_view> names) const {
    if (path_.size() != names.size() + 1) return false;
    std::size_t i = 1;
    for (const std::string_view name : names) {
      const bool as_event = i == 1 && path_[1].name == "data" && event_ == name;
      if (!as_event && path_[i].name != name) return false;
      ++i;
    }
    return true;
  }
  // Where the list of intervals would be in `path_`; 0 for none.
  [[nodiscard]] std::size_t place_of_intervals() const {
    if (path_.size() >= 2 && path_[1].name == "intervals") return 1;
    if (of_server() && path_.size() >= 3 && path_[2].name == "intervals") return 2;
    return 0;
  }
  [[nodiscard]] bool of_server() const {
    return path_.size() >= 2 &&
           (path_[1].name == "server_output_json" || (path_[1].name == "data" && event_ == "server_output_json"));
  }
  // How many things are open within an interval: 0 for the interval itself, kOutside outside of any.
  [[nodiscard]] std::size_t depth_in_interval() const {
    if (path_.size() >= 2 && path_[1].name == "data" && event_ == "interval") return path_.size() - 2;
    const std::size_t list = place_of_intervals();
    if (list == 0 || path_.size() < list + 2 || !path_[list].array) return kOutside;
    return path_.size() - list - 2;
  }
  // A connection's part of an interval, itself.
  [[nodiscard]] bool in_streams() const {
    return depth_in_interval() == 2 && path_[path_.size() - 2].name == "streams" && path_[path_.size() - 2].array;
  }
  [[nodiscard]] Iperf3Span* open_span() {
    if (path_.empty() || path_.back().array) return nullptr;
    if (in_streams()) return &interval_.streams.back();
    if (depth_in_interval() != 1) return nullptr;
    if (path_.back().name == "sum") return &*interval_.sum;
    return path_.back().name == "sum_bidir_reverse" ? &*interval_.sum_reverse : nullptr;
  }
  bool number(double value) {
    buffer_.progress();
    const auto keep = [&](std::string_view name, std::optional<double>& kept) {
      if (key_ == name) kept = value;
    };
    if (Iperf3Span* const span = open_span()) {
      keep("socket", span->socket);
      keep("start", span->start);
      keep("end", span->end);
      keep("bytes", span->bytes);
      keep("retransmits", span->retransmits);
      keep("snd_cwnd", span->snd_cwnd);
      keep("rtt", span->rtt);
      keep("lost_packets", span->lost_packets);
      return true;
    }
    if (is_at({"start"})) {
      keep("tcp_mss", report.tcp_mss);
      keep("tcp_mss_default", report.tcp_mss_default);
    }
    if (is_at({"start", "timestamp"})) keep("timesecs", report.timesecs);
    if (is_at({"start", "test_start"})) {
      keep("blksize", report.blksize);
      keep("reverse", report.reverse);
      keep("bidir", report.bidir);
    }
    return true;
  }

  static constexpr std::size_t kOutside = ~std::size_t{};
  SourceBuffer& buffer_;
  const std::function<void(const Iperf3Interval&)>& take_;
  std::vector<Open> path_{};  // what is open, from the outside in
  std::string key_{};
  std::string event_{};  // of the line, where there are lines
  Iperf3Interval interval_{};
};

// {"event": …} a line.
bool is_by_lines(std::string_view head) {
  for (const std::string_view part : {"{", "\"event\""}) {
    head.remove_prefix(std::min(head.find_first_not_of(" \t\r\n"), head.size()));
    if (!head.starts_with(part)) return false;
    head.remove_prefix(part.size());
  }
  return true;
}

// What comes after blanks; not by a stream, which would keep the source's refusals to itself.
int next_character(SourceBuffer& buffer) {
  constexpr std::string_view kBlank = " \t\r\n";
  constexpr int kEnd = SourceBuffer::traits_type::eof();
  int c = buffer.sgetc();
  while (c != kEnd && kBlank.find(static_cast<char>(c)) != std::string_view::npos) {
    buffer.progress();
    c = buffer.snextc();
  }
  return c;
}

}  // namespace

Iperf3Report read_iperf3_report(Source& source, const std::function<void(const Iperf3Interval&)>& take) {
  const bool by_lines = is_by_lines(source.head());
  SourceBuffer buffer{source};
  Reader reader{buffer, take};
  std::istream in{&buffer};
  const auto object = [&] {
    return nlohmann::json::sax_parse(in, &reader, nlohmann::json::input_format_t::json, false);
  };
  Iperf3Report& report = reader.report;
  report.whole = object();
  if (!by_lines) {
    const int after = report.whole ? next_character(buffer) : SourceBuffer::traits_type::eof();
    report.several = after == '{';
    return report;
  }
  while (report.whole && next_character(buffer) != SourceBuffer::traits_type::eof()) {
    report.whole = object();
    if (reader.starts > 1)
      fail(TraceError{"several_tests", "the file holds the reports of several tests",
                      "Keep one of them in a file of its own."});
  }
  return report;
}

namespace {

using Json = nlohmann::json;

template <typename T>
void put(Json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

Json span_json(const Iperf3Span& span) {
  Json json{{"omitted", span.omitted}};
  put(json, "socket", span.socket);
  put(json, "start", span.start);
  put(json, "end", span.end);
  put(json, "bytes", span.bytes);
  put(json, "retransmits", span.retransmits);
  put(json, "snd_cwnd", span.snd_cwnd);
  put(json, "rtt", span.rtt);
  put(json, "lost_packets", span.lost_packets);
  put(json, "sender", span.sender);
  return json;
}

// Intervals as text, one after the other: a day of them as objects would take ten times as much.
struct IntervalTexts {
  std::string text{};
  std::size_t count{};

  void add(const Iperf3Interval& interval) {
    constexpr std::size_t kMost = 1'000'000;        // a day at iperf3's shortest
    constexpr std::size_t kMostBytes = 24'000'000;  // what goes through a pipe and a parser at once
    Json json{{"streams", Json::array()}};
    if (!interval.has_streams) json.erase("streams");
    for (const Iperf3Span& span : interval.streams) json["streams"].push_back(span_json(span));
    if (interval.sum) json["sum"] = span_json(*interval.sum);
    if (count++ > 0) text += ',';
    text += json.dump();
    if (count > kMost || text.size() > kMostBytes)
      fail(TraceError{"too_long", "the report has more intervals than can be laid over a run",
                      "Cut the test into shorter ones."});
  }
};

Json head_json(const Iperf3Report& report) {
  Json json{{"complete", report.whole}};
  if (report.has_start) {
    Json start = Json::object();
    Json test = Json::object();
    put(test, "protocol", report.protocol);
    put(test, "blksize", report.blksize);
    put(test, "reverse", report.reverse);
    put(test, "bidir", report.bidir);
    start["test_start"] = test;
    put(start, "version", report.version);
    put(start, "tcp_mss", report.tcp_mss);
    put(start, "tcp_mss_default", report.tcp_mss_default);
    if (report.timesecs) start["timestamp"] = {{"timesecs", *report.timesecs}};
    json["start"] = start;
  }
  if (report.has_end) {
    json["end"] = Json::object();
    put(json["end"], "sender_tcp_congestion", report.sender_cca);
  }
  put(json, "error", report.error);
  if (report.server_told_text) json["server_told_text"] = true;
  return json;
}

}  // namespace

std::string iperf3_report_json(Source& source) {
  constexpr std::string_view kAsk = "Make one with `iperf3 -c HOST -J -i 0.1 > live.json`.";
  IntervalTexts own;
  IntervalTexts server;
  const Iperf3Report report = read_iperf3_report(
      source, [&](const Iperf3Interval& interval) { (interval.of_server ? server : own).add(interval); });
  if (!(report.whole && report.is_object) && own.count == 0)
    fail(TraceError{"json_broken", "this is not JSON", std::string{kAsk}});
  if (report.several)
    fail(TraceError{"several_tests", "the file holds the reports of several tests",
                    "Keep one of them in a file of its own."});
  std::string text = head_json(report).dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();
  text += ",\"intervals\":[" + own.text + "]";
  if (server.count > 0) text += ",\"server_intervals\":[" + server.text + "]";
  return text + "}";
}

}  // namespace paceline::formats
