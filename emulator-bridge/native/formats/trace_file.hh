#pragma once
// Traces on disk: reading any accepted form, the canonical form and its hash.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

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

// Reads `path` ("-": standard input). `format`: its id, or empty for what it looks like. Throws TraceError.
[[nodiscard]] TraceFile read_trace_file(const std::string& path, const std::string& format = {},
                                        const formats::Choices& choices = {});
// The same; when it throws, `file` has what was understood until there.
void read_trace_file(const std::string& path, const std::string& format, const formats::Choices& choices,
                     TraceFile& file, const UnpackLimits& limits = {});
void read_trace_source(formats::FileSource& source, const std::string& format, const formats::Choices& choices,
                       TraceFile& file);

// The trace with this hash from a directory of canonical files; throws TraceError when it is not there.
[[nodiscard]] std::vector<uint32_t> read_stored_trace(const std::filesystem::path& directory,
                                                      const std::string& sha256);

// SHA-256 of the canonical text: the trace's identity.
[[nodiscard]] std::string trace_sha256(std::span<const uint32_t> counts);

// Of the canonical text.
[[nodiscard]] uint64_t stored_bytes(std::span<const uint32_t> counts);

// Writes DIR/<sha256>.trace, whole or not at all; a file of that name is left as it is. Returns the hash.
std::string store_trace(std::span<const uint32_t> counts, const std::filesystem::path& directory);

}  // namespace paceline
