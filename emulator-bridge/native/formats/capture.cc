#include "formats/capture.hh"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

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
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return 0;
    case DLT_NULL:
    case DLT_LOOP:
      return 4;
    case DLT_EN10MB:
      type = 12;
      break;
    case DLT_LINUX_SLL:
      type = 14;
      break;
    case DLT_LINUX_SLL2:
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

// libpcap reads FILEs; this one has the source behind it. What the source throws waits until libpcap, which is C, has come back.
ssize_t read_cookie(void* data, char* into, size_t size) {
  auto& cookie = *static_cast<Capture::Cookie*>(data);
  try {
    if (cookie.pending.empty()) cookie.pending = cookie.source->next();
  } catch (...) {
    cookie.thrown = std::current_exception();
    return -1;
  }
  const std::size_t take = std::min(size, cookie.pending.size());
  std::copy_n(cookie.pending.begin(), take, into);
  cookie.pending = cookie.pending.subspan(take);
  return static_cast<ssize_t>(take);
}

}  // namespace

Capture::Capture(Source& source) : cookie_{.source = &source} {
  std::FILE* file =
      ::fopencookie(&cookie_, "rb", {.read = read_cookie, .write = nullptr, .seek = nullptr, .close = nullptr});
  if (file == nullptr) throw std::runtime_error{"no memory for reading a capture"};
  std::array<char, PCAP_ERRBUF_SIZE> why{};
  pcap_.reset(::pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, why.data()));
  if (pcap_) return;
  std::fclose(file);
  if (cookie_.thrown) std::rethrow_exception(cookie_.thrown);
  throw TraceError{"capture_broken", "this capture cannot be read: " + std::string{why.data()}};
}

void Capture::read(const std::function<void(const Captured&)>& each) {
  const int link = ::pcap_datalink(pcap_.get());
  pcap_pkthdr* header{};
  const unsigned char* data{};
  int rc = 0;
  while ((rc = ::pcap_next_ex(pcap_.get(), &header, &data)) == 1) {
    ++packets_;
    if (std::abs(header->ts.tv_sec) > kLatestSecond)
      throw TraceError{"capture_broken",
                       "packet " + std::to_string(packets_) + " of the capture has an impossible time"};
    const Bytes frame{data, header->caplen};
    const auto offset = ip_offset(link, frame);
    if (!offset || header->len <= *offset) continue;
    const Bytes ip = frame.size() > *offset ? frame.subspan(*offset) : Bytes{};
    const auto length = length_of(ip);
    if (!length) continue;
    each({.at_ns = static_cast<int64_t>(header->ts.tv_sec) * 1'000'000'000 + header->ts.tv_usec,
          .ip = ip,
          .ip_bytes = *length == 0 ? header->len - *offset : *length});
  }
  if (cookie_.thrown) std::rethrow_exception(cookie_.thrown);
  if (rc == PCAP_ERROR) cut_ = ::pcap_geterr(pcap_.get());
}

std::string Capture::link() const {
  const int link = ::pcap_datalink(pcap_.get());
  const char* const name = ::pcap_datalink_val_to_name(link);
  return name == nullptr ? std::to_string(link) : name;
}

bool Capture::link_is_known() const {
  constexpr std::array kKnown{DLT_RAW,  DLT_IPV4,   DLT_IPV6,      DLT_NULL,
                              DLT_LOOP, DLT_EN10MB, DLT_LINUX_SLL, DLT_LINUX_SLL2};
  return std::ranges::find(kKnown, ::pcap_datalink(pcap_.get())) != kKnown.end();
}

bool is_capture(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::array kMagics{"\xA1\xB2\xC3\xD4"sv, "\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\x3C\x4D"sv, "\x4D\x3C\xB2\xA1"sv,
                               "\x0A\x0D\x0D\x0A"sv};
  return std::ranges::any_of(kMagics, [head](std::string_view magic) { return head.starts_with(magic); });
}

}  // namespace paceline::formats
