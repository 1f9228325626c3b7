// Packet captures: the bytes of one flow, or all to one address, when they arrived.

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "core/fail.hh"
#include "formats/arrivals.hh"
#include "formats/capture.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

using Bytes = std::span<const unsigned char>;

constexpr std::size_t kMostFlows = 100'000;
constexpr std::size_t kShownFlows = 20;

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

std::optional<IpPacket> ip_packet(const Captured& captured) {
  const Bytes ip = captured.ip;
  if (ip.empty()) return std::nullopt;
  IpPacket out{.bytes = captured.ip_bytes};
  std::size_t ports = 0;
  if ((ip[0] >> 4U) == 4 && ip.size() >= 20) {
    out.flow.protocol = ip[9];
    std::copy_n(ip.begin() + 12, 4, out.flow.source.begin());
    std::copy_n(ip.begin() + 16, 4, out.flow.destination.begin());
    const bool first_fragment = (big16(ip, 6) & 0x1FFFU) == 0;
    ports = first_fragment ? std::size_t{4} * (ip[0] & 15U) : ip.size();
  } else if ((ip[0] >> 4U) == 6 && ip.size() >= 40) {
    out.flow.v6 = true;
    out.flow.protocol = ip[6];
    std::copy_n(ip.begin() + 8, 16, out.flow.source.begin());
    std::copy_n(ip.begin() + 24, 16, out.flow.destination.begin());
    ports = 40;
  } else {
    return std::nullopt;
  }
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

struct Seen {
  std::vector<std::pair<Flow, uint64_t>> flows{};  // the largest first
  uint64_t packets{};
};

Seen flows_of(Source& source) {
  std::map<Flow, uint64_t> bytes;
  Capture capture{source};
  capture.read([&](const Captured& captured) {
    const auto packet_of = ip_packet(captured);
    if (!packet_of) return;
    const IpPacket& packet = *packet_of;
    if (bytes.size() < kMostFlows || bytes.contains(packet.flow)) bytes[packet.flow] += packet.bytes;
  });
  if (bytes.empty())
    fail(TraceError{"empty", capture.packets() == 0
                                 ? "the capture holds no packets"
                                 : "the capture holds no IP packets (link type " + capture.link() + ")"});
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
  capture.read([&](const Captured& captured) {
    const auto packet_of = ip_packet(captured);
    if (!packet_of) return;
    const IpPacket& packet = *packet_of;
    const int64_t at = captured.at_ns;
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
    fail(TraceError{"empty", "no packet of the capture went to " + to,
                    "The largest flow is " + name_of(seen.flows.front().first) + "."});
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

const RegisterFormat register_packet_capture{{
    .id = "pcap",
    .label = "Packet capture (pcap, pcapng)",
    .extensions = {".pcap", ".pcapng", ".cap"},
    .priority = 90,
    .recognises = is_capture,
    .read = read_capture,
    .fuzz = {{"to", "10.0.0.2"},
             {"to", "fd00::2"},
             {"to", kFromInput},
             {"flow", kFromInput},
             {"flow", "udp 10.0.0.1:5000 > 10.0.0.2:5001"}},
}};

}  // namespace

}  // namespace paceline::formats
