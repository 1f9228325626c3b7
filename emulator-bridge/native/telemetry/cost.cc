#include "telemetry/cost.hh"

#include <sys/resource.h>

namespace paceline {

namespace {

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

CostMeter::CostMeter() : began_{std::chrono::steady_clock::now()}, cpu_before_{cpu_seconds()} {}

nlohmann::json CostMeter::message(uint64_t packets) const {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began_;
  return {{"type", "cost"}, {"wall_s", wall.count()}, {"cpu_s", cpu_seconds() - cpu_before_}, {"packets", packets}};
}

}  // namespace paceline
