#include "formats/delay_lines.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "core/fail.hh"
#include "core/limits.gen.hh"
#include "formats/lines.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr std::string_view kBetweenDelays = " \t,;";

std::vector<std::string_view> words_between(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBetweenDelays), line.size()));
    if (line.empty()) return words;
    const std::size_t end = std::min(line.find_first_of(kBetweenDelays), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<double> finite_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Names of columns; a value that is none, such as NaN, is no name.
bool is_heading_of_delays(const std::vector<std::string_view>& words) {
  return std::ranges::all_of(words, [](std::string_view word) {
    const bool begins = (word[0] >= 'a' && word[0] <= 'z') || (word[0] >= 'A' && word[0] <= 'Z') || word[0] == '_';
    double value{};
    return begins && std::from_chars(word.data(), word.data() + word.size(), value).ec != std::errc{} && word != "null";
  });
}

}  // namespace

DelayLines read_delay_lines(Source& source, double interval_ms) {
  DelayLines read;
  Lines lines{source};
  std::string_view line;
  std::size_t columns = 0;
  double first = 0;
  double before = 0;
  const auto refuse = [&](const std::string& why) {
    fail(TraceError{"delays", why, {}, TraceError::Place{lines.number(), std::string{line.substr(0, 60)}}});
  };
  while (lines.next(line)) {
    const std::vector<std::string_view> words = words_between(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (columns == 0 && lines.number() == 1 && is_heading_of_delays(words)) continue;
    if (static_cast<double>(read.delays_ms.size()) >= limits::recorded_delays.most)
      refuse("there may be " + std::to_string(std::llround(limits::recorded_delays.most)) +
             " delays: keep a part, or only every n-th");
    if (columns == 0) columns = words.size();
    if (words.size() > 2 || words.size() != columns)
      refuse("is not a delay, or a time and a delay, as the lines before");
    const std::optional<double> delay = finite_number(words.back());
    const std::optional<double> time =
        columns == 1 ? static_cast<double>(read.delays_ms.size()) * interval_ms : finite_number(words.front());
    if (!delay || !time) refuse("is not a number of milliseconds");
    if (!(*delay >= limits::delay_ms.least && *delay <= limits::delay_ms.most))
      refuse("a delay is from 0 to " + std::to_string(std::llround(limits::delay_ms.most)) + " ms");
    if (read.delays_ms.empty()) first = *time;
    if (!read.delays_ms.empty() && !(*time > before)) refuse("the time is not after the one before it");
    before = *time;
    if (!(*time - first <= limits::recorded_ms.most)) refuse("is more than a day after the first");
    read.times_ms.push_back(*time - first);
    read.delays_ms.push_back(*delay);
  }
  if (read.delays_ms.empty()) fail(TraceError{"delays", "there are no delays in it"});
  return read;
}

}  // namespace paceline::formats
