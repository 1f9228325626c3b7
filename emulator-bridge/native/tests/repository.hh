#pragma once
// Where tests find the repository's own files, and the programs that were built beside them. Said in one file that is compiled for its folder:
// all others are the same in every checkout, so that a compiler's cache knows them again.

#include <filesystem>
#include <string>

namespace paceline::testing {

std::filesystem::path repository_root();

// Absolute, without a slash at its end.
std::string programs_folder();

}  // namespace paceline::testing
