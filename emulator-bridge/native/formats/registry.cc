#include "formats/registry.hh"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

// Function-local, so that it exists before the first RegisterFormat of any other file runs.
std::vector<const Format*>& format_table() {
  static std::vector<const Format*> formats;
  return formats;
}

bool asked_before(const Format* a, const Format* b) {
  return std::tuple{-a->priority, a->id} < std::tuple{-b->priority, b->id};
}

}  // namespace

std::span<const Format* const> registered_formats() { return format_table(); }

const Format& format_of(std::string_view head) {
  return **std::ranges::find_if(format_table(), [head](const Format* format) { return format->recognises(head); });
}

const Format& format_named(std::string_view id) {
  const auto found = std::ranges::find(format_table(), id, &Format::id);
  if (found != format_table().end()) return **found;
  std::string names;
  for (const Format* format : format_table()) names += (names.empty() ? "" : ", ") + std::string{format->id};
  fail(TraceError{"unknown_format", "there is no format \"" + std::string{id} + "\"", "There are: " + names + "."});
}

RegisterFormat::RegisterFormat(Format format) : format_{std::make_unique<const Format>(std::move(format))} {
  auto& formats = format_table();
  if (std::ranges::find(formats, format_->id, &Format::id) != formats.end()) {
    // Before main(): nobody catches it, so the program ends and the runtime prints the sentence.
    fail(std::logic_error("two files in formats/ register the id " + std::string{format_->id} +
                          ": give one another id"));
  }
  formats.insert(std::ranges::upper_bound(formats, format_.get(), asked_before), format_.get());
}

std::string decide(Reading& reading, const Choices& choices, Option option) {
  if (const auto chosen = choices.find(option.name); chosen != choices.end()) option.value = chosen->second;
  const auto& of = option.choices;
  if (!of.empty() && std::ranges::find(of, option.value, &Option::Choice::value) == of.end()) {
    std::string values;
    for (const auto& choice : of) values += (values.empty() ? "" : ", ") + choice.value;
    fail(TraceError{"option", option.name + " cannot be \"" + option.value + "\"", "It is one of: " + values + "."});
  }
  reading.options.push_back(option);
  return option.value;
}

void refuse_unknown(const Reading& reading, const Choices& choices) {
  for (const auto& [name, value] : choices) {
    if (std::ranges::find(reading.options, name, &Option::name) != reading.options.end()) continue;
    std::string names;
    for (const Option& option : reading.options) names += (names.empty() ? "" : ", ") + option.name;
    fail(TraceError{"option", "this format has no option \"" + name + "\"",
                    names.empty() ? "It has none." : "It has: " + names + "."});
  }
}

}  // namespace paceline::formats
