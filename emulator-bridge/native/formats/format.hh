#pragma once
// A form in which capacity over time may come, and what becomes of it. To add one: `npm run new -- format NAME` (registry.hh).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/source.hh"

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

// An option as the fuzzer sets it (fuzz/choices.hh).
struct FuzzOption {
  std::string_view name;
  std::string_view value;
};
// A value that the input's first line gives: of options that a person types.
inline constexpr std::string_view kFromInput = "\n";

struct Format {
  std::string_view id;                         // lower case, stable for ever: stored traces name it
  std::string_view label;                      // as people write it
  std::vector<std::string_view> extensions{};  // that such files usually have, for people: content decides
  // Who is asked first whether a file is its own, the greater the earlier (equal ones by id): what is easily mistaken comes late.
  // 90 for what begins with a magic number, 50 for a header of its own, 10 and less for what many files look like.
  int priority{};
  // Is this the beginning of such a file?
  bool (*recognises)(std::string_view head);
  // Throws TraceError, with the line where lines are; `reading` then has what was understood until there.
  void (*read)(Source& source, const Choices& choices, Reading& reading);
  bool lines{};  // a text whose every line counts, the last one as well
  std::vector<FuzzOption> fuzz{};
};

// The value chosen for `option`, or its own; one of its choices, if it has any. Throws TraceError. Remembers it in `reading.options`.
std::string decide(Reading& reading, const Choices& choices, Option option);
// Throws TraceError when a choice was made that nothing asked for.
void refuse_unknown(const Reading& reading, const Choices& choices);

}  // namespace paceline::formats
