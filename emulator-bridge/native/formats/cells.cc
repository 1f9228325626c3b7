#include "formats/cells.hh"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace paceline::formats {

namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The next whole number of a date; what is between two of them is one character of punctuation.
std::optional<int> whole(std::string_view& text, std::size_t most_digits) {
  int value = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && digits < most_digits && is_digit(text[digits]); ++digits)
    value = value * 10 + (text[digits] - '0');
  if (digits == 0) return std::nullopt;
  text.remove_prefix(digits);
  return value;
}

bool skip_one_of(std::string_view& text, std::string_view punctuation) {
  if (text.empty() || punctuation.find(text.front()) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<int64_t> date_and_time(std::string_view text) {
  std::array<int, 6> parts{};
  constexpr std::array<std::string_view, 5> kBetween{"-./", "-./", "T _", ":.", ":."};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = whole(text, i == 0 ? 4 : 2);
    if (!part) return std::nullopt;
    parts[i] = *part;
    if (i < kBetween.size() && !skip_one_of(text, kBetween[i])) return std::nullopt;
  }
  int64_t fraction_ns = 0;
  if (skip_one_of(text, ".,")) {
    int64_t unit = 100'000'000;
    for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1), unit /= 10)
      fraction_ns += unit * (text.front() - '0');
  }
  using namespace std::chrono;
  const year_month_day day{year{parts[0]}, month{static_cast<unsigned>(parts[1])},
                           std::chrono::day{static_cast<unsigned>(parts[2])}};
  if (!day.ok() || parts[0] < 1970 || parts[0] > 2200 || parts[3] > 24 || parts[4] > 59 || parts[5] > 60)
    return std::nullopt;
  const auto at = sys_days{day} + hours{parts[3]} + minutes{parts[4]} + seconds{parts[5]};
  return duration_cast<nanoseconds>(at.time_since_epoch()).count() + fraction_ns;
}

}  // namespace

char separator_of(std::span<const std::string> lines) {
  constexpr std::array kCandidates{';', '\t', ','};
  for (const char candidate : kCandidates) {
    const auto has = [candidate](const std::string& line) { return line.find(candidate) != std::string::npos; };
    const auto with = std::count_if(lines.begin(), lines.end(), has);
    if (with > 0 && 2 * static_cast<std::size_t>(with) > lines.size()) return candidate;
  }
  return ' ';
}

void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  const bool blanks = separator == ' ';
  if (blanks) line = trim(line);
  while (!line.empty() || (!blanks && !cells.empty())) {
    std::size_t end = 0;
    if (!line.empty() && line.front() == '"') end = std::min(line.find('"', 1), line.size());
    end = std::min(blanks ? line.find_first_of(kBlanks, end) : line.find(separator, end), line.size());
    std::string_view cell = trim(line.substr(0, end));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (end == line.size()) break;
    line.remove_prefix(end + 1);
    if (blanks) line = line.substr(std::min(line.find_first_not_of(kBlanks), line.size()));
  }
}

namespace {

// All of the text, behind which there is a zero.
std::optional<double> decimal(const char* text, std::size_t size) {
  const char* const end = text + size;
#ifdef __cpp_lib_to_chars
  double value{};
  const auto [read, error] = std::from_chars(text, end, value);
  return read == end && error == std::errc{} ? std::optional{value} : std::nullopt;
#else
  // libc++ has that of whole numbers only; what strtod takes beside it begins otherwise or has other letters.
  if (std::string_view{text, size}.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  char* read{};
  errno = 0;
  const double value = *text == '+' ? 0 : std::strtod(text, &read);
  const bool too_small = errno == ERANGE && value == 0;
  return read == end && !too_small ? std::optional{value} : std::nullopt;
#endif
}

}  // namespace

std::optional<double> number_of(std::string_view cell, bool decimal_comma) {
  std::array<char, 48> text{};
  if (cell.empty() || cell.size() >= text.size()) return std::nullopt;
  if (cell.front() == '+') cell.remove_prefix(1);
  std::copy(cell.begin(), cell.end(), text.begin());
  if (decimal_comma) std::replace(text.begin(), text.end(), ',', '.');
  const auto value = decimal(text.data(), cell.size());
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<int64_t> time_of(std::string_view cell, int64_t unit_ns, bool decimal_comma) {
  constexpr double kMostNs = 9e18;
  if (const auto number = number_of(cell, decimal_comma)) {
    const double ns = *number * static_cast<double>(unit_ns);
    if (std::abs(ns) > kMostNs) return std::nullopt;
    return std::llround(ns);
  }
  return date_and_time(cell);
}

}  // namespace paceline::formats
