#include <algorithm>
#include <array>

#include "apps/formats/formats.hh"
#include "link/trace_text.hh"

namespace paceline::formats {

namespace {

constexpr std::array kAll{&kPacketCapture, &kIperf3, &kRecorderLog, &kGNetTrack, &kLumos5G, &kTraceText, &kTable};

}  // namespace

std::span<const Format* const> all_formats() { return kAll; }

const Format& format_of(std::string_view head) {
  return **std::ranges::find_if(kAll, [head](const Format* format) { return format->recognises(head); });
}

const Format& format_named(std::string_view id) {
  const auto found = std::ranges::find(kAll, id, &Format::id);
  if (found != kAll.end()) return **found;
  std::string names;
  for (const Format* format : kAll) names += (names.empty() ? "" : ", ") + std::string{format->id};
  throw TraceError{"unknown_format", "there is no format \"" + std::string{id} + "\"", "There are: " + names + "."};
}

std::string decide(Reading& reading, const Choices& choices, Option option) {
  if (const auto chosen = choices.find(option.name); chosen != choices.end()) option.value = chosen->second;
  const auto& of = option.choices;
  if (!of.empty() && std::ranges::find(of, option.value, &Option::Choice::value) == of.end()) {
    std::string values;
    for (const auto& choice : of) values += (values.empty() ? "" : ", ") + choice.value;
    throw TraceError{"option", option.name + " cannot be \"" + option.value + "\"", "It is one of: " + values + "."};
  }
  reading.options.push_back(option);
  return option.value;
}

void refuse_unknown(const Reading& reading, const Choices& choices) {
  for (const auto& [name, value] : choices) {
    if (std::ranges::find(reading.options, name, &Option::name) != reading.options.end()) continue;
    std::string names;
    for (const Option& option : reading.options) names += (names.empty() ? "" : ", ") + option.name;
    throw TraceError{"option", "this format has no option \"" + name + "\"",
                     names.empty() ? "It has none." : "It has: " + names + "."};
  }
}

}  // namespace paceline::formats
