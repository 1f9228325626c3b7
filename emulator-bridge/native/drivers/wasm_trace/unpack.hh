#pragma once
// Packings where there is neither zlib nor libzstd: the host unpacks gzip, and says how that ended.

#include <cstddef>
#include <cstdint>

namespace paceline {

enum class Unpacked : uint8_t { whole, cut, damaged };

void set_unpacked(Unpacked how, std::size_t bytes);

}  // namespace paceline
