#include "metrics/message_meter.hh"

namespace paceline {

ReceivedMessages MessageMeter::summary() const {
  ReceivedMessages s{};
  s.completed = delays_.count();
  s.bytes = bytes_;
  s.on_time = on_time_;
  s.delay = stats_of(delays_);
  if (s.completed == 0) return s;
  constexpr int kPercent = 100;
  for (int percent = 1; percent <= kPercent; ++percent)
    s.percentiles_ms.push_back(percent == kPercent ? delays_.max().to_millis()
                                                   : delays_.percentile_ms(percent / 100.0));
  return s;
}

}  // namespace paceline
