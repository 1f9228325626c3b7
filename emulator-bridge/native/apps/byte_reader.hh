#pragma once
// Reads a file or standard input ("-") in chunks, unpacking gzip when the content (not the name) is gzip.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <vector>

struct z_stream_s;

namespace paceline {

class ByteReader {
 public:
  enum class Content : uint8_t { trace, any };
  // Throws TraceError (code "unreadable") when the file cannot be opened.
  explicit ByteReader(const std::string& path, Content content = Content::trace);
  ~ByteReader();
  ByteReader(const ByteReader&) = delete;
  ByteReader& operator=(const ByteReader&) = delete;

  // The next chunk, empty at the end; valid until the next call. Throws TraceError for files that cannot be read, cut
  // or damaged gzip, and for what is plainly another kind of file (zip, xz, a packet capture ...).
  [[nodiscard]] std::span<const char> next();
  [[nodiscard]] bool gzip() const { return inflater_ != nullptr; }

 private:
  struct CloseFile {
    void operator()(std::FILE* file) const;
  };
  struct EndInflate {
    void operator()(z_stream_s* stream) const;
  };

  bool fill();  // reads more input; false at the end of the file
  void look_at_first_bytes();
  std::span<const char> inflate_next();

  std::string path_;
  Content content_;
  std::unique_ptr<std::FILE, CloseFile> file_;
  std::unique_ptr<z_stream_s, EndInflate> inflater_;
  bool in_member_{};
  bool started_{};
  uint64_t unpacked_{};
  std::vector<char> input_;
  std::span<const char> pending_{};
  std::vector<char> output_;
};

}  // namespace paceline
