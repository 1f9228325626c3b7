#pragma once
// Traces on disk: reading any accepted form, the canonical form and its hash.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "link/trace_text.hh"

namespace paceline {

struct TraceFile {
  ParsedTrace trace{};
  bool gzip{};
};

// Reads `path` ("-": standard input). Throws TraceError.
[[nodiscard]] TraceFile read_trace_file(const std::string& path,
                                        TraceTextParser::Ambiguous ambiguous = TraceTextParser::Ambiguous::refuse);

// The trace with this hash from a directory of canonical files; throws TraceError when it is not there.
[[nodiscard]] ParsedTrace read_stored_trace(const std::filesystem::path& directory, const std::string& sha256);

// SHA-256 of the canonical text: the trace's identity.
[[nodiscard]] std::string trace_sha256(std::span<const uint32_t> counts);

// Writes DIR/<sha256>.trace, whole or not at all; a file of that name is left as it is. Returns the hash.
std::string store_trace(std::span<const uint32_t> counts, const std::filesystem::path& directory);

}  // namespace paceline
