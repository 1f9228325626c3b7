#pragma once
// Packet captures in memory.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace paceline::testing {

// An Ethernet frame with IPv4 and UDP from 10.0.0.<from> to 10.0.0.<to>, of so many IP bytes, cut after its headers.
inline std::string udp_frame(uint8_t from, uint8_t to, uint16_t ip_bytes) {
  std::string f(12, '\1');
  f += std::string("\x08\x00\x45\x00", 4);
  f += static_cast<char>(ip_bytes >> 8U);
  f += static_cast<char>(ip_bytes & 0xFFU);
  f += std::string("\0\0\0\0\x40\x11\0\0", 8);
  for (const uint8_t end : {from, to}) f += std::string("\x0A\0\0", 3) + static_cast<char>(end);
  f += std::string("\x13\x88\x13\x89\0\0\0\0", 8);
  return f;
}

struct CapturedFrame {
  double at_s;
  std::string frame;
  uint32_t wire;
};

struct CaptureStyle {
  bool big_endian{};
  bool nano{};
  uint32_t link{1};
};

// Numbers in the byte order of the machine that made the capture.
class CaptureWriter {
 public:
  explicit CaptureWriter(bool big_endian) : big_endian_{big_endian} {}
  template <typename T>
  CaptureWriter& put(T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) {
      const std::size_t byte = big_endian_ ? sizeof value - 1 - i : i;
      bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * byte));
    }
    return *this;
  }
  CaptureWriter& block(uint32_t type, std::string body) {
    body.resize((body.size() + 3) / 4 * 4);
    const auto length = static_cast<uint32_t>(body.size() + 12);
    put(type).put(length);
    bytes += body;
    return put(length);
  }

  std::string bytes{};

 private:
  bool big_endian_;
};

inline std::string pcap(const std::vector<CapturedFrame>& packets, const CaptureStyle& style = {}) {
  CaptureWriter out{style.big_endian};
  out.put<uint32_t>(style.nano ? 0xA1B23C4D : 0xA1B2C3D4).put<uint16_t>(2).put<uint16_t>(4).put<uint64_t>(0);
  out.put<uint32_t>(96).put(style.link);
  for (const CapturedFrame& p : packets) {
    const double unit = style.nano ? 1e9 : 1e6;
    out.put(static_cast<uint32_t>(p.at_s));
    out.put(static_cast<uint32_t>(std::lround((p.at_s - std::floor(p.at_s)) * unit)));
    out.put(static_cast<uint32_t>(p.frame.size())).put(p.wire);
    out.bytes += p.frame;
  }
  return out.bytes;
}

inline std::string pcapng_section(bool big_endian = false) {
  CaptureWriter body{big_endian};
  body.put<uint32_t>(0x1A2B3C4D).put<uint16_t>(1).put<uint16_t>(0).put<int64_t>(-1);
  return CaptureWriter{big_endian}.block(0x0A0D0D0A, body.bytes).bytes;
}

// `resolution`: the option if_tsresol; 0: without it.
inline std::string pcapng_interface(uint8_t resolution = 0, bool big_endian = false) {
  CaptureWriter body{big_endian};
  body.put<uint16_t>(1).put<uint16_t>(0).put<uint32_t>(96);
  if (resolution > 0) {
    body.put<uint16_t>(9).put<uint16_t>(1);
    body.bytes += std::string{static_cast<char>(resolution), '\0', '\0', '\0'};
    body.put<uint32_t>(0);
  }
  return CaptureWriter{big_endian}.block(1, body.bytes).bytes;
}

inline std::string pcapng_packet(uint64_t ticks, const std::string& frame, uint32_t wire, bool big_endian = false) {
  CaptureWriter body{big_endian};
  body.put<uint32_t>(0).put(static_cast<uint32_t>(ticks >> 32U)).put(static_cast<uint32_t>(ticks));
  body.put(static_cast<uint32_t>(frame.size())).put(wire);
  return CaptureWriter{big_endian}.block(6, body.bytes + frame).bytes;
}

inline std::string pcapng(const std::vector<CapturedFrame>& packets) {
  std::string out = pcapng_section() + pcapng_interface();
  for (const CapturedFrame& p : packets)
    out += pcapng_packet(static_cast<uint64_t>(std::llround(p.at_s * 1e6)), p.frame, p.wire);
  return out;
}

}  // namespace paceline::testing
