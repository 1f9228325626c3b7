#pragma once
// Cells of a table's line, and what stands in them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace paceline::formats {

// What separates the cells of these lines: semicolons, tabs, commas or blanks, in this order of preference.
[[nodiscard]] char separator_of(std::span<const std::string> lines);

// Without quotes and blanks around them. Blanks as separators count once however many they are.
void split(std::string_view line, char separator, std::vector<std::string_view>& cells);

// `decimal_comma`: 48,25 is a number.
[[nodiscard]] std::optional<double> number_of(std::string_view cell, bool decimal_comma);

// Nanoseconds, from 1970 or from whatever the numbers count from: a number in units of `unit_ns`, or a date and a time of day
// (2023-04-05 11:54:24 CDT, 2019.12.16_14.23.32, 2024-02-01T10:00:00.250Z; zones are not looked at).
[[nodiscard]] std::optional<int64_t> time_of(std::string_view cell, int64_t unit_ns, bool decimal_comma);

}  // namespace paceline::formats
