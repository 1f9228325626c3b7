#pragma once

#include <zstd.h>

#include <stdexcept>
#include <string>

namespace paceline::fuzz {

// `text` as a zstd file.
[[nodiscard]] inline std::string zstd_frame(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1);
  if (ZSTD_isError(size) != 0) throw std::runtime_error{"zstd: no memory"};
  out.resize(size);
  return out;
}

}  // namespace paceline::fuzz
