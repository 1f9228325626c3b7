#include "formats/trace_file.hh"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

#include "trace/write.hh"

namespace paceline {

namespace fs = std::filesystem;

void read_trace_file(const std::string& path, const std::string& format, const formats::Choices& choices,
                     TraceFile& file, const UnpackLimits& limits) {
  formats::FileSource source{path, limits};
  read_trace_source(source, format, choices, file);
}

TraceFile read_trace_file(const std::string& path, const std::string& format, const formats::Choices& choices) {
  TraceFile file{};
  read_trace_file(path, format, choices, file);
  return file;
}

std::vector<uint32_t> read_stored_trace(const fs::path& directory, const std::string& sha256) {
  return read_trace_file((directory / (sha256 + ".trace")).string(), "trace", {{"columns", "ms count"}}).reading.counts;
}

std::string store_trace(std::span<const uint32_t> counts, const fs::path& directory) {
  const std::string sha256 = trace_sha256(counts);
  const fs::path target = directory / (sha256 + ".trace");
  if (fs::exists(target)) return sha256;
  fs::create_directories(directory);
  const fs::path unfinished = directory / (sha256 + ".trace." + std::to_string(::getpid()));
  try {
    std::ofstream out{unfinished, std::ios::binary | std::ios::trunc};
    write_ms_count(counts, [&out](std::string_view text) { out << text; });
    out.close();
    if (!out) throw std::runtime_error{"cannot write " + unfinished.string() + ": is the disk full?"};
    fs::rename(unfinished, target);
  } catch (...) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw;
  }
  return sha256;
}

}  // namespace paceline
