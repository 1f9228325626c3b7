#include "formats/table.hh"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include "core/fail.hh"
#include "formats/cells.hh"
#include "formats/lines.hh"
#include "formats/rate_rows.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr std::size_t kHeadRows = 200;
constexpr std::size_t kSamples = 5;
constexpr std::size_t kMostGroups = 1000;
constexpr std::size_t kLongestGroup = 40;  // as it is shown
constexpr std::size_t kMostColumns = 1000;
constexpr std::string_view kRowNumber = "(row number)";

struct Unit {
  std::string_view name;
  std::string_view label;
  double factor;
};
constexpr std::array kRateUnits{Unit{"bps", "bit/s", 1e-6},  Unit{"kbps", "kbit/s", 1e-3}, Unit{"Mbps", "Mbit/s", 1},
                                Unit{"Gbps", "Gbit/s", 1e3}, Unit{"Bps", "byte/s", 8e-6},  Unit{"kBps", "kB/s", 8e-3},
                                Unit{"MBps", "MB/s", 8}};
constexpr std::array kTimeUnits{Unit{"s", "s", 1e9}, Unit{"ms", "ms", 1e6}, Unit{"us", "µs", 1e3}, Unit{"ns", "ns", 1}};

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool missing(std::string_view cell) {
  const std::string plain = lower(cell);
  return plain.empty() || plain == "-" || plain == "nan" || plain == "na" || plain == "null" || plain == "none";
}

std::string quoted(std::string_view cell) {
  std::string out{'"'};
  out += cell.substr(0, 40);
  out += '"';
  return out;
}

std::vector<Option::Choice> choices_of(std::span<const Unit> units) {
  std::vector<Option::Choice> out;
  for (const Unit& unit : units) out.push_back({std::string{unit.name}, std::string{unit.label}});
  return out;
}

double factor_of(std::span<const Unit> units, std::string_view name) {
  return std::ranges::find(units, name, &Unit::name)->factor;
}

// By what columns of time and rate are called in the data sets that are around.
bool names_a_time(const std::string& name) {
  constexpr std::array kWords{"time",   "timestamp", "t",    "sec",      "secs",   "seconds",
                              "second", "ms",        "date", "datetime", "seq_num"};
  const std::string plain = lower(name);
  return std::ranges::any_of(kWords,
                             [&plain](std::string_view word) {
                               return plain == word || (word.size() > 1 && plain.starts_with(std::string{word} + "_"));
                             }) ||
         plain.starts_with("time");
}
bool names_a_rate(const std::string& name) {
  constexpr std::array kWords{"mbps",       "mbit",      "kbps",     "kbit", "bps",    "bitrate",
                              "throughput", "bandwidth", "capacity", "rate", "goodput"};
  const std::string plain = lower(name);
  return std::ranges::any_of(kWords, [&plain](std::string_view word) { return plain.find(word) != std::string::npos; });
}

std::string rate_unit_of(const std::string& name) {
  const std::string plain = lower(name);
  const auto has = [&plain](std::string_view word) { return plain.find(word) != std::string::npos; };
  if (name.find("MB/s") != std::string::npos || name.find("MBps") != std::string::npos) return "MBps";
  if (has("gbps") || has("gbit")) return "Gbps";
  if (has("mbps") || has("mbit")) return "Mbps";
  if (has("kbps") || has("kbit")) return "kbps";
  if (has("bps") || has("bits_per_s")) return "bps";
  return "Mbps";
}

std::string time_unit_of(const std::string& name) {
  struct Word {
    std::string_view end;
    std::string_view unit;
  };
  constexpr std::array kWords{Word{"ms", "ms"}, Word{"millis", "ms"}, Word{"milliseconds", "ms"},
                              Word{"us", "us"}, Word{"micros", "us"}, Word{"microseconds", "us"},
                              Word{"ns", "ns"}, Word{"nanos", "ns"},  Word{"nanoseconds", "ns"}};
  std::string plain = lower(name);
  if (plain.ends_with(')')) plain.pop_back();
  const std::size_t last = plain.find_last_of("_( ") + 1;  // of the whole name, if it is one word
  const auto found = std::ranges::find(kWords, std::string_view{plain}.substr(last), &Word::end);
  return found == kWords.end() ? "s" : std::string{found->unit};
}

class TableReader {
 public:
  TableReader(Source& source, const Choices& choices, const TableShape& shape, Reading& reading)
      : lines_{source}, choices_{choices}, shape_{shape}, reading_{reading} {}

  void read() {
    look_at_head();
    decide_options();
    RateRows rows{holds_, gaps_};
    for (const Kept& kept : head_) row(kept.line, kept.text, rows);
    head_ = {};
    std::string_view line;
    while (lines_.next(line)) row(lines_.number(), line, rows);
    reading_.counts = finish(rows);
    reading_.source_bytes = rows.source_bytes();
    note(rows);
  }

 private:
  struct Kept {
    uint64_t line{};
    std::string text{};
  };

  static bool is_comment(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first == std::string_view::npos || line[first] == '#';
  }

  void look_at_head() {
    std::vector<std::string> texts;
    std::string_view line;
    while (head_.size() < kHeadRows && lines_.next(line)) {
      if (is_comment(line)) continue;
      if (std::ranges::any_of(line, [](char c) { return c >= 0 && c < ' ' && c != '\t'; }))
        fail(TraceError{"binary", "this is not text", "It is no packet capture and nothing else that is known here.",
                        TraceError::Place{lines_.number(), {}}});
      head_.push_back({lines_.number(), std::string{line}});
      texts.emplace_back(line);
    }
    if (head_.empty()) fail(TraceError{"empty", "the file holds no rows"});
    separator_ = separator_of(texts);
    decimal_comma_ = separator_ != ',';
    split(head_.front().text, separator_, cells_);
    if (cells_.size() > kMostColumns)
      fail(TraceError{"too_many_columns", "the first line has " + std::to_string(cells_.size()) + " columns",
                      "A table has at most " + std::to_string(kMostColumns) + ".",
                      TraceError::Place{head_.front().line, head_.front().text.substr(0, 60)}});
    const bool header = std::ranges::none_of(
        cells_, [this](std::string_view cell) { return time_of(cell, 1, decimal_comma_).has_value(); });
    for (std::size_t i = 0; i < cells_.size(); ++i)
      reading_.columns.push_back({header && !cells_[i].empty() ? std::string{cells_[i]}
                                                               : std::string{"column "}.append(std::to_string(i + 1))});
    if (header) head_.erase(head_.begin());
    for (std::size_t i = 0; i < std::min(kSamples, head_.size()); ++i) {
      split(head_[i].text, separator_, cells_);
      for (std::size_t c = 0; c < std::min(cells_.size(), reading_.columns.size()); ++c)
        reading_.columns[c].samples.emplace_back(cells_[c].substr(0, 40));
    }
  }

  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const {
    const auto found = std::ranges::find(reading_.columns, name, &Column::name);
    if (found == reading_.columns.end()) return std::nullopt;
    return static_cast<std::size_t>(found - reading_.columns.begin());
  }

  [[nodiscard]] std::string first_named(bool (*names)(const std::string&), std::string_view except) const {
    for (const Column& c : reading_.columns)
      if (c.name != except && names(c.name)) return c.name;
    return {};
  }

  // A column that holds numbers (or times) in the sampled rows.
  [[nodiscard]] bool holds_times(const Column& c) const {
    return !c.samples.empty() && std::ranges::all_of(c.samples, [this](const std::string& cell) {
      return missing(cell) || time_of(cell, 1, decimal_comma_).has_value();
    });
  }

  std::string guess_time() const {
    if (!shape_.time_column.empty()) return shape_.time_column;
    if (reading_.columns.size() == 1) return std::string{kRowNumber};
    const std::string named = first_named(names_a_time, {});
    return named.empty() ? reading_.columns.front().name : named;
  }

  std::string guess_rate(const std::string& time) const {
    if (!shape_.rate_column.empty()) return shape_.rate_column;
    const std::string named = first_named(names_a_rate, time);
    if (!named.empty()) return named;
    std::vector<std::string> others;
    for (const Column& c : reading_.columns)
      if (c.name != time && holds_times(c)) others.push_back(c.name);
    return others.size() == 1 ? others.front() : std::string{};
  }

  void decide_options() {
    std::vector<Option::Choice> all;
    for (const Column& c : reading_.columns) all.push_back({c.name, c.name});
    std::vector<Option::Choice> times = all;
    times.push_back({std::string{kRowNumber}, "none: one row after the other"});
    const std::string time =
        decide(reading_, choices_, {.name = "time", .label = "Time", .value = guess_time(), .choices = times});
    by_row_ = time == kRowNumber;
    if (!by_row_) time_ = *column(time);
    const std::string guessed = guess_rate(time);
    Option option{.name = "rate", .label = "Rate", .value = guessed, .choices = all};
    if (guessed.empty() && !choices_.contains("rate")) {
      reading_.options.push_back(std::move(option));
      std::string names;
      for (const Column& c : reading_.columns) names += (names.empty() ? "" : ", ") + c.name;
      fail(TraceError{"which_column", "Which column holds the rate? There are: " + names,
                      "Say it with the option rate.",
                      TraceError::Place{head_.empty() ? 1 : head_.front().line,
                                        head_.empty() ? "" : head_.front().text.substr(0, 60)}});
    }
    const std::string rate = decide(reading_, choices_, std::move(option));
    rate_ = *column(rate);
    const std::string rate_unit = decide(reading_, choices_,
                                         {.name = "rate_unit",
                                          .label = "Unit of the rate",
                                          .value = shape_.rate_unit.empty() ? rate_unit_of(rate) : shape_.rate_unit,
                                          .choices = choices_of(kRateUnits)});
    mbps_ = factor_of(kRateUnits, rate_unit);
    decide_time(time);
    holds_ = decide(reading_, choices_,
                    {.name = "rows",
                     .label = "A row’s rate holds",
                     .value = shape_.rows,
                     .choices = {{"begin", "from its time on"}, {"end", "up to its time"}}}) == "end"
                 ? RateRows::Holds::until
                 : RateRows::Holds::from;
    const std::string gaps = decide(
        reading_, choices_,
        {.name = "gaps",
         .label = "Where rows are missing",
         .value = shape_.gaps,
         .choices = {{"refuse", "refuse the file"},
                     {"hold", "the rate goes on"},
                     {"zero", "nothing is delivered"},
                     {"interpolate", "a straight line"}},
         .help =
             "A step of more than one and a half of the usual ones is a gap. It is never filled without saying so."});
    gaps_ = gaps == "hold"          ? RateRows::Gaps::hold
            : gaps == "zero"        ? RateRows::Gaps::zero
            : gaps == "interpolate" ? RateRows::Gaps::interpolate
                                    : RateRows::Gaps::refuse;
    decide_rows();
  }

  void decide_time(const std::string& time) {
    if (by_row_) {
      const std::string step = decide(reading_, choices_,
                                      {.name = "step_ms",
                                       .label = "Milliseconds between rows",
                                       .value = "1000",
                                       .help = "The table has no times: every row lasts this long."});
      const auto ms = number_of(step, false);
      if (!ms || *ms <= 0 || *ms > 86'400'000)
        fail(TraceError{"option", "step_ms must be a number of milliseconds above 0, not \"" + step + "\""});
      step_ns_ = static_cast<int64_t>(*ms * 1e6);
      return;
    }
    const bool dates =
        !reading_.columns[time_].samples.empty() && !number_of(reading_.columns[time_].samples.front(), decimal_comma_);
    if (dates && !choices_.contains("time_unit")) return;
    unit_ns_ = static_cast<int64_t>(
        factor_of(kTimeUnits, decide(reading_, choices_,
                                     {.name = "time_unit",
                                      .label = "Unit of time",
                                      .value = shape_.time_unit.empty() ? time_unit_of(time) : shape_.time_unit,
                                      .choices = choices_of(kTimeUnits)})));
  }

  // Which of the rows count.
  void decide_rows() {
    if (const auto c = column(shape_.group_column); c && !shape_.group_column.empty()) {
      group_ = c;
      std::string first = reading_.columns[*c].samples.empty() ? "" : reading_.columns[*c].samples.front();
      chosen_group_ = decide(reading_, choices_,
                             {.name = "run",
                              .label = "Recording",
                              .value = first,
                              .help = "The table holds several, told apart by " + shape_.group_column + "."});
    }
    if (const auto c = column(shape_.filter_column); c && !shape_.filter_column.empty()) {
      filter_ = c;
      filter_values_ = decide(reading_, choices_,
                              {.name = "only",
                               .label = "Only rows with " + shape_.filter_column,
                               .value = shape_.filter_values,
                               .help = "One letter or several; empty: all rows."});
    }
    if (!shape_.missing_column.empty()) unmeasured_ = column(shape_.missing_column);
  }

  void row(uint64_t number, std::string_view line, RateRows& rows) {
    if (is_comment(line)) return;
    split(line, separator_, cells_);
    const auto cell = [this](std::size_t i) { return i < cells_.size() ? cells_[i] : std::string_view{}; };
    if (group_) {
      const std::string_view group = cell(*group_);
      if (groups_.size() < kMostGroups) groups_.emplace(group.substr(0, kLongestGroup));
      if (group != chosen_group_) return;
    }
    if (filter_ && !filter_values_.empty() &&
        (cell(*filter_).empty() || filter_values_.find(cell(*filter_)) == std::string::npos)) {
      ++filtered_;
      return;
    }
    if ((unmeasured_ && !missing(cell(*unmeasured_))) || missing(cell(rate_))) {
      ++unmeasured_rows_;
      return;
    }
    const auto at = by_row_ ? std::optional{static_cast<int64_t>(taken_) * step_ns_}
                            : time_of(cell(time_), unit_ns_, decimal_comma_);
    const auto rate = number_of(cell(rate_), decimal_comma_);
    if (!at) refuse(number, line, quoted(cell(time_)) + " is neither a number nor a date with a time");
    if (!rate) refuse(number, line, quoted(cell(rate_)) + " is not a number: no rate");
    ++taken_;
    rows.add({.line = number, .at_ns = *at, .mbps = *rate * mbps_});
  }

  [[noreturn]] static void refuse(uint64_t number, std::string_view line, std::string message) {
    fail(TraceError{"not_a_number", std::move(message), "Lines that begin with # are comments.",
                    TraceError::Place{number, std::string{line.substr(0, 60)}}});
  }

  std::vector<uint32_t> finish(RateRows& rows) {
    if (taken_ == 0 && group_)
      fail(TraceError{"empty", "no row of the table has " + shape_.group_column + " " + chosen_group_});
    if (taken_ == 0) fail(TraceError{"empty", "no row of the table has a rate"});
    return rows.finish();
  }

  void note(const RateRows& rows) {
    auto& notes = reading_.notes;
    notes.push_back(std::to_string(rows.rows()) + " rows, usually " + std::to_string(rows.usual_step_ns() / 1'000'000) +
                    " ms apart.");
    if (groups_.size() > 1) {
      std::string names;
      for (const std::string& group : groups_) {
        if (names.size() > 60) {
          names += " …";
          break;
        }
        names += (names.empty() ? "" : ", ") + group;
      }
      notes.push_back("The table holds " + std::to_string(groups_.size()) + " recordings (" + names + "); this is " +
                      chosen_group_ + ".");
    }
    if (rows.averaged() > 0)
      notes.push_back(std::to_string(rows.averaged()) +
                      " rows had the time of the row before and were averaged with it.");
    if (filtered_ > 0)
      notes.push_back(std::to_string(filtered_) + " rows are not of " + shape_.filter_column + " " + filter_values_ +
                      " and were left out.");
    if (unmeasured_rows_ > 0)
      notes.push_back(std::to_string(unmeasured_rows_) + " rows hold no measurement of the rate and were left out.");
    if (rows.gaps() > 0)
      notes.push_back("Gaps: " + std::to_string(rows.gaps()) + ", together " +
                      std::to_string(rows.gap_ns() / 1'000'000) + " ms, filled as chosen.");
  }

  Lines lines_;
  const Choices& choices_;
  const TableShape& shape_;
  Reading& reading_;
  std::vector<Kept> head_{};
  std::vector<std::string_view> cells_{};
  char separator_{','};
  bool decimal_comma_{};
  bool by_row_{};
  std::size_t time_{};
  std::size_t rate_{};
  int64_t unit_ns_{1'000'000'000};
  int64_t step_ns_{};
  double mbps_{1};
  RateRows::Holds holds_{};
  RateRows::Gaps gaps_{};
  std::optional<std::size_t> group_{};
  std::string chosen_group_{};
  std::set<std::string, std::less<>> groups_{};
  std::optional<std::size_t> filter_{};
  std::string filter_values_{};
  std::optional<std::size_t> unmeasured_{};
  uint64_t taken_{};
  uint64_t filtered_{};
  uint64_t unmeasured_rows_{};
};

const RegisterFormat register_table{{
    .id = "table",
    .label = "Table of time and rate",
    .extensions = {".csv", ".tsv", ".txt"},
    .priority = 0,  // it takes whatever is left
    .recognises = [](std::string_view) { return true; },
    .read = [](Source& source, const Choices& choices, Reading& reading) { read_table(source, choices, {}, reading); },
    .lines = true,
    .fuzz = table_fuzz_options(),
}};

}  // namespace

bool header_has(std::string_view head, std::initializer_list<std::string_view> words) {
  const std::string_view line = head.substr(0, head.find_first_of("\r\n"));
  return std::ranges::all_of(words,
                             [line](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

std::vector<FuzzOption> table_fuzz_options() {
  return {
      {"gaps", "hold"},         {"gaps", "zero"},       {"gaps", "interpolate"}, {"rows", "end"},
      {"time", "(row number)"}, {"time", "column 1"},   {"time", "column 2"},    {"rate", "column 1"},
      {"rate", "column 2"},     {"rate", "UL_bitrate"}, {"time_unit", "ms"},     {"time_unit", "us"},
      {"time_unit", "ns"},      {"time_unit", "s"},     {"rate_unit", "bps"},    {"rate_unit", "kbps"},
      {"rate_unit", "Gbps"},    {"rate_unit", "MBps"},  {"step_ms", kFromInput}, {"time", kFromInput},
      {"rate", kFromInput},     {"run", kFromInput},    {"only", kFromInput},    {"step_ms", "0.001"},
      {"step_ms", "86400000"},  {"gaps", "refuse"},
  };
}

void read_table(Source& source, const Choices& choices, const TableShape& shape, Reading& reading) {
  TableReader{source, choices, shape, reading}.read();
}

}  // namespace paceline::formats
