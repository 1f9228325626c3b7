#pragma once
// Who knows how captures are laid out: libpcap (libpcap.cc); as WebAssembly, where there is none, drivers/wasm_trace/captures.cc.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "formats/source.hh"

namespace paceline::formats {

// Kinds of links whose packets are looked into, as libpcap numbers them.
namespace link_type {
inline constexpr int kNull = 0;
inline constexpr int kEthernet = 1;
inline constexpr int kRaw = 12;
inline constexpr int kLoop = 108;
inline constexpr int kLinuxCooked = 113;
inline constexpr int kIpv4 = 228;
inline constexpr int kIpv6 = 229;
inline constexpr int kLinuxCooked2 = 276;
}  // namespace link_type

class PacketReader {
 public:
  struct Packet {
    int64_t s{};
    int64_t ns{};  // and of that second
    std::span<const unsigned char> kept{};
    uint32_t bytes{};  // on the wire
  };

  virtual ~PacketReader() = default;
  // False at the end, and where it is broken; what `packet` has is valid until the next call. Throws what the source throws.
  virtual bool next(Packet& packet) = 0;
  [[nodiscard]] virtual std::string broken() const = 0;  // why it ended before its end, or nothing
  [[nodiscard]] virtual int link() const = 0;
  [[nodiscard]] virtual std::string link_name() const = 0;
};

// Throws TraceError when the source is no capture.
[[nodiscard]] std::unique_ptr<PacketReader> packet_reader(Source& source);

}  // namespace paceline::formats
