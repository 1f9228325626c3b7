// pcap and pcapng, by libpcap: the bytes of one flow, or all to one address, when they arrived.

#include <arpa/inet.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "apps/formats/arrivals.hh"
#include "apps/formats/formats.hh"
#include "link/trace_text.hh"

namespace paceline::formats {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::size_t kMostFlows = 100'000;
constexpr std::size_t kShownFlows = 20;
constexpr int64_t kLatestSecond = 9'000'000'000;  // of nanoseconds in 64 bits

uint32_t big16(Bytes b, std::size_t at) { return static_cast<uint32_t>(b[at] << 8U | b[at + 1]); }

// One way between two ends.
struct Flow {
  bool v6{};
  uint8_t protocol{};
  std::array<unsigned char, 16> source{};
  std::array<unsigned char, 16> destination{};
  uint16_t source_port{};
  uint16_t destination_port{};
  auto operator<=>(const Flow&) const = default;
};

struct IpPacket {
  Flow flow{};
  uint64_t bytes{};  // IP headers included
};

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

std::optional<IpPacket> ip_packet(int link, Bytes b, uint64_t wire_bytes) {
  const auto offset = ip_offset(link, b);
  if (!offset || b.size() <= *offset) return std::nullopt;
  const Bytes ip = b.subspan(*offset);
  IpPacket out{};
  std::size_t ports = 0;
  if ((ip[0] >> 4U) == 4 && ip.size() >= 20) {
    out.bytes = big16(ip, 2);
    out.flow.protocol = ip[9];
    std::copy_n(ip.begin() + 12, 4, out.flow.source.begin());
    std::copy_n(ip.begin() + 16, 4, out.flow.destination.begin());
    const bool first_fragment = (big16(ip, 6) & 0x1FFFU) == 0;
    ports = first_fragment ? std::size_t{4} * (ip[0] & 15U) : ip.size();
  } else if ((ip[0] >> 4U) == 6 && ip.size() >= 40) {
    out.flow.v6 = true;
    out.bytes = big16(ip, 4) == 0 ? 0 : big16(ip, 4) + 40U;
    out.flow.protocol = ip[6];
    std::copy_n(ip.begin() + 8, 16, out.flow.source.begin());
    std::copy_n(ip.begin() + 24, 16, out.flow.destination.begin());
    ports = 40;
  } else {
    return std::nullopt;
  }
  // Left to the network card, or larger than the field.
  if (out.bytes == 0 && wire_bytes > *offset) out.bytes = wire_bytes - *offset;
  if ((out.flow.protocol == 6 || out.flow.protocol == 17) && ip.size() >= ports + 4) {
    out.flow.source_port = static_cast<uint16_t>(big16(ip, ports));
    out.flow.destination_port = static_cast<uint16_t>(big16(ip, ports + 2));
  }
  return out;
}

std::string address(const Flow& flow, const std::array<unsigned char, 16>& which) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(flow.v6 ? AF_INET6 : AF_INET, which.data(), text.data(), text.size());
  return text.data();
}

std::string name_of(const Flow& flow) {
  const std::string protocol = flow.protocol == 6    ? "tcp"
                               : flow.protocol == 17 ? "udp"
                                                     : "ip" + std::to_string(flow.protocol);
  const auto end = [&flow](const auto& which, uint16_t port) {
    std::string at = flow.v6 ? "[" : "";
    at += address(flow, which);
    if (flow.v6) at += ']';
    return port == 0 ? at : at + ":" + std::to_string(port);
  };
  return protocol + " " + end(flow.source, flow.source_port) + " > " + end(flow.destination, flow.destination_port);
}

// libpcap reads FILEs; this one has the source behind it. What the source throws waits until libpcap, which is C, has come back.
struct Cookie {
  Source* source{};
  std::span<const char> pending{};
  std::exception_ptr thrown{};
};

ssize_t read_cookie(void* data, char* into, size_t size) {
  auto& cookie = *static_cast<Cookie*>(data);
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

class Capture {
 public:
  explicit Capture(Source& source) : cookie_{.source = &source} {
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

  // One packet after the other; `each` gets its IP packet and when it was captured.
  template <typename Each>
  void read(Each each) {
    const int link = ::pcap_datalink(pcap_.get());
    pcap_pkthdr* header{};
    const unsigned char* data{};
    int rc = 0;
    while ((rc = ::pcap_next_ex(pcap_.get(), &header, &data)) == 1) {
      ++packets_;
      if (std::abs(header->ts.tv_sec) > kLatestSecond)
        throw TraceError{"capture_broken",
                         "packet " + std::to_string(packets_) + " of the capture has an impossible time"};
      const int64_t at = static_cast<int64_t>(header->ts.tv_sec) * 1'000'000'000 + header->ts.tv_usec;
      if (const auto packet = ip_packet(link, {data, header->caplen}, header->len)) each(*packet, at);
    }
    if (cookie_.thrown) std::rethrow_exception(cookie_.thrown);
    if (rc == PCAP_ERROR) cut_ = ::pcap_geterr(pcap_.get());
  }
  [[nodiscard]] const std::string& cut() const { return cut_; }  // why it ended before its end
  [[nodiscard]] uint64_t packets() const { return packets_; }
  [[nodiscard]] std::string link() const {
    const char* const name = ::pcap_datalink_val_to_name(::pcap_datalink(pcap_.get()));
    return name == nullptr ? std::to_string(::pcap_datalink(pcap_.get())) : name;
  }

 private:
  struct Close {
    void operator()(pcap_t* pcap) const { ::pcap_close(pcap); }
  };
  Cookie cookie_;
  std::unique_ptr<pcap_t, Close> pcap_{};
  std::string cut_{};
  uint64_t packets_{};
};

struct Seen {
  std::vector<std::pair<Flow, uint64_t>> flows{};  // the largest first
  uint64_t packets{};
};

Seen flows_of(Source& source) {
  std::map<Flow, uint64_t> bytes;
  Capture capture{source};
  capture.read([&bytes](const IpPacket& packet, int64_t) {
    if (bytes.size() < kMostFlows || bytes.contains(packet.flow)) bytes[packet.flow] += packet.bytes;
  });
  if (bytes.empty())
    throw TraceError{"empty", capture.packets() == 0
                                  ? "the capture holds no packets"
                                  : "the capture holds no IP packets (link type " + capture.link() + ")"};
  Seen seen{.flows = {bytes.begin(), bytes.end()}, .packets = capture.packets()};
  std::ranges::stable_sort(seen.flows, std::greater{}, &std::pair<Flow, uint64_t>::second);
  return seen;
}

Option flow_option(const Seen& seen) {
  Option option{.name = "flow",
                .label = "Flow",
                .value = name_of(seen.flows.front().first),
                .help = "What one sender sent to one receiver, the largest first."};
  for (std::size_t i = 0; i < std::min(kShownFlows, seen.flows.size()); ++i) {
    const std::string name = name_of(seen.flows[i].first);
    option.choices.push_back({name, name + " (" + std::to_string(seen.flows[i].second / 1000) + " kB)"});
  }
  return option;
}

void read_capture(Source& source, const Choices& choices, Reading& reading) {
  const Seen seen = flows_of(source);
  const std::string to =
      decide(reading, choices,
             {.name = "to",
              .label = "Everything to",
              .value = "",
              .help = "An address: all packets to it count, whatever flow they are of. Empty: one flow."});
  const std::string flow = to.empty() ? decide(reading, choices, flow_option(seen)) : "";
  source.rewind();
  Arrivals arrivals;
  uint64_t packets = 0;
  uint64_t large = 0;
  uint64_t backwards = 0;
  int64_t last = INT64_MIN;
  bool tcp = false;
  std::map<Flow, bool> counts;
  Capture capture{source};
  capture.read([&](const IpPacket& packet, int64_t at) {
    const auto known = counts.find(packet.flow);
    bool of_it = false;
    if (known != counts.end()) {
      of_it = known->second;
    } else {
      of_it = to.empty() ? name_of(packet.flow) == flow : address(packet.flow, packet.flow.destination) == to;
      if (counts.size() < kMostFlows) counts.emplace(packet.flow, of_it);
    }
    if (!of_it) return;
    constexpr uint64_t kEthernet = 1500;
    ++packets;
    large += packet.bytes > kEthernet ? 1 : 0;
    backwards += at < last ? 1 : 0;
    last = std::max(last, at);
    tcp = tcp || packet.flow.protocol == 6;
    arrivals.add(at, packet.bytes);
  });
  if (packets == 0)
    throw TraceError{"empty", "no packet of the capture went to " + to,
                     "The largest flow is " + name_of(seen.flows.front().first) + "."};
  reading.notes.push_back(std::to_string(packets) + " of " + std::to_string(seen.packets) + " packets.");
  reading.notes.push_back(
      "Arrivals are capacity only where the sender sent more than the path could carry all the time.");
  if (tcp)
    reading.notes.push_back("TCP: this is what its congestion control made of the path, not the path's capacity.");
  if (large > 0)
    reading.notes.push_back(std::to_string(large) +
                            " packets were joined by the network card before they were captured: shorter times than "
                            "their arrivals mean nothing.");
  if (backwards > 0)
    reading.notes.push_back("The clock of the capture went back " + std::to_string(backwards) +
                            " times; it was held meanwhile.");
  if (!capture.cut().empty())
    reading.notes.push_back("The capture is cut; what came before was read (" + capture.cut() + ").");
  reading.source_bytes = arrivals.bytes();
  reading.counts = arrivals.finish();
}

bool is_capture(std::string_view head) {
  using namespace std::string_view_literals;
  constexpr std::array kMagics{"\xA1\xB2\xC3\xD4"sv, "\xD4\xC3\xB2\xA1"sv, "\xA1\xB2\x3C\x4D"sv, "\x4D\x3C\xB2\xA1"sv,
                               "\x0A\x0D\x0D\x0A"sv};
  return std::ranges::any_of(kMagics, [head](std::string_view magic) { return head.starts_with(magic); });
}

}  // namespace

const Format kPacketCapture{
    .id = "pcap",
    .label = "Packet capture (pcap, pcapng)",
    .recognises = is_capture,
    .read = read_capture,
};

}  // namespace paceline::formats
