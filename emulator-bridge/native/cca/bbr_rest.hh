#pragma once
// How BBR since version 2 knows the least round trip: what it saw, and when it has to rest in PROBE_RTT to see it again
// (draft-ietf-ccwg-bbr section 5.3.4.3).

#include <optional>

#include "core/units.hh"

namespace paceline {

class LeastRtt {
 public:
  LeastRtt(Time now, Duration probe_interval) : probe_interval_{probe_interval}, stamp_{now}, probe_stamp_{now} {}

  [[nodiscard]] bool known() const { return least_ < Duration::infinite(); }
  [[nodiscard]] Duration get() const { return least_; }
  // As of the last update: it has not been seen for the interval.
  [[nodiscard]] bool expired() const { return expired_; }

  // `delayed`: the receiver held this ACK back, so that it must not replace an expired value.
  void update(Time now, std::optional<Duration> rtt, bool delayed = false) {
    expired_ = now > probe_stamp_ + probe_interval_;
    if (rtt && (*rtt < recent_ || (expired_ && !delayed))) {
      recent_ = *rtt;
      probe_stamp_ = now;
    }
    if (recent_ < least_ || now > stamp_ + kWindow) {
      least_ = recent_;
      stamp_ = probe_stamp_;
    }
  }
  void rested(Time now) { probe_stamp_ = now; }

 private:
  static constexpr Duration kWindow = Duration::millis(10000);

  Duration probe_interval_{};
  Duration least_{Duration::infinite()};
  Time stamp_{};
  Duration recent_{Duration::infinite()};
  Time probe_stamp_{};
  bool expired_{};
};

// A stay in PROBE_RTT: so long, and a round trip, from when little enough is in flight.
class ProbeRttStay {
 public:
  void enter() { end_ = Time::zero(); }
  [[nodiscard]] bool low() const { return end_ != Time::zero(); }
  void begin(Time end) {
    end_ = end;
    round_done_ = false;
  }
  void round() { round_done_ = true; }
  [[nodiscard]] bool round_done() const { return round_done_; }
  [[nodiscard]] bool over(Time now) const { return low() && now > end_; }

 private:
  Time end_{};
  bool round_done_{};
};

}  // namespace paceline
