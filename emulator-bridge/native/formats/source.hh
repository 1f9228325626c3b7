#pragma once
// A file that is read from its beginning, in chunks, whatever it was packed with.

#include <span>
#include <string_view>

namespace paceline::formats {

class Source {
 public:
  virtual ~Source() = default;
  // What the file begins with, up to kHead; reading goes on from the beginning.
  [[nodiscard]] virtual std::string_view head() = 0;
  // The next chunk, empty at the end; valid until the next call.
  [[nodiscard]] virtual std::span<const char> next() = 0;
  // From the beginning again. Throws TraceError where that cannot be (standard input).
  virtual void rewind() = 0;

  static constexpr std::size_t kHead = std::size_t{1} << 16U;
};

}  // namespace paceline::formats
