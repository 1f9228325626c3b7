#pragma once
// The two directions of a path: data goes forward, acknowledgements come back.

#include <cstdint>
#include <string_view>

namespace paceline {

enum class Direction : uint8_t { forward, reverse };

[[nodiscard]] constexpr std::string_view name_of(Direction direction) {
  return direction == Direction::forward ? "forward" : "reverse";
}

}  // namespace paceline
