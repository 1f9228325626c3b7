#pragma once
// Reads a file or standard input ("-") in chunks, unpacking what is packed with gzip or zstd; the content says so, not the name.
// The bytes may come from elsewhere too: that is how the fuzzer reads without files.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/unpacker.hh"

namespace paceline {

// What a packed file may become: a small one can unpack to anything.
struct UnpackLimits {
  uint64_t bytes{uint64_t{8} << 30U};  // a day of 100 Gbit/s in the compact form is about 1 GB
  uint64_t ratio{};                    // times what was packed, from 64 MiB on; 0: any
};

class ByteReader {
 public:
  // More of what is to be read, empty at its end; valid until the next call.
  using Input = std::function<std::span<const char>()>;

  // Throws TraceError (code "unreadable") when the file cannot be opened.
  explicit ByteReader(const std::string& path, const UnpackLimits& limits = {});
  explicit ByteReader(Input input, const UnpackLimits& limits = {}) : input_{std::move(input)}, limits_{limits} {}

  // The next chunk, empty at the end; valid until the next call. Throws TraceError for files that cannot be read, cut
  // or damaged packings, and for what is plainly no data (zip, xz, a web page ...).
  [[nodiscard]] std::span<const char> next();
  // "gzip", "zstd" or nothing, once something was read.
  [[nodiscard]] std::string_view packing() const { return unpacker_ ? unpacker_->name() : std::string_view{}; }

 private:
  bool fill();  // reads more input; false at the end of it
  void refuse_too_much() const;
  void look_at_first_bytes();
  std::span<const char> next_unpacked();

  Input input_;
  UnpackLimits limits_{};
  std::unique_ptr<Unpacker> unpacker_{};
  bool started_{};
  uint64_t packed_{};
  uint64_t unpacked_{};
  std::span<const char> pending_{};
  std::vector<char> output_{};
};

}  // namespace paceline
