#include "drivers/wasm_trace/unpack.hh"

#include "core/fail.hh"
#include "drivers/wasm_trace/host.hh"
#include "io/unpacker.hh"
#include "trace/error.hh"

namespace paceline {

namespace {

Unpacked ended = Unpacked::whole;
std::size_t there = 0;

class ByHost final : public Unpacker {
 public:
  std::size_t unpack(std::span<const char>& in, std::span<char> out) override {
    in = {};
    const std::size_t got = paceline_host_unpacked(at_, out.data(), out.size());
    at_ += got;
    if (got == 0 && ended == Unpacked::damaged)
      fail(TraceError{"gzip_damaged", "the gzip file is damaged",
                      "Download or pack it again; `gzip -t` checks a file."});
    return got;
  }
  [[nodiscard]] bool whole() const override { return at_ == there && ended == Unpacked::whole; }
  [[nodiscard]] std::string_view name() const override { return "gzip"; }

 private:
  std::size_t at_{};
};

}  // namespace

void set_unpacked(Unpacked how, std::size_t bytes) {
  ended = how;
  there = bytes;
}

std::unique_ptr<Unpacker> unpacker_for(std::string_view head) {
  if (head.starts_with("\x1F\x8B")) return std::make_unique<ByHost>();
  if (head.starts_with("\x28\xB5\x2F\xFD"))
    fail(TraceError{"zstd_unknown", "this is a zstd file, which cannot be unpacked here",
                    "Unpack it with `zstd -d` (gzip files are read as they are)."});
  return nullptr;
}

}  // namespace paceline
