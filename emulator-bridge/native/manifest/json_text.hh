#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace paceline {

// JSON from a text that came from `where`. Throws Refusal.
[[nodiscard]] nlohmann::json json_of(std::string_view text, const std::string& where);

}  // namespace paceline
