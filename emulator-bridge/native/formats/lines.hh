#pragma once
// The lines of a source: LF, CRLF or CR, without a byte-order mark, the last one with or without an end.

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/source.hh"

namespace paceline::formats {

class Lines {
 public:
  explicit Lines(Source& source) : source_{source} {}

  // False at the end. `line` is valid until the next call. Throws TraceError for a line of more than 64 KiB.
  bool next(std::string_view& line);
  // Of the line given last, from 1.
  [[nodiscard]] uint64_t number() const { return number_; }

 private:
  bool give(std::string_view text, std::string_view& line);

  Source& source_;
  std::string_view pending_{};
  std::string carry_{};
  bool carry_given_{};
  bool skip_line_feed_{};
  uint64_t number_{};
};

}  // namespace paceline::formats
