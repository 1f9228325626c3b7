#pragma once
// Tables of rates over time: any separator, with or without a header, columns by name or number.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "formats/format.hh"

namespace paceline::formats {

// What is known of a family of tables before one of them is read. Columns by name; empty: guessed from the header.
struct TableShape {
  std::string time_column{};
  std::string rate_column{};
  std::vector<std::string> rate_choices{};  // others that make sense: the other direction …
  std::string rate_unit{};
  std::string time_unit{};
  std::string rows{"begin"};
  std::string gaps{"refuse"};
  std::string group_column{};   // several recordings in one table
  std::string filter_column{};  // only rows with one of these letters count
  std::string filter_values{};
  std::string missing_column{};  // only rows in which this is not measured
};

// Does the first line have all these words?
[[nodiscard]] bool header_has(std::string_view head, std::initializer_list<std::string_view> words);

// What every table can be asked for.
[[nodiscard]] std::vector<FuzzOption> table_fuzz_options();

void read_table(Source& source, const Choices& choices, const TableShape& shape, Reading& reading);

}  // namespace paceline::formats
