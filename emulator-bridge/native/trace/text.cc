#include "trace/text.hh"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/fail.hh"

namespace paceline {

namespace {

constexpr std::size_t kLongestLine = 4096;
constexpr std::size_t kShownText = 60;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

constexpr uint64_t kAmbiguousFromRows = 3;

constexpr std::string_view kDeclaration = "ms count";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_text(char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\t'; }

std::string_view trim(std::string_view s) {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}

// Printable and short: what is shown of an offending line.
std::string shown(std::string_view text) {
  std::string out{text.substr(0, kShownText)};
  for (char& c : out)
    if (c < 0x20 || c > 0x7e) c = c == '\t' ? ' ' : '?';
  if (text.size() > kShownText) out += "...";
  return out;
}

// A number that is not a plain whole one: -1, 0.29, 1e3.
bool is_decimal(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  const auto part = [](char c) { return is_digit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+'; };
  return !word.empty() && (is_digit(word.front()) || word.front() == '.') &&
         std::all_of(word.begin(), word.end(), part);
}

// Cells of a table without blanks between them: 0.1,48.25 or time;rate.
bool is_several_cells(std::string_view word) {
  const std::size_t at = word.find_first_of(",;");
  return at != std::string_view::npos && at > 0 && at + 1 < word.size();
}

}  // namespace

void TraceTextParser::feed(std::span<const char> chunk) {
  const char* p = chunk.data();
  const char* const end = p + chunk.size();
  if (!started_) p = skip_byte_order_mark(p, end);
  while (p != end) {
    if (skip_line_feed_) {
      skip_line_feed_ = false;
      if (*p == '\n') {
        ++p;
        continue;
      }
    }
    if (carry_.empty()) {
      p = fast_lines(p, end);
      if (p == end) return;
    }
    const char* stop = std::find_if(p, end, [](char c) { return c == '\n' || c == '\r'; });
    if (carry_.size() + static_cast<std::size_t>(stop - p) > kLongestLine) {
      carry_.append(p, std::min(stop, p + kLongestLine));
      ++lines_;
      refuse("line_too_long", carry_, "a line is longer than " + std::to_string(kLongestLine) + " characters",
             "A trace has one or two whole numbers per line: is this the right file?");
    }
    if (stop == end) {
      carry_.append(p, stop);
      return;
    }
    if (carry_.empty()) {
      line({p, static_cast<std::size_t>(stop - p)});
    } else {
      carry_.append(p, stop);
      line(carry_);
      carry_.clear();
    }
    skip_line_feed_ = *stop == '\r';
    p = stop + 1;
  }
}

// The mark may be cut by a chunk's end; a first line that only begins like it is handed on as it is.
const char* TraceTextParser::skip_byte_order_mark(const char* p, const char* end) {
  while (p != end && mark_matched_ < kByteOrderMark.size() && *p == kByteOrderMark[mark_matched_]) {
    ++mark_matched_;
    ++p;
  }
  if (p == end && mark_matched_ < kByteOrderMark.size()) return p;
  started_ = true;
  if (mark_matched_ < kByteOrderMark.size()) carry_.assign(kByteOrderMark.substr(0, mark_matched_));
  return p;
}

// Whole lines of plain digits (nearly all lines of any trace); stops at the first line that is anything else or is cut.
const char* TraceTextParser::fast_lines(const char* p, const char* end) {
  constexpr int kSafeDigits = 9;  // more cannot be within the limits, except with leading zeros
  while (p != end) {
    const char* q = p;
    uint64_t ms = 0;
    while (q != end && is_digit(*q)) ms = ms * 10 + static_cast<uint64_t>(*q++ - '0');
    if (q == p || q == end || q - p > kSafeDigits) return p;
    uint64_t count = 1;
    Columns columns = Columns::one;
    if (*q == ' ') {
      const char* const digits = ++q;
      count = 0;
      while (q != end && is_digit(*q)) count = count * 10 + static_cast<uint64_t>(*q++ - '0');
      if (q == digits || q == end || q - digits > kSafeDigits) return p;
      columns = Columns::two;
    }
    if (*q == '\r') {
      if (q + 1 == end || q[1] != '\n') return p;
      ++q;
    }
    if (*q != '\n' || columns != columns_) return p;
    ++lines_;
    add({p, static_cast<std::size_t>(q - p)}, ms, count);
    p = q + 1;
  }
  return p;
}

void TraceTextParser::line(std::string_view text) {
  ++lines_;
  if (std::find_if_not(text.begin(), text.end(), is_text) != text.end())
    refuse("binary", text, "this is not text", "A trace is a text file (or gzip of one) with whole milliseconds.");
  const std::string_view content = trim(text);
  if (content.empty()) return;
  if (content.front() == '#') {
    if (content.find(kDeclaration) != std::string_view::npos) declared_ms_count_ = true;
    return;
  }
  const std::size_t gap = content.find_first_of(" \t");
  if (gap != std::string_view::npos) return two_numbers(text, content.substr(0, gap), trim(content.substr(gap)));
  const uint64_t ms = number(text, content);
  if (columns_ == Columns::two)
    refuse("mixed_columns", text, "this line has one number, the lines before it have two",
           "Use either one millisecond per line, or `millisecond opportunities` on every line.");
  columns_ = Columns::one;
  add(text, ms, 1);
}

void TraceTextParser::two_numbers(std::string_view text, std::string_view first, std::string_view second) {
  if (second.front() == '#') {  // a comment after the only number
    second = {};
  } else if (second.find_first_of(" \t") != std::string_view::npos) {
    const std::string_view third = trim(second.substr(second.find_first_of(" \t")));
    second = second.substr(0, second.find_first_of(" \t"));
    if (third.front() != '#')
      refuse("too_many_columns", text, "this line has more than two columns",
             "A trace has one column (a millisecond per opportunity) or two (`millisecond opportunities`).");
  }
  const uint64_t ms = number(text, first);
  const Columns columns = second.empty() ? Columns::one : Columns::two;
  const uint64_t count = second.empty() ? 1 : number(text, second);
  if (columns_ != Columns::unknown && columns_ != columns)
    refuse("mixed_columns", text,
           columns == Columns::two ? "this line has two numbers, the lines before it have one"
                                   : "this line has one number, the lines before it have two",
           "Use either one millisecond per line, or `millisecond opportunities` on every line.");
  columns_ = columns;
  add(text, ms, count);
}

uint64_t TraceTextParser::number(std::string_view text, std::string_view word) const {
  if (!std::all_of(word.begin(), word.end(), is_digit)) refuse_word(text, word);
  uint64_t value = 0;
  for (const char c : word) {
    value = value * 10 + static_cast<uint64_t>(c - '0');
    if (value > std::numeric_limits<uint32_t>::max() * 1'000'000ULL) break;  // far beyond every limit already
  }
  return value;
}

void TraceTextParser::refuse_word(std::string_view text, std::string_view word) const {
  const std::string quoted = "\"" + shown(word) + "\"";
  const bool several_cells = is_several_cells(word) || trim(text) != word;
  if (is_decimal(word) && word.front() == '-')
    refuse("negative", text, quoted + " is negative; time stamps and counts must not be",
           "Time stamps count milliseconds from the start of the trace, which is 0.");
  if (is_decimal(word) && !several_cells)
    refuse("decimal", text, quoted + " is not a whole number",
           "If these are milliseconds, drop the decimals: `sed 's/[.].*//' FILE` rounds each time stamp down.");
  if (is_decimal(word) || is_several_cells(word))
    refuse("rate_table", text, quoted + " is not a whole number; this looks like a table of rates over time",
           "A trace holds whole milliseconds; a table of rates is read as format `table`.");
  refuse("not_a_number", text, quoted + " is not a whole number of milliseconds",
         "Lines that begin with # are comments.");
}

void TraceTextParser::add(std::string_view text, uint64_t ms, uint64_t count) {
  if (ms < last_ms_)
    refuse("decreasing", text,
           "time goes back from " + std::to_string(last_ms_) + " to " + std::to_string(ms) +
               " ms. Mahimahi traces must not decrease",
           "Sort the file by time, or cut it where two recordings were joined.");
  if (ms > kMaxTracePeriodMs)
    refuse(
        "too_long", text, std::to_string(ms) + " ms is longer than a day",
        "Time stamps must be milliseconds from the start of the trace: subtract the first one if they count from 1970, "
        "divide by 1000 if they are microseconds.");
  if (ms >= counts_.size()) counts_.resize(ms + 1);
  uint32_t& cell = counts_[ms];
  if (count > kMaxTracePerMs - cell)
    refuse("too_many", text,
           "more than " + std::to_string(kMaxTracePerMs) + " opportunities in one millisecond (12 Tbit/s)",
           "The second column counts packets of 1500 bytes, not bits or bytes.");
  cell += static_cast<uint32_t>(count);
  opportunities_ += count;
  if (rows_ > 0 && columns_ == Columns::two) {
    const uint64_t step = ms - last_ms_;
    if (rows_ == 1) step_ = step;
    if (step == 0 || step != step_) even_steps_ = false;
  }
  ++rows_;
  last_ms_ = ms;
}

void TraceTextParser::refuse_ambiguous() const {
  if (ambiguous_ == Ambiguous::accept || declared_ms_count_ || columns_ != Columns::two) return;
  if (rows_ < kAmbiguousFromRows || !even_steps_ || last_ms_ >= kAmbiguousTraceBelowMs) return;
  fail(TraceError{
      "ambiguous",
      "two columns of whole numbers in even steps: this may be seconds and Mbps, or milliseconds and packets (a trace "
      "of " +
          std::to_string(last_ms_) + " ms)",
      "If it is milliseconds and packets, say so in a first line `# ms count`. If it is seconds and Mbps, read it as "
      "format `table`."});
}

ParsedTrace TraceTextParser::finish() {
  if (!carry_.empty()) {
    line(carry_);
    carry_.clear();
  }
  if (rows_ == 0)
    fail(TraceError{"empty", "no valid timestamps found", "The file is empty or holds only comments and blank lines."});
  if (last_ms_ == 0)
    fail(TraceError{"zero_duration", "trace must last for a nonzero amount of time",
                    "The last time stamp is the trace's period; all of these are 0."});
  if (opportunities_ == 0)
    fail(TraceError{"no_opportunities", "no packet can ever leave: every count in this trace is 0", {}});
  refuse_ambiguous();
  ParsedTrace parsed{.counts = std::move(counts_),
                     .format = columns_ == Columns::two ? TraceFormat::ms_count : TraceFormat::mahimahi,
                     .opportunities = opportunities_};
  *this = TraceTextParser{ambiguous_};
  return parsed;
}

void TraceTextParser::refuse(const char* code, std::string_view text, std::string message, std::string hint) const {
  fail(TraceError{code, std::move(message), std::move(hint), TraceError::Place{lines_, shown(trim(text))}});
}

}  // namespace paceline
