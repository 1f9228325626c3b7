#include "apps/rate_table.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>

#include "channel/rate_integrator.hh"
#include "link/trace_text.hh"

namespace paceline {

namespace {

struct Row {
  uint64_t line{};
  int64_t at_ns{};
  double mbps{};
  double averaged{1};  // rows with the same time are averaged
};

constexpr std::string_view kBlanks = " \t\r";
constexpr double kMaxSeconds = 4e9;  // seconds since 1970 are fine: the first row's time is subtracted
constexpr double kMaxMbps = 1e6;

[[noreturn]] void refuse(const char* code, uint64_t line, std::string_view text, std::string message,
                         std::string hint = {}) {
  throw TraceError{code, std::move(message), std::move(hint), TraceError::Place{line, std::string{text.substr(0, 60)}}};
}

std::optional<double> number(std::string cell) {
  std::replace(cell.begin(), cell.end(), ',', '.');  // only there when the columns are not separated by commas
  double value{};
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string> cells(std::string_view line) {
  const bool semicolons = line.find(';') != std::string_view::npos;
  const bool blanks = line.find_first_of(" \t") != std::string_view::npos;
  const std::string_view separators = semicolons                                            ? ";"
                                      : blanks && line.find(", ") == std::string_view::npos ? " \t"
                                                                                            : ", \t";
  std::vector<std::string> out;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    std::string_view cell = line.substr(0, end);
    while (!cell.empty() && kBlanks.find(cell.front()) != std::string_view::npos) cell.remove_prefix(1);
    while (!cell.empty() && kBlanks.find(cell.back()) != std::string_view::npos) cell.remove_suffix(1);
    if (!cell.empty()) out.emplace_back(cell);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return out;
}

void add_row(std::vector<Row>& rows, uint64_t line_number, std::string_view line) {
  const std::vector<std::string> columns = cells(line);
  if (columns.empty() || columns.front().front() == '#') return;
  if (columns.size() != 2)
    refuse("columns", line_number, line,
           "a table of seconds and Mbps has two columns, this line has " + std::to_string(columns.size()));
  const std::optional<double> at = number(columns[0]);
  const std::optional<double> mbps = number(columns[1]);
  if (!at || !mbps) {
    if (rows.empty() && !at && !mbps) return;  // a header
    refuse("not_a_number", line_number, line, "this line does not hold two numbers, seconds and Mbps");
  }
  if (*at < 0 || *at > kMaxSeconds)
    refuse("time_range", line_number, line, "the time is not a number of seconds from 0 to 4e9");
  if (*mbps < 0 || *mbps > kMaxMbps) refuse("rate_range", line_number, line, "the rate is not from 0 to 1000000 Mbps");
  const int64_t at_ns = std::llround(*at * 1e9);
  if (!rows.empty() && at_ns < rows.back().at_ns)
    refuse("decreasing", line_number, line, "time goes back here", "Sort the table by time.");
  if (!rows.empty() && at_ns == rows.back().at_ns) {
    Row& same = rows.back();
    same.mbps = (same.mbps * same.averaged + *mbps) / (same.averaged + 1);
    same.averaged += 1;
    return;
  }
  rows.push_back({.line = line_number, .at_ns = at_ns, .mbps = *mbps});
}

std::vector<Row> read_rows(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<Row> rows;
  for (uint64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_row(rows, line, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (rows.size() < 2) throw TraceError{"empty", "the table holds fewer than two rows of seconds and Mbps"};
  return rows;
}

int64_t median_step(const std::vector<Row>& rows) {
  std::vector<int64_t> steps;
  for (std::size_t i = 1; i < rows.size(); ++i) steps.push_back(rows[i].at_ns - rows[i - 1].at_ns);
  std::nth_element(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2), steps.end());
  return steps[steps.size() / 2];
}

}  // namespace

std::vector<uint32_t> trace_from_rate_table(std::string_view text, const RateTableOptions& options) {
  const std::vector<Row> rows = read_rows(text);
  const int64_t usual = median_step(rows);
  const int64_t total = rows.back().at_ns - rows.front().at_ns + usual;
  if (total > Duration::millis(static_cast<int64_t>(kMaxTracePeriodMs)).ns)
    throw TraceError{"too_long", "the table is longer than a day", "The first column must be seconds."};
  RateIntegrator integrator;
  const auto hold = [&integrator](const Row& row, int64_t ns) {
    integrator.add(static_cast<uint64_t>(std::llround(row.mbps * 1e6)), Duration{ns});
  };
  const bool ends = options.rows == RateTableOptions::Rows::end;
  if (ends) hold(rows.front(), usual);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Row& row = ends ? rows[i] : rows[i - 1];
    const int64_t step = rows[i].at_ns - rows[i - 1].at_ns;
    const bool gap = step * 2 > usual * 3;
    if (gap && options.gaps == RateTableOptions::Gaps::refuse)
      refuse("gap", rows[i].line, "",
             "rows are missing before this line: the step is " + std::to_string(step / 1'000'000) +
                 " ms, usually it is " + std::to_string(usual / 1'000'000) + " ms",
             "Say what to assume: `--gaps hold` (the rate goes on) or `--gaps zero` (nothing is delivered).");
    if (!gap || options.gaps == RateTableOptions::Gaps::hold) {
      hold(row, step);
    } else if (ends) {
      integrator.add(0, Duration{step - usual});
      hold(row, usual);
    } else {
      hold(row, usual);
      integrator.add(0, Duration{step - usual});
    }
  }
  if (!ends) hold(rows.back(), usual);
  try {
    return integrator.finish();
  } catch (const std::invalid_argument& error) {
    throw TraceError{"no_opportunities", error.what()};
  }
}

}  // namespace paceline
