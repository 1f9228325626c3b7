#pragma once
// A file (or standard input, "-") as a source: unpacked, with its beginning kept.

#include <memory>
#include <string>

#include "apps/byte_reader.hh"
#include "apps/formats/source.hh"

namespace paceline::formats {

class FileSource final : public Source {
 public:
  // Throws TraceError when the file cannot be read.
  explicit FileSource(std::string path) : path_{std::move(path)}, reader_{std::make_unique<ByteReader>(path_)} {}

  [[nodiscard]] std::string_view head() override;
  [[nodiscard]] std::span<const char> next() override;
  void rewind() override;
  // Was what has been given so far whole lines?
  [[nodiscard]] bool ends_a_line() const { return last_ == '\n' || last_ == '\r'; }
  [[nodiscard]] std::string_view packing() const { return reader_->packing(); }

 private:
  std::span<const char> given(std::span<const char> chunk) {
    if (!chunk.empty()) last_ = chunk.back();
    return chunk;
  }

  std::string path_;
  std::unique_ptr<ByteReader> reader_;
  std::string head_{};
  bool looked_{};
  bool head_given_{};
  char last_{'\n'};
};

}  // namespace paceline::formats
