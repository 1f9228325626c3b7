#pragma once

#include <string>

namespace paceline {

// `text` as a gzip file, without a time stamp: the same text gives the same bytes.
[[nodiscard]] std::string gzip(const std::string& text);

}  // namespace paceline
