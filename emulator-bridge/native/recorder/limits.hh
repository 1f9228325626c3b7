#pragma once
// What can be recorded at all; the server's command line says what it is willing to do.

#include <cstdint>

namespace paceline::recorder {

constexpr uint32_t kSmallestPacket = 576;  // what every IPv4 path takes
constexpr uint32_t kLargestPacket = 1500;
constexpr uint64_t kLowestRate = 1'000'000;
constexpr uint64_t kHighestMbps = 10'000;
constexpr uint64_t kLongestSeconds = 3600;

}  // namespace paceline::recorder
