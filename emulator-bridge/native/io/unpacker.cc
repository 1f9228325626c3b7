#include "io/unpacker.hh"

#include <stdexcept>
#include <string>

#include <zlib.h>
#include <zstd.h>

#include "trace/error.hh"

namespace paceline {

namespace {

class Gzip final : public Unpacker {
 public:
  Gzip() {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::runtime_error{"zlib could not be set up"};
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  std::size_t unpack(std::span<const char>& in, std::span<char> out) override {
    if (!in_member_ && inflateReset(&stream_) != Z_OK) throw std::runtime_error{"zlib could not be set up"};
    in_member_ = true;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int rc = inflate(&stream_, Z_NO_FLUSH);
    in = in.last(stream_.avail_in);
    if (rc == Z_STREAM_END) {
      in_member_ = false;
    } else if (rc != Z_OK && rc != Z_BUF_ERROR) {
      throw TraceError{"gzip_damaged",
                       "the gzip file is damaged" + (stream_.msg ? ": " + std::string{stream_.msg} : std::string{}),
                       "Download or pack it again; `gzip -t` checks a file."};
    }
    return out.size() - stream_.avail_out;
  }
  [[nodiscard]] bool whole() const override { return !in_member_; }
  [[nodiscard]] std::string_view name() const override { return "gzip"; }

 private:
  z_stream stream_{};
  bool in_member_{true};
};

class Zstd final : public Unpacker {
 public:
  Zstd() : stream_{ZSTD_createDStream()} {
    if (!stream_) throw std::runtime_error{"zstd could not be set up"};
  }

  std::size_t unpack(std::span<const char>& in, std::span<char> out) override {
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const std::size_t rc = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(rc) != 0)
      throw TraceError{"zstd_damaged", "the zstd file is damaged: " + std::string{ZSTD_getErrorName(rc)},
                       "Download or pack it again; `zstd -t` checks a file."};
    in = in.subspan(from.pos);
    whole_ = rc == 0;
    return to.pos;
  }
  [[nodiscard]] bool whole() const override { return whole_; }
  [[nodiscard]] std::string_view name() const override { return "zstd"; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  bool whole_{};
};

}  // namespace

std::unique_ptr<Unpacker> unpacker_for(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return std::make_unique<Gzip>();
  if (head.starts_with("\x28\xB5\x2F\xFD")) return std::make_unique<Zstd>();
  return nullptr;
}

}  // namespace paceline
