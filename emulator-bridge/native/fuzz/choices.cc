#include "fuzz/choices.hh"

#include <algorithm>
#include <array>
#include <functional>

#include "formats/registry.hh"

namespace paceline::fuzz {

namespace {

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
  const auto all = formats::registered_formats();
  Chosen chosen{.file = input.substr(kHeader)};
  const std::size_t which = digit(input[0]) % (all.size() + 2);
  chosen.recording = which == 1;
  if (which > 1) chosen.format = all[which - 2];
  chosen.chunk = kChunks[digit(input[1]) % kChunks.size()];
  chosen.packing = kPackings[digit(input[2]) % kPackings.size()];
  // By a hash, so that mutation cannot make it the rule: printing takes many times as long as reading.
  constexpr std::size_t kReportOneIn = 16;
  chosen.report = std::hash<std::string_view>{}(input) % kReportOneIn == 0;
  for (const char c : input.substr(3, 3)) {
    if (digit(c) == 0) continue;
    const auto& format = chosen.format != nullptr ? *chosen.format : formats::format_of(chosen.file);
    if (format.fuzz.empty()) break;
    const auto& [name, value] = format.fuzz[(digit(c) - 1) % format.fuzz.size()];
    chosen.options[std::string{name}] = value == formats::kFromInput ? take_first_line(chosen.file) : value;
  }
  return chosen;
}

}  // namespace paceline::fuzz
