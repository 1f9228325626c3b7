#pragma once
// Numbers that nobody can guess.

#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace paceline::recorder {

[[nodiscard]] inline uint64_t random_word() {
  uint64_t word = 0;
  if (::getrandom(&word, sizeof word, 0) != static_cast<ssize_t>(sizeof word))
    throw std::system_error{errno, std::generic_category(), "getrandom"};
  return word;
}

}  // namespace paceline::recorder
