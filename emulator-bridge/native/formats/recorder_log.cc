// The log of paceline-recorder (docs/recorder.md): when each packet arrived.

#include <array>

#include "core/fail.hh"
#include "formats/arrivals.hh"
#include "formats/cells.hh"
#include "formats/lines.hh"
#include "formats/registry.hh"
#include "trace/text.hh"

namespace paceline::formats {

namespace {

constexpr std::string_view kHeader = "arrival_ns,sequence,sent_ns";

void read_log(Source& source, const Choices& choices, Reading& reading) {
  const std::string size = decide(reading, choices,
                                  {.name = "packet_bytes",
                                   .label = "Bytes of a packet",
                                   .value = "1500",
                                   .help = "As the recorder's --packet-bytes said, IP headers included."});
  const auto bytes = number_of(size, false);
  if (!bytes || *bytes < 64 || *bytes > 65535)
    fail(TraceError{"option", "packet_bytes must be from 64 to 65535, not \"" + size + "\""});
  Lines lines{source};
  std::string_view line;
  if (!lines.next(line)) fail(TraceError{"empty", "the log is empty"});
  Arrivals arrivals;
  std::vector<std::string_view> cells;
  uint64_t packets = 0;
  while (lines.next(line)) {
    if (line.empty()) continue;
    split(line, ',', cells);
    const auto at = time_of(cells.front(), 1, false);
    if (cells.size() != 3 || !at)
      fail(TraceError{"not_a_number", "this is not a line of the recorder's log",
                      "The last line of a log that was cut can be deleted.",
                      TraceError::Place{lines.number(), std::string{line.substr(0, 60)}}});
    arrivals.add(*at, static_cast<uint64_t>(*bytes));
    ++packets;
  }
  reading.notes.push_back(std::to_string(packets) +
                          " packets arrived. The recorder's report says whether its sender was fast enough.");
  reading.source_bytes = arrivals.bytes();
  reading.counts = arrivals.finish();
}

const RegisterFormat register_recorder_log{{
    .id = "recorder-log",
    .label = "Log of paceline-recorder",
    .extensions = {".csv"},
    .priority = 70,
    .recognises = [](std::string_view head) { return head.starts_with(kHeader); },
    .read = read_log,
    .lines = true,
    .fuzz = {{"packet_bytes", kFromInput}, {"packet_bytes", "64"}, {"packet_bytes", "65535"}},
}};

}  // namespace

}  // namespace paceline::formats
