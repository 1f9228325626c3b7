#pragma once
// What a run cost, for the `cost` frame.

#include <chrono>
#include <cstdint>

#include <nlohmann/json.hpp>

namespace paceline {

class CostMeter {
 public:
  CostMeter();
  // The whole process, since this was made.
  [[nodiscard]] nlohmann::json message(uint64_t packets) const;

 private:
  std::chrono::steady_clock::time_point began_;
  double cpu_before_;
};

}  // namespace paceline
