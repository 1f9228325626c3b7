#include "drivers/realtime/lateness.hh"

#include <array>
#include <cstdio>

namespace paceline {

LatenessSummary Lateness::summary(const UnmodelledLosses& losses) const {
  LatenessSummary s{};
  s.wakeups = wakeups_.count();
  s.unmodelled_losses = losses.lost;
  if (s.wakeups > 0) {
    s.p50_us = wakeups_.percentile_ms(0.50) * 1e3;
    s.p99_us = wakeups_.percentile_ms(0.99) * 1e3;
    s.max_us = wakeups_.max().to_millis() * 1e3;
  }
  if (departures_.count() > 0) {
    s.late_opportunities = static_cast<double>(departed_late_) / static_cast<double>(departures_.count());
    s.writes = {.p50_us = departures_.percentile_ms(0.50) * 1e3,
                .p99_us = departures_.percentile_ms(0.99) * 1e3,
                .max_us = departures_.max().to_millis() * 1e3};
  }
  s.overrun = !overrun_reason(s, losses).empty();
  return s;
}

std::string overrun_reason(const LatenessSummary& lateness, const UnmodelledLosses& losses) {
  std::array<char, 128> text{};
  if (losses.too_many()) {
    std::snprintf(text.data(), text.size(), "packets lost outside the modelled queue and loss: %llu of %llu",
                  static_cast<unsigned long long>(losses.lost), static_cast<unsigned long long>(losses.packets));
    if (!losses.where.empty()) return std::string{text.data()} + " (" + losses.where + ")";
  } else if (lateness.late_opportunities > kLateShareAllowed) {
    std::snprintf(text.data(), text.size(), "%.2g %% of the packets left more than 1 ms late",
                  lateness.late_opportunities * 100);
  } else if (lateness.wakeups >= kTellingWakeups && lateness.p99_us > kLate.to_millis() * 1e3) {
    std::snprintf(text.data(), text.size(), "1 %% of the wake-ups came more than %.3g ms late", lateness.p99_us * 1e-3);
  }
  return text.data();
}

}  // namespace paceline
