#pragma once
// What the application has to send: without end or up to a total, at once or at a steady rate.

#include "core/units.hh"

namespace paceline {

class Source {
 public:
  // Rate zero: everything is there from the start.
  explicit Source(Rate rate = Rate::zero(), Bytes total = Bytes::infinite()) : rate_{rate}, total_{total} {}

  void start(Time now) { start_ = now; }
  // Has the application written `size` more bytes by now?
  [[nodiscard]] bool has(Bytes size, Time now) const {
    return size <= total_ - taken_ && (rate_.bps <= 0 || taken_ + size <= rate_.bytes_in(now - start_));
  }
  void take(Bytes size) { taken_ += size; }
  // When it will have; never if it has nothing more to write.
  [[nodiscard]] Time ready(Bytes size) const {
    if (size > total_ - taken_ || rate_.bps <= 0) return Time::never();
    return start_ + rate_.time_for(taken_ + size) + Duration{1};
  }

 private:
  Rate rate_;
  Bytes total_;
  Time start_{};
  Bytes taken_{};
};

}  // namespace paceline
