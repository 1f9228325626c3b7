#pragma once
// A trace from whatever holds one, the canonical form's hash and length; files and folders are trace_file.hh's.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/file_source.hh"
#include "formats/format.hh"
#include "trace/flags.hh"
#include "trace/text.hh"

namespace paceline {

// Capacity over time from a file of any known form (formats/).
struct TraceFile {
  const formats::Format* format{};
  std::string packing{};  // gzip, zstd or nothing
  formats::Reading reading{};
  TraceOrigin origin{TraceOrigin::recorded};
  bool cut_last_line{};  // the text ends without a newline

  [[nodiscard]] const std::vector<uint32_t>& counts() const { return reading.counts; }
};

// `format`: its id, or empty for what it looks like. Throws TraceError; `file` then has what was understood until there.
void read_trace_source(formats::FileSource& source, const std::string& format, const formats::Choices& choices,
                       TraceFile& file);

// SHA-256 of the canonical text: the trace's identity.
[[nodiscard]] std::string trace_sha256(std::span<const uint32_t> counts);

// Of the canonical text.
[[nodiscard]] uint64_t stored_bytes(std::span<const uint32_t> counts);

}  // namespace paceline
