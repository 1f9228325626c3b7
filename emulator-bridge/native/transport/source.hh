#pragma once
// What the application has to send: without end, or at a steady rate.

#include "core/units.hh"

namespace paceline {

class Source {
 public:
  // Rate zero: without end.
  explicit Source(Rate rate = Rate::zero()) : rate_{rate} {}

  [[nodiscard]] bool endless() const { return rate_.bps <= 0; }
  void start(Time now) { start_ = now; }
  // Has the application written `size` more bytes by now?
  [[nodiscard]] bool has(Bytes size, Time now) const { return endless() || taken_ + size <= rate_.bytes_in(now - start_); }
  void take(Bytes size) { taken_ += size; }
  // When it will have.
  [[nodiscard]] Time ready(Bytes size) const { return start_ + rate_.time_for(taken_ + size) + Duration{1}; }

 private:
  Rate rate_;
  Time start_{};
  Bytes taken_{};
};

}  // namespace paceline
