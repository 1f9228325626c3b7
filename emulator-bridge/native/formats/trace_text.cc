// Mahimahi and `ms count`, with milliseconds or (from 5G recorders) microseconds as their clock.

#include <cmath>

#include "core/fail.hh"
#include "formats/cells.hh"
#include "formats/lines.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

// Whole numbers in one column or two. What begins like that and goes on otherwise is a broken trace, not a table.
bool is_trace_text(std::string_view head) {
  constexpr int kEnough = 50;
  int numbers = 0;
  while (!head.empty() && numbers < kEnough) {
    const std::size_t end = head.find_first_of("\r\n");
    std::string_view line = head.substr(0, end);
    const bool whole_line = end != std::string_view::npos;
    head.remove_prefix(whole_line ? end + 1 : head.size());
    if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    // One column that goes on with something else is a broken trace; anything with separators is a table.
    if (line.find_first_not_of("0123456789 \t") != std::string_view::npos)
      return numbers >= 1 && line.find_first_of(",; \t") == std::string_view::npos;
    ++numbers;
  }
  return numbers > 0;
}

std::vector<uint32_t> read_micros(Source& source) {
  std::vector<uint32_t> counts;
  std::vector<std::string_view> cells;
  Lines lines{source};
  int64_t last = 0;
  for (std::string_view line; lines.next(line);) {
    const std::string_view content = line.substr(0, line.find('#'));
    split(content, ' ', cells);
    if (cells.empty() || cells.front().empty()) continue;
    const auto refuse = [&](const char* code, std::string message) {
      fail(
          TraceError{code, std::move(message), {}, TraceError::Place{lines.number(), std::string{line.substr(0, 60)}}});
    };
    const auto at = number_of(cells[0], false);
    const auto count = cells.size() > 1 ? number_of(cells[1], false) : 1.0;
    const auto whole = [](double value) { return value >= 0 && value == std::floor(value); };
    if (!at || !count || !whole(*at) || !whole(*count) || cells.size() > 2)
      refuse("not_a_number", "this line is not `microseconds` or `microseconds packets`");
    if (*at > static_cast<double>(kMaxTracePeriodMs * 1000)) refuse("too_long", "longer than a day");
    const auto us = static_cast<int64_t>(*at);
    if (us < last) refuse("decreasing", "time goes back here");
    last = us;
    // As with Mahimahi's milliseconds: an opportunity of millisecond k is one of (k-1, k].
    const auto ms = static_cast<uint64_t>((us + 999) / 1000);
    if (ms >= counts.size()) counts.resize(ms + 1);
    if (*count > static_cast<double>(kMaxTracePerMs - counts[ms]))
      refuse("too_many", "more than 12 Tbit/s in one millisecond");
    counts[ms] += static_cast<uint32_t>(*count);
  }
  return counts;
}

void read_trace_text(Source& source, const Choices& choices, Reading& reading) {
  const std::string unit =
      decide(reading, choices,
             {.name = "time_unit", .label = "Unit of time", .value = "ms", .choices = {{"ms", "ms"}, {"us", "µs"}}});
  if (unit == "us") {
    reading.counts = read_micros(source);
    uint64_t opportunities = 0;
    for (const uint32_t n : reading.counts) opportunities += n;
    if (opportunities == 0 || reading.counts.size() < 2)
      fail(TraceError{"empty", "the file holds no delivery opportunities"});
    reading.form = "microseconds";
    reading.source_bytes = opportunities * 1500;
    return;
  }
  const bool declared = choices.contains("columns");
  decide(reading, choices,
         {.name = "columns",
          .label = "Columns",
          .value = "by themselves",
          .choices = {{"by themselves", "as they look"}, {"ms count", "milliseconds and packets"}},
          .help = "A short table of whole numbers could as well be seconds and Mbps."});
  TraceTextParser parser{declared ? TraceTextParser::Ambiguous::accept : TraceTextParser::Ambiguous::refuse};
  for (auto chunk = source.next(); !chunk.empty(); chunk = source.next()) parser.feed(chunk);
  ParsedTrace parsed = parser.finish();
  reading.form = parsed.format == TraceFormat::mahimahi ? "mahimahi" : "ms-count";
  reading.counts = std::move(parsed.counts);
  reading.source_bytes = parsed.opportunities * 1500;
}

const RegisterFormat register_trace_text{{
    .id = "trace",
    .label = "Trace (Mahimahi, ms count)",
    .extensions = {".trace", ".down", ".up", ".txt"},
    .priority = 10,
    .recognises = is_trace_text,
    .read = read_trace_text,
    .lines = true,
    .fuzz = {{"time_unit", "us"}, {"columns", "ms count"}, {"time_unit", kFromInput}},
}};

}  // namespace

}  // namespace paceline::formats
