#include "formats/packet_times.hh"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/fail.hh"
#include "formats/capture.hh"
#include "formats/cells.hh"
#include "formats/lines.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr double kNanoseconds = 1e9;

struct Packet {
  int64_t at_ns{};
  uint64_t bytes{};
};

class Packets {
 public:
  explicit Packets(std::size_t most) : most_{most} {}
  void add(int64_t at_ns, uint64_t bytes) {
    if (++seen_ <= most_) packets_.push_back({at_ns, bytes});
  }
  [[nodiscard]] bool empty() const { return seen_ == 0; }
  [[nodiscard]] PacketTimes finish() {
    if (empty()) fail(TraceError{"empty", "there is no packet in it"});
    if (seen_ > most_)
      fail(TraceError{"too_many",
                      "it has " + std::to_string(seen_) + " packets, more than " + std::to_string(most_) + ": cut it"});
    std::ranges::stable_sort(packets_, {}, &Packet::at_ns);
    PacketTimes out;
    for (const auto& [at_ns, bytes] : packets_) {
      const uint64_t ns = static_cast<uint64_t>(at_ns) - static_cast<uint64_t>(packets_.front().at_ns);
      out.times_ms.push_back(static_cast<double>((ns + 500) / 1000) / 1000);
      out.bytes.push_back(bytes);
    }
    return out;
  }

 private:
  std::size_t most_;
  uint64_t seen_{};
  std::vector<Packet> packets_{};
};

void read_capture(Source& source, Packets& packets) {
  Capture capture{source};
  if (!capture.link_is_known())
    fail(TraceError{"link_type", "the capture's link type " + capture.link() +
                                     " is not known here: Ethernet, raw IP and Linux “any” are"});
  capture.read([&packets](const Captured& packet) { packets.add(packet.at_ns, packet.ip_bytes); });
  if (capture.cut().find("truncated") != std::string::npos)
    fail(TraceError{"cut", "the capture ends in the middle of a packet: " + capture.cut()});
  if (!capture.cut().empty()) fail(TraceError{"capture_broken", "the capture is broken: " + capture.cut()});
}

void cells_of(std::string_view line, std::vector<std::string_view>& cells) {
  constexpr std::string_view kBetween = ",;\t ";
  cells.clear();
  while (!line.empty()) {
    const std::size_t begin = std::min(line.find_first_not_of(kBetween), line.size());
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(kBetween), line.size());
    if (end > 0) cells.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

void read_table(Source& source, Packets& packets) {
  Lines lines{source};
  std::vector<std::string_view> cells;
  for (std::string_view line; lines.next(line);) {
    cells_of(line, cells);
    if (cells.empty() || cells.front().starts_with('#')) continue;
    const auto refuse = [&](std::string message) {
      fail(TraceError{
          "packet_table", std::move(message), {}, TraceError::Place{lines.number(), std::string{line.substr(0, 60)}}});
    };
    const bool words =
        std::ranges::none_of(cells, [](std::string_view cell) { return number_of(cell, false).has_value(); });
    if (packets.empty() && words) {
      if (cells.size() < 2 || cells[0] != "time_s" || cells[1] != "bytes")
        refuse("the columns must be time_s and bytes, not " + std::string{cells[0]} +
               (cells.size() < 2 ? "" : " and " + std::string{cells[1]}));
      continue;
    }
    const auto at = number_of(cells[0], false);
    if (cells.size() != 2 || !at || std::abs(*at) > 9e9) refuse("must be a time in seconds and a number of bytes");
    const auto bytes = number_of(cells[1], false);
    if (!bytes || *bytes < 1 || *bytes > 1e15 || *bytes != std::floor(*bytes))
      refuse(std::string{cells[1]} + " is not a whole number of bytes");
    packets.add(std::llround(*at * kNanoseconds), static_cast<uint64_t>(*bytes));
  }
}

}  // namespace

PacketTimes read_packet_times(Source& source, std::size_t most) {
  Packets packets{most};
  if (is_capture(source.head()))
    read_capture(source, packets);
  else
    read_table(source, packets);
  return packets.finish();
}

}  // namespace paceline::formats
