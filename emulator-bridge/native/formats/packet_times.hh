#pragma once
// When an application wrote how much, from a recording: a table of time_s,bytes, or a packet capture.

#include <cstdint>
#include <vector>

#include "formats/source.hh"

namespace paceline::formats {

struct PacketTimes {
  std::vector<double> times_ms{};  // from the first packet, to the microsecond, in order
  std::vector<uint64_t> bytes{};   // with IP headers
};

// Throws TraceError, with the line where lines are. More than `most` packets are refused.
[[nodiscard]] PacketTimes read_packet_times(Source& source, std::size_t most);

}  // namespace paceline::formats
