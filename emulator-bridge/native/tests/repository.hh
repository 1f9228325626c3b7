#pragma once
// Where tests find the repository's own files, and real traces that lie beside a checkout on some machines.

#include <filesystem>

namespace paceline::testing {

// native/tests/repository.hh is four folders below the root.
inline std::filesystem::path repository_root() {
  return std::filesystem::path{__FILE__}.parent_path().parent_path().parent_path().parent_path();
}
inline std::filesystem::path shared_traces() { return repository_root().parent_path() / "shared" / "traces"; }

}  // namespace paceline::testing
