#include "io/byte_reader.hh"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "core/fail.hh"
#include "trace/error.hh"

namespace paceline {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;
constexpr std::size_t kUnpackedChunk = std::size_t{1} << 16U;
// Of so little every ratio may be: lines that repeat pack well.
constexpr uint64_t kAnyRatio = uint64_t{64} << 20U;

struct Magic {
  std::string_view bytes;
  std::string_view what;
  std::string_view hint;
};
using namespace std::string_view_literals;
constexpr std::array kOtherFiles{
    Magic{"PK\x03\x04"sv, "a zip archive", "Unpack it and give the trace inside."},
    Magic{"\xFD"
          "7zXZ\0"sv,
          "an xz file", "Unpack it with `xz -d` (gzip and zstd files are read as they are)."},
    Magic{"BZh"sv, "a bzip2 file", "Unpack it with `bzip2 -d` (gzip and zstd files are read as they are)."},
    Magic{"\xFF\xFE"sv, "UTF-16 text", "Save it as UTF-8 or plain ASCII."},
    Magic{"\xFE\xFF"sv, "UTF-16 text", "Save it as UTF-8 or plain ASCII."},
    Magic{"<"sv, "an XML or HTML file",
          "A trace is text with whole milliseconds; was a web page saved instead of the file?"},
};

[[noreturn]] void unreadable(const std::string& path, int error) {
  fail(TraceError{"unreadable", "cannot read " + path + ": " + std::strerror(error)});
}

class FileInput {
 public:
  explicit FileInput(const std::string& path)
      : path_{path == "-" ? "standard input" : path},
        file_{path == "-" ? stdin : std::fopen(path.c_str(), "rb"), close},
        chunk_(kChunk) {
    if (!file_) unreadable(path_, errno);
  }
  std::span<const char> operator()() {
    const std::size_t got = std::fread(chunk_.data(), 1, chunk_.size(), file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0) unreadable(path_, errno);
    return {chunk_.data(), got};
  }

 private:
  static void close(std::FILE* file) {
    if (file != nullptr && file != stdin) std::fclose(file);
  }

  std::string path_;
  std::shared_ptr<std::FILE> file_;
  std::vector<char> chunk_;
};

}  // namespace

ByteReader::ByteReader(const std::string& path, const UnpackLimits& limits)
    : input_{FileInput{path}}, limits_{limits} {}

bool ByteReader::fill() {
  pending_ = input_();
  packed_ += pending_.size();
  return !pending_.empty();
}

void ByteReader::look_at_first_bytes() {
  started_ = true;
  const std::string_view head{pending_.data(), pending_.size()};
  for (const Magic& magic : kOtherFiles)
    if (head.starts_with(magic.bytes))
      fail(TraceError{"not_a_trace", "this is " + std::string{magic.what} + ", not a trace", std::string{magic.hint}});
  unpacker_ = unpacker_for(head);
  if (unpacker_) output_.resize(kUnpackedChunk);
}

std::span<const char> ByteReader::next() {
  if (unpacker_) return next_unpacked();
  if (!fill()) return {};
  if (!started_) {
    look_at_first_bytes();
    if (unpacker_) return next_unpacked();
  }
  return pending_;
}

void ByteReader::refuse_too_much() const {
  const auto mib = [](uint64_t bytes) { return std::to_string(bytes >> 20U) + " MiB"; };
  if (unpacked_ > limits_.bytes)
    fail(TraceError{"too_big", "the file unpacks to more than " + mib(limits_.bytes),
                    "Cut the recording, or use the compact `ms count` form."});
  if (limits_.ratio > 0 && unpacked_ > kAnyRatio && unpacked_ / limits_.ratio > packed_)
    fail(TraceError{"too_packed", "the file unpacks to more than " + std::to_string(limits_.ratio) + " times its size",
                    "Unpack it yourself, or cut it."});
}

std::span<const char> ByteReader::next_unpacked() {
  for (;;) {
    const bool ended = pending_.empty() && !fill();
    if (ended && unpacker_->whole()) return {};
    // At the end too: the unpacker may have taken in everything and not yet given everything out.
    const std::size_t got = unpacker_->unpack(pending_, output_);
    if (got == 0 && ended) {
      const std::string name{unpacker_->name()};
      fail(TraceError{name + "_truncated", "the " + name + " file ends in the middle",
                      "Was the download or the upload cut short?"});
    }
    if (got == 0) continue;
    unpacked_ += got;
    refuse_too_much();
    return {output_.data(), got};
  }
}

}  // namespace paceline
