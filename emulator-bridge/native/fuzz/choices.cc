#include "fuzz/choices.hh"

#include <algorithm>
#include <array>
#include <functional>

namespace paceline::fuzz {

namespace {

struct Pair {
  std::string_view name;
  std::string_view value;
};
// A value that the file's first line gives: those that a person types.
constexpr std::string_view kFirstLine = "\n";

constexpr std::array kOfTrace{Pair{"time_unit", "us"}, Pair{"columns", "ms count"}, Pair{"time_unit", kFirstLine}};
constexpr std::array kOfTable{
    Pair{"gaps", "hold"},         Pair{"gaps", "zero"},       Pair{"gaps", "interpolate"}, Pair{"rows", "end"},
    Pair{"time", "(row number)"}, Pair{"time", "column 1"},   Pair{"time", "column 2"},    Pair{"rate", "column 1"},
    Pair{"rate", "column 2"},     Pair{"rate", "UL_bitrate"}, Pair{"time_unit", "ms"},     Pair{"time_unit", "us"},
    Pair{"time_unit", "ns"},      Pair{"time_unit", "s"},     Pair{"rate_unit", "bps"},    Pair{"rate_unit", "kbps"},
    Pair{"rate_unit", "Gbps"},    Pair{"rate_unit", "MBps"},  Pair{"step_ms", kFirstLine}, Pair{"time", kFirstLine},
    Pair{"rate", kFirstLine},     Pair{"run", kFirstLine},    Pair{"only", kFirstLine},    Pair{"step_ms", "0.001"},
    Pair{"step_ms", "86400000"},  Pair{"gaps", "refuse"},
};
constexpr std::array kOfIperf3{Pair{"direction", "reverse"}, Pair{"direction", "forward"}};
constexpr std::array kOfRecorderLog{Pair{"packet_bytes", kFirstLine}, Pair{"packet_bytes", "64"},
                                    Pair{"packet_bytes", "65535"}};
constexpr std::array kOfCapture{Pair{"to", "10.0.0.2"}, Pair{"to", "fd00::2"}, Pair{"to", kFirstLine},
                                Pair{"flow", kFirstLine}, Pair{"flow", "udp 10.0.0.1:5000 > 10.0.0.2:5001"}};

std::span<const Pair> pairs_of(std::string_view format) {
  if (format == "trace") return kOfTrace;
  if (format == "iperf3") return kOfIperf3;
  if (format == "recorder-log") return kOfRecorderLog;
  if (format == "pcap") return kOfCapture;
  return kOfTable;
}

std::size_t digit(char c) { return static_cast<uint8_t>(c - '0'); }

std::string_view take_first_line(std::string_view& file) {
  const std::size_t end = std::min(file.find('\n'), file.size());
  const std::string_view line = file.substr(0, end);
  file.remove_prefix(std::min(end + 1, file.size()));
  return line;
}

}  // namespace

std::optional<Chosen> chosen_by(std::string_view input) {
  constexpr std::size_t kHeader = 6;
  constexpr std::array<std::size_t, 6> kChunks{1U << 18U, 8, 9, 61, 256, 4096};
  constexpr std::array kPackings{Packing::as_it_is, Packing::as_it_is,    Packing::as_it_is, Packing::gzip,
                                 Packing::zstd,     Packing::two_members, Packing::cut,      Packing::as_it_is};
  if (input.size() < kHeader) return std::nullopt;
  const auto all = formats::all_formats();
  Chosen chosen{.file = input.substr(kHeader)};
  const std::size_t which = digit(input[0]) % (all.size() + 2);
  chosen.recording = which > all.size();
  if (which > 0 && !chosen.recording) chosen.format = all[which - 1];
  chosen.chunk = kChunks[digit(input[1]) % kChunks.size()];
  chosen.packing = kPackings[digit(input[2]) % kPackings.size()];
  // By a hash, so that mutation cannot make it the rule: printing takes many times as long as reading.
  constexpr std::size_t kReportOneIn = 16;
  chosen.report = std::hash<std::string_view>{}(input) % kReportOneIn == 0;
  for (const char c : input.substr(3, 3)) {
    if (digit(c) == 0) continue;
    const auto& format = chosen.format != nullptr ? *chosen.format : formats::format_of(chosen.file);
    const auto pairs = pairs_of(format.id);
    const Pair& pair = pairs[(digit(c) - 1) % pairs.size()];
    chosen.options[std::string{pair.name}] = pair.value == kFirstLine ? take_first_line(chosen.file) : pair.value;
  }
  return chosen;
}

}  // namespace paceline::fuzz
