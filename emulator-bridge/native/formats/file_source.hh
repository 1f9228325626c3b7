#pragma once
// A file (or standard input, "-") as a source: unpacked, with its beginning kept.

#include <functional>
#include <string>

#include "formats/source.hh"
#include "io/byte_reader.hh"

namespace paceline::formats {

class FileSource final : public Source {
 public:
  using Open = std::function<ByteReader()>;

  // Throws TraceError when the file cannot be read.
  explicit FileSource(const std::string& path, const UnpackLimits& limits = {})
      : FileSource{[path, limits] {
                     return ByteReader{path, limits};
                   },
                   path != "-"} {}
  // `again`: can it be opened a second time?
  explicit FileSource(Open open, bool again = true) : open_{std::move(open)}, again_{again}, reader_{open_()} {}

  [[nodiscard]] std::string_view head() override;
  [[nodiscard]] std::span<const char> next() override;
  void rewind() override;
  // Was what has been given so far whole lines?
  [[nodiscard]] bool ends_a_line() const { return last_ == '\n' || last_ == '\r'; }
  [[nodiscard]] std::string_view packing() const { return reader_.packing(); }

 private:
  std::span<const char> given(std::span<const char> chunk) {
    if (!chunk.empty()) last_ = chunk.back();
    return chunk;
  }

  Open open_;
  bool again_;
  ByteReader reader_;
  std::string head_{};
  bool looked_{};
  bool head_given_{};
  char last_{'\n'};
};

}  // namespace paceline::formats
