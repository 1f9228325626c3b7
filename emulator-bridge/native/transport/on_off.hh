#pragma once
// An application that writes for a while, is silent for a while, and so on: at a rate or as much as the flow takes.

#include "core/random.hh"
#include "core/units.hh"

namespace paceline {

struct OnOffPlan {
  Duration on{};  // of a spell; the mean when they are drawn
  Duration off{};
  bool exponential{};  // the length of each spell is drawn, else all are alike
  Rate rate{};         // zero: as much as the flow takes
};

class OnOff {
 public:
  OnOff(const OnOffPlan& plan, Random random) : plan_{plan}, random_{random} {}

  // The first spell is one of writing.
  void start(Time now) {
    began_ = now;
    end_ = now + length(plan_.on);
  }
  // Has it written `size` more bytes by now? What it wrote at its rate is also sent later; what it would have written at no rate of its
  // own, had the flow been faster, is never written.
  [[nodiscard]] bool has(Bytes size, Time now) {
    reach(now);
    if (plan_.rate.bps <= 0) return on_;
    const Duration written = on_ ? before_ + (now - began_) : before_;
    return taken_ + size <= plan_.rate.bytes_in(written);
  }
  void take(Bytes size) { taken_ += size; }
  // When to look again: then it has `size` more bytes, or a spell is over. After has() at the same time.
  [[nodiscard]] Time ready(Bytes size) const {
    if (!on_ || plan_.rate.bps <= 0) return end_;
    const Duration missing = plan_.rate.time_for(taken_ + size) - before_;
    return began_ + missing < end_ ? began_ + missing + Duration{1} : end_;
  }

 private:
  void reach(Time now) {
    while (end_ <= now) {
      if (on_) before_ += end_ - began_;
      on_ = !on_;
      began_ = end_;
      end_ = began_ + length(on_ ? plan_.on : plan_.off);
    }
  }
  // At least a microsecond, so that time moves on.
  [[nodiscard]] Duration length(Duration mean) {
    const Duration drawn = plan_.exponential ? Duration::seconds(random_.exponential(mean.to_seconds())) : mean;
    return drawn < Duration::micros(1) ? Duration::micros(1) : drawn;
  }

  OnOffPlan plan_;
  Random random_;
  bool on_{true};
  Time began_{};       // the spell under way …
  Time end_{};         // … and its end
  Duration before_{};  // spent writing in the spells before it
  Bytes taken_{};
};

}  // namespace paceline
