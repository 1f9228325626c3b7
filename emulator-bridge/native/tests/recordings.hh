#pragma once
// Recordings by others. Four are shipped (traces/recordings); more can lie in a folder of one's own: PACELINE_RECORDINGS, or the place named here,
// which most checkouts do not have. What needs those is skipped without them.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "formats/trace_file.hh"
#include "recipe/library.hh"
#include "tests/repository.hh"

namespace paceline::testing {

inline std::filesystem::path more_recordings() {
  if (const char* folder = std::getenv("PACELINE_RECORDINGS")) return folder;
  return repository_root().parent_path() / "shared" / "traces";
}

// `file`: such as 3g-hspa-citydrive.down.gz. Nothing, and a message, when it is neither shipped nor here.
inline std::optional<std::vector<uint32_t>> recording(const std::string& file) {
  const auto shipped = repository_root() / "traces" / "recordings" / (file.substr(0, file.find('.')) + ".json");
  if (std::filesystem::exists(shipped)) return read_recording(shipped).counts();
  if (const auto here = more_recordings() / file; std::filesystem::exists(here))
    return read_trace_file(here.string()).counts();
  MESSAGE("skipped: the recording " << file << " is not shipped and not here");
  return std::nullopt;
}

}  // namespace paceline::testing
