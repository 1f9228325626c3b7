#pragma once
// Reads weights files (docs/weights.md). Every fault names its place in the file.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/feed_forward.hh"

namespace paceline {

inline constexpr std::size_t kMostWeightsBytes = std::size_t{64} << 20U;

// Throws Refusal.
[[nodiscard]] FeedForward weights_of(std::string_view text);

// The file's text. Throws Refusal when it cannot be read or is longer than any weights file.
[[nodiscard]] std::string read_weights_file(const std::filesystem::path& file);

}  // namespace paceline
