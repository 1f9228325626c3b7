#pragma once
// Where tests find the repository's own files.

#include <filesystem>

namespace paceline::testing {

// native/tests/repository.hh is four folders below the root.
inline std::filesystem::path repository_root() {
  return std::filesystem::path{__FILE__}.parent_path().parent_path().parent_path().parent_path();
}

}  // namespace paceline::testing
