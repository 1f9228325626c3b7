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
  [[nodiscard]] std::string_view packing() const { return reader_->packing(); }

 private:
  std::string path_;
  std::unique_ptr<ByteReader> reader_;
  std::string head_{};
  bool looked_{};
  bool head_given_{};
};

}  // namespace paceline::formats
