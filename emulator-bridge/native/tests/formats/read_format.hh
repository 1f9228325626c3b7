#pragma once
// A file in memory, read by a format.

#include <cstdint>
#include <string>

#include "formats/registry.hh"
#include "tests/formats/memory_source.hh"
#include "trace/text.hh"

namespace paceline::testing {

inline formats::Reading read_as(const formats::Format& format, const std::string& content,
                                const formats::Choices& choices = {}, std::size_t chunk = 7) {
  MemorySource source{content, chunk};
  formats::Reading reading{};
  format.read(source, choices, reading);
  return reading;
}

// Where it is refused; 0: without a line, UINT64_MAX: it is not.
inline uint64_t refused_line(const formats::Format& format, const std::string& content,
                             const formats::Choices& choices = {}) {
  try {
    (void)read_as(format, content, choices);
  } catch (const TraceError& error) {
    return error.place() ? error.place()->line : 0;
  }
  return UINT64_MAX;
}

}  // namespace paceline::testing
