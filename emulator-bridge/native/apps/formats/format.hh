#pragma once
// A form in which capacity over time may come, and what becomes of it. To add one: a file here with a `const Format` of its own, and its
// name in registry.cc.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apps/formats/source.hh"

namespace paceline::formats {

// What a person decided: values of options by name.
using Choices = std::map<std::string, std::string, std::less<>>;

// Something that a file does not say of itself; `value` is what was used.
struct Option {
  struct Choice {
    std::string value;
    std::string label;
  };
  std::string name;
  std::string label;
  std::string value;
  std::vector<Choice> choices{};  // none: free text
  std::string help{};
};

struct Column {
  std::string name;
  std::vector<std::string> samples{};  // cells of the first rows
};

struct Reading {
  std::string form{};              // of a format that has several: its name
  std::vector<uint32_t> counts{};  // [k] = opportunities of 1500 bytes stamped k ms; the last index is the period
  uint64_t source_bytes{};         // delivered, as the source has it
  std::vector<Option> options{};
  std::vector<Column> columns{};     // of tables
  std::vector<std::string> notes{};  // what a person should know: rows left out, gaps filled …
};

struct Format {
  std::string_view id;
  std::string_view label;
  // Is this the beginning of such a file?
  bool (*recognises)(std::string_view head);
  // Throws TraceError, with the line where lines are; `reading` then has what was understood until there.
  void (*read)(Source& source, const Choices& choices, Reading& reading);
  bool lines{};  // a text whose every line counts, the last one as well
};

// In the order in which they are asked; the last one takes whatever the others do not.
[[nodiscard]] std::span<const Format* const> all_formats();
[[nodiscard]] const Format& format_of(std::string_view head);
// Throws TraceError when there is none of that name.
[[nodiscard]] const Format& format_named(std::string_view id);

// The value chosen for `option`, or its own; one of its choices, if it has any. Throws TraceError. Remembers it in `reading.options`.
std::string decide(Reading& reading, const Choices& choices, Option option);
// Throws TraceError when a choice was made that nothing asked for.
void refuse_unknown(const Reading& reading, const Choices& choices);

}  // namespace paceline::formats
