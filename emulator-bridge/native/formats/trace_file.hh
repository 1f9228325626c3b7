#pragma once
// Traces on disk: reading any accepted form, the folder of canonical files.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "formats/trace_reading.hh"

namespace paceline {

// Reads `path` ("-": standard input). `format`: its id, or empty for what it looks like. Throws TraceError.
[[nodiscard]] TraceFile read_trace_file(const std::string& path, const std::string& format = {},
                                        const formats::Choices& choices = {});
// The same; when it throws, `file` has what was understood until there.
void read_trace_file(const std::string& path, const std::string& format, const formats::Choices& choices,
                     TraceFile& file, const UnpackLimits& limits = {});

// The trace with this hash from a directory of canonical files; throws TraceError when it is not there.
[[nodiscard]] std::vector<uint32_t> read_stored_trace(const std::filesystem::path& directory,
                                                      const std::string& sha256);

// Writes DIR/<sha256>.trace, whole or not at all; a file of that name is left as it is. Returns the hash.
std::string store_trace(std::span<const uint32_t> counts, const std::filesystem::path& directory);

}  // namespace paceline
