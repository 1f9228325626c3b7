#include "live/options.hh"

#include <algorithm>

#include "telemetry/telemetry.hh"

namespace paceline {

Duration spin_of(const Arguments& arguments) {
  constexpr int64_t kLongestSpin = 60;
  return Duration::micros(arguments.value("--spin-us") ? arguments.whole("--spin-us", 0, kLongestSpin) : 0);
}

uint32_t rows_per_block(const RunPlan& plan) {
  constexpr Duration kOften = Duration::millis(100);
  return static_cast<uint32_t>(
      std::clamp<int64_t>(kOften.ns / plan.sample_period.ns, 1, TelemetryWriter::kLargestBlock));
}

}  // namespace paceline
