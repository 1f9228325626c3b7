#pragma once
// What the first bytes of a fuzzed input choose; the rest is the file. A byte stands for its distance from the digit 0, so that seeds can be
// written by hand: "000000" reads the file as it looks, as it is, in one piece, without options.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "formats/format.hh"

namespace paceline::fuzz {

enum class Packing : uint8_t { as_it_is, gzip, zstd, two_members, cut };

struct Chosen {
  const formats::Format* format{};  // none: what the file looks like
  bool recording{};                 // read as what an application wrote (formats/packet_times.hh), not as a trace
  std::size_t chunk{};              // it comes in pieces of so many bytes
  Packing packing{};
  bool report{};  // what was understood is printed too
  formats::Choices options{};
  std::string_view file{};
};

// Empty: the input is too short to choose anything.
[[nodiscard]] std::optional<Chosen> chosen_by(std::string_view input);

}  // namespace paceline::fuzz
