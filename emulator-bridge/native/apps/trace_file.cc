#include "apps/trace_file.hh"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <system_error>

#include "apps/byte_reader.hh"
#include "apps/sha256.hh"
#include "link/trace_write.hh"

namespace paceline {

namespace fs = std::filesystem;

TraceFile read_trace_file(const std::string& path, TraceTextParser::Ambiguous ambiguous) {
  ByteReader reader{path};
  TraceTextParser parser{ambiguous};
  for (auto chunk = reader.next(); !chunk.empty(); chunk = reader.next()) parser.feed(chunk);
  return {.trace = parser.finish(), .gzip = reader.gzip()};
}

ParsedTrace read_stored_trace(const fs::path& directory, const std::string& sha256) {
  return read_trace_file((directory / (sha256 + ".trace")).string(), TraceTextParser::Ambiguous::accept).trace;
}

std::string trace_sha256(std::span<const uint32_t> counts) {
  Sha256 hash;
  write_ms_count(counts, [&hash](std::string_view text) { hash.update(text); });
  return hash.finish();
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
