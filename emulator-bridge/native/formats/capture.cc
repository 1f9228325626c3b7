#include "formats/capture.hh"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/fail.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr int64_t kLatestSecond = 9'000'000'000;  // of nanoseconds in 64 bits

// What is before the IP header, for this kind of link; empty: not IP.
std::optional<std::size_t> ip_offset(int link, Bytes b) {
  constexpr uint32_t kV4 = 0x0800;
  constexpr uint32_t kV6 = 0x86DD;
  constexpr uint32_t kVlan = 0x8100;
  constexpr uint32_t kServiceVlan = 0x88A8;
  std::size_t type = 0;
  switch (link) {
    case link_type::kRaw:
    case link_type::kIpv4:
    case link_type::kIpv6:
      return 0;
    case link_type::kNull:
    case link_type::kLoop:
      return 4;
    case link_type::kEthernet:
      type = 12;
      break;
    case link_type::kLinuxCooked:
      type = 14;
      break;
    case link_type::kLinuxCooked2:
      if (b.size() < 20) return std::nullopt;
      return big16(b, 0) == kV4 || big16(b, 0) == kV6 ? std::optional<std::size_t>{20} : std::nullopt;
    default:
      return std::nullopt;
  }
  while (b.size() >= type + 2 && (big16(b, type) == kVlan || big16(b, type) == kServiceVlan)) type += 4;
  if (b.size() < type + 2 || (big16(b, type) != kV4 && big16(b, type) != kV6)) return std::nullopt;
  return type + 2;
}

// The length that an IP packet says it has; 0: it is left to the network card, larger than the field, or not captured. Empty: not IP.
std::optional<uint64_t> length_of(Bytes ip) {
  if (ip.empty()) return 0;
  if ((ip[0] >> 4U) == 4) return ip.size() < 4 ? 0 : big16(ip, 2);
  if ((ip[0] >> 4U) != 6) return std::nullopt;
  return ip.size() < 6 || big16(ip, 4) == 0 ? 0 : big16(ip, 4) + 40U;
}

}  // namespace

Capture::Capture(Source& source) : reader_{packet_reader(source)} {}

void Capture::read(const std::function<void(const Captured&)>& each) {
  const int link = reader_->link();
  for (PacketReader::Packet packet; reader_->next(packet);) {
    ++packets_;
    if (std::abs(packet.s) > kLatestSecond)
      fail(TraceError{"capture_broken",
                      "packet " + std::to_string(packets_) + " of the capture has an impossible time"});
    const Bytes frame = packet.kept;
    const auto offset = ip_offset(link, frame);
    if (!offset || packet.bytes <= *offset) continue;
    const Bytes ip = frame.size() > *offset ? frame.subspan(*offset) : Bytes{};
    const auto length = length_of(ip);
    if (!length) continue;
    each({.at_ns = packet.s * 1'000'000'000 + packet.ns,
          .ip = ip,
          .ip_bytes = *length == 0 ? packet.bytes - *offset : *length});
  }
  cut_ = reader_->broken();
}

std::string Capture::link() const { return reader_->link_name(); }

bool Capture::link_is_known() const {
  constexpr std::array kKnown{link_type::kRaw,         link_type::kIpv4,        link_type::kIpv6,
                              link_type::kNull,        link_type::kLoop,        link_type::kEthernet,
                              link_type::kLinuxCooked, link_type::kLinuxCooked2};
  return std::ranges::find(kKnown, reader_->link()) != kKnown.end();
}

bool is_capture(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::array kMagics{"\xA1\xB2\xC3\xD4"sv, "\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\x3C\x4D"sv, "\x4D\x3C\xB2\xA1"sv,
                               "\x0A\x0D\x0D\x0A"sv};
  return std::ranges::any_of(kMagics, [head](std::string_view magic) { return head.starts_with(magic); });
}

}  // namespace paceline::formats
