#include "formats/trace_reading.hh"

#include <string_view>

#include "formats/registry.hh"
#include "io/sha256.hh"
#include "trace/write.hh"

namespace paceline {

void read_trace_source(formats::FileSource& source, const std::string& format, const formats::Choices& choices,
                       TraceFile& file) {
  const std::string_view head = source.head();
  file.format = format.empty() ? &formats::format_of(head) : &formats::format_named(format);
  file.packing = source.packing();
  file.format->read(source, choices, file.reading);
  formats::refuse_unknown(file.reading, choices);
  file.cut_last_line = file.format->lines && !source.ends_a_line();
}

std::string trace_sha256(std::span<const uint32_t> counts) {
  Sha256 hash;
  write_ms_count(counts, [&hash](std::string_view text) { hash.update(text); });
  return hash.finish();
}

uint64_t stored_bytes(std::span<const uint32_t> counts) {
  uint64_t bytes = 0;
  write_ms_count(counts, [&bytes](std::string_view text) { bytes += text.size(); });
  return bytes;
}

}  // namespace paceline
