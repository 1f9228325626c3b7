#include "apps/byte_reader.hh"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <zlib.h>

#include "link/trace_text.hh"

namespace paceline {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;
// A small gzip file can unpack to anything; a day of 100 Gbit/s in the compact form is about 1 GB.
constexpr uint64_t kMaxUnpacked = uint64_t{8} << 30U;

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
          "an xz file", "Unpack it with `xz -d` (gzip files are read as they are)."},
    Magic{"BZh"sv, "a bzip2 file", "Unpack it with `bzip2 -d` (gzip files are read as they are)."},
    Magic{"\x28\xB5\x2F\xFD"sv, "a zstd file", "Unpack it with `zstd -d` (gzip files are read as they are)."},
    Magic{"\xFF\xFE"sv, "UTF-16 text", "Save it as UTF-8 or plain ASCII."},
    Magic{"\xFE\xFF"sv, "UTF-16 text", "Save it as UTF-8 or plain ASCII."},
    Magic{"\xD4\xC3\xB2\xA1"sv, "a packet capture",
          "A trace is text with whole milliseconds, one per packet that arrived."},
    Magic{"\xA1\xB2\xC3\xD4"sv, "a packet capture",
          "A trace is text with whole milliseconds, one per packet that arrived."},
    Magic{"\x0A\x0D\x0D\x0A"sv, "a packet capture",
          "A trace is text with whole milliseconds, one per packet that arrived."},
    Magic{"{"sv, "JSON", "A trace is text with whole milliseconds, one or two numbers per line."},
    Magic{"<"sv, "an XML or HTML file",
          "A trace is text with whole milliseconds; was a web page saved instead of the file?"},
};

[[noreturn]] void unreadable(const std::string& path, int error) {
  throw TraceError{"unreadable", "cannot read " + path + ": " + std::strerror(error)};
}

}  // namespace

void ByteReader::CloseFile::operator()(std::FILE* file) const {
  if (file != stdin) std::fclose(file);
}
void ByteReader::EndInflate::operator()(z_stream_s* stream) const {
  inflateEnd(stream);
  delete stream;
}
ByteReader::~ByteReader() = default;

ByteReader::ByteReader(const std::string& path, Content content)
    : path_{path == "-" ? "standard input" : path},
      content_{content},
      file_{path == "-" ? stdin : std::fopen(path.c_str(), "rb")},
      input_(kChunk) {
  if (!file_) unreadable(path_, errno);
}

bool ByteReader::fill() {
  const std::size_t got = std::fread(input_.data(), 1, input_.size(), file_.get());
  if (got == 0 && std::ferror(file_.get()) != 0) unreadable(path_, errno);
  pending_ = {input_.data(), got};
  return got > 0;
}

void ByteReader::look_at_first_bytes() {
  started_ = true;
  const std::string_view head{pending_.data(), pending_.size()};
  for (const Magic& magic : kOtherFiles)
    if (content_ == Content::trace && head.starts_with(magic.bytes))
      throw TraceError{"not_a_trace", "this is " + std::string{magic.what} + ", not a trace", std::string{magic.hint}};
  if (!head.starts_with("\x1F\x8B")) return;
  auto stream = std::make_unique<z_stream>();
  constexpr int kGzipOnly = 16 + MAX_WBITS;
  if (inflateInit2(stream.get(), kGzipOnly) != Z_OK) throw std::runtime_error{"zlib could not be set up"};
  inflater_.reset(stream.release());
  in_member_ = true;
  output_.resize(kChunk);
}

std::span<const char> ByteReader::next() {
  if (inflater_) return inflate_next();
  if (!fill()) return {};
  if (!started_) {
    look_at_first_bytes();
    if (inflater_) return inflate_next();
  }
  return pending_;
}

std::span<const char> ByteReader::inflate_next() {
  z_stream& z = *inflater_;
  z.next_out = reinterpret_cast<Bytef*>(output_.data());
  z.avail_out = static_cast<uInt>(output_.size());
  while (z.avail_out == output_.size()) {
    if (pending_.empty() && !fill()) {
      if (in_member_)
        throw TraceError{"gzip_truncated", "the gzip file ends in the middle",
                         "Was the download or the upload cut short?"};
      return {};
    }
    if (!in_member_) {  // gzip files may be concatenated; what follows must be another one
      if (inflateReset(&z) != Z_OK) throw std::runtime_error{"zlib could not be set up"};
      in_member_ = true;
    }
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(pending_.data()));
    z.avail_in = static_cast<uInt>(pending_.size());
    const int rc = inflate(&z, Z_NO_FLUSH);
    pending_ = pending_.last(z.avail_in);
    if (rc == Z_STREAM_END) {
      in_member_ = false;
    } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
      throw TraceError{"gzip_damaged", "the gzip file is damaged" + (z.msg ? ": " + std::string{z.msg} : std::string{}),
                       "Download or pack it again; `gzip -t` checks a file."};
    }
  }
  const std::size_t got = output_.size() - z.avail_out;
  unpacked_ += got;
  if (unpacked_ > kMaxUnpacked)
    throw TraceError{"too_big", "the gzip file unpacks to more than 8 GiB",
                     "Cut the recording, or use the compact `ms count` form."};
  return {output_.data(), got};
}

}  // namespace paceline
