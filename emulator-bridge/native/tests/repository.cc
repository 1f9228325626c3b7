#include "tests/repository.hh"

std::filesystem::path paceline::testing::repository_root() { return PACELINE_REPOSITORY; }

std::string paceline::testing::programs_folder() { return PACELINE_BIN; }
