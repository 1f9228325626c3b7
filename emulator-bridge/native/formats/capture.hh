#pragma once
// pcap and pcapng, one packet after the other.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "formats/packet_reader.hh"

namespace paceline::formats {

// Two bytes of a header.
[[nodiscard]] inline uint32_t big16(std::span<const unsigned char> b, std::size_t at) {
  return static_cast<uint32_t>(b[at] << 8U | b[at + 1]);
}

struct Captured {
  int64_t at_ns{};
  std::span<const unsigned char> ip{};  // what was kept of the IP packet; empty: it is none
  uint64_t ip_bytes{};                  // its length on the wire, headers included
};

class Capture {
 public:
  // Throws TraceError when it is none.
  explicit Capture(Source& source);

  void read(const std::function<void(const Captured&)>& each);
  [[nodiscard]] const std::string& cut() const { return cut_; }  // why it ended before its end
  [[nodiscard]] uint64_t packets() const { return packets_; }
  [[nodiscard]] std::string link() const;  // its type, by name
  [[nodiscard]] bool link_is_known() const;

 private:
  std::unique_ptr<PacketReader> reader_;
  std::string cut_{};
  uint64_t packets_{};
};

// Is this the beginning of one?
[[nodiscard]] bool is_capture(std::string_view head);

}  // namespace paceline::formats
