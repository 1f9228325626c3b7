#pragma once
// Reads the two text forms of a trace from a stream of byte chunks, in memory bounded by the counts themselves:
//   Mahimahi:  one integer millisecond per line, n equal lines = n delivery opportunities in that millisecond;
//   ms count:  "millisecond opportunities" per line, milliseconds without opportunities may be absent, `T 0` pins the
//   period.
// Tolerated: UTF-8 byte-order mark, CRLF or CR line ends, blank lines, `#` comments, blanks around numbers, no final
// newline. A comment that says `ms count` declares the second form (see kAmbiguousTraceBelowMs).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/error.hh"

namespace paceline {

enum class TraceFormat : uint8_t { mahimahi, ms_count };

// Longer or denser is not a recording of a link, but something else read as one.
#ifdef PACELINE_SHORT_DAYS  // the fuzzer's, which would otherwise spend its time on filling memory with zeros
inline constexpr uint64_t kMaxTracePeriodMs = 20'000;
#else
inline constexpr uint64_t kMaxTracePeriodMs = 86'400'000;  // a day
#endif
inline constexpr uint64_t kMaxTracePerMs = 1'000'000;  // 12 Tbit/s

// Two columns of evenly spaced whole numbers are a table of seconds and Mbps about as likely as a very short trace. A
// real `ms count` file this short without one missing or uneven millisecond is rare enough to ask rather than guess.
inline constexpr uint64_t kAmbiguousTraceBelowMs = 10'000;

struct ParsedTrace {
  std::vector<uint32_t> counts{};  // [k] = opportunities stamped k ms; the last index is the period
  TraceFormat format{TraceFormat::mahimahi};
  uint64_t opportunities{};
};

class TraceTextParser {
 public:
  enum class Ambiguous : uint8_t {
    refuse,  // a short table that could as well mean seconds and Mbps is refused
    accept,  // the caller knows that it is `ms count` (a canonical file)
  };
  explicit TraceTextParser(Ambiguous ambiguous = Ambiguous::refuse) : ambiguous_{ambiguous} {}

  // Throws TraceError at the first line that cannot be part of a trace.
  void feed(std::span<const char> chunk);
  // The whole trace; throws TraceError when what was read is not one.
  [[nodiscard]] ParsedTrace finish();

 private:
  enum class Columns : uint8_t { unknown, one, two };

  const char* skip_byte_order_mark(const char* p, const char* end);
  const char* fast_lines(const char* p, const char* end);
  void line(std::string_view text);
  void two_numbers(std::string_view text, std::string_view first, std::string_view second);
  void add(std::string_view text, uint64_t ms, uint64_t count);
  void refuse_ambiguous() const;
  [[noreturn]] void refuse(const char* code, std::string_view text, std::string message, std::string hint = {}) const;
  [[noreturn]] void refuse_word(std::string_view text, std::string_view word) const;
  uint64_t number(std::string_view text, std::string_view word) const;

  Ambiguous ambiguous_;
  bool declared_ms_count_{};
  Columns columns_{Columns::unknown};
  std::vector<uint32_t> counts_{};
  uint64_t last_ms_{};
  uint64_t opportunities_{};
  uint64_t lines_{};  // complete ones

  // For the ambiguity rule: are the stamps equally spaced?
  uint64_t rows_{};
  uint64_t step_{};
  bool even_steps_{true};

  unsigned mark_matched_{};
  bool started_{};
  bool skip_line_feed_{};  // the last chunk ended in CR
  std::string carry_{};    // the unfinished last line
};

}  // namespace paceline
