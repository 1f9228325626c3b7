#pragma once
// The beat of a real-time thread: when it must act next, whether it must stop, and how late it was.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "drivers/realtime/alarm.hh"
#include "drivers/realtime/clock.hh"
#include "drivers/realtime/lateness.hh"
#include "drivers/sink.hh"

namespace paceline {

struct PulseSetup {
  int64_t start_ns{};  // CLOCK_MONOTONIC: time 0 of the run
  Duration duration{};
  int stop_fd{};    // the run stops at once when this ends: whoever started it is gone, or wants that
  Duration spin{};  // see Alarm
  // Many packets are cheaper to handle at once than one by one.
  Duration least_period{Duration::micros(50)};
};

class Pulse {
 public:
  Pulse(const PulseSetup& setup, RunSink& sink)
      : clock_{setup.start_ns},
        stop_fd_{setup.stop_fd},
        end_{Time::zero() + setup.duration},
        least_period_{setup.least_period},
        sink_{sink},
        last_{-setup.least_period.ns},
        alarm_{setup.spin} {
    alarm_.watch(stop_fd_);
  }

  // Also wakes up when `fd` can be read.
  void watch(int fd) { alarm_.watch(fd); }
  // Could the i-th of these when it last woke up?
  [[nodiscard]] bool readable(std::size_t i) const { return alarm_.readable(1 + i); }

  [[nodiscard]] const RunClock& clock() const { return clock_; }
  [[nodiscard]] Time end() const { return end_; }
  [[nodiscard]] Lateness& lateness() { return lateness_; }
  // At the end; losses and an overrun are also told as events. `flow` -1: the link.
  [[nodiscard]] LatenessSummary summary(const UnmodelledLosses& losses, Time at, int flow) const {
    LatenessSummary s = lateness_.summary(losses);
    if (losses.lost > 0)
      sink_.event({.time = at,
                   .flow = flow,
                   .event = "unmodelled_loss",
                   .detail = losses.where,
                   .value = static_cast<double>(losses.lost)});
    if (s.overrun) sink_.event({.time = at, .flow = flow, .event = "overrun", .detail = overrun_reason(s, losses)});
    return s;
  }

  // Sleeps until `due`, the run's end, or until something can be read. The time then; empty: stop at once.
  [[nodiscard]] std::optional<Time> next(Time due) {
    const Time wake = std::min(due, end_);
    const Time soon = last_ + least_period_;
    if (const Time now = clock_.now(); last_ <= now && now < soon) Alarm::sleep_until(clock_.monotonic_ns(soon));
    alarm_.wait_until(clock_.monotonic_ns(wake));
    if (alarm_.readable(0) && ended()) return std::nullopt;
    const Time now = clock_.now();
    last_ = now;
    if (now >= wake && wake >= Time::zero()) lateness_.woke(now - wake);
    return std::min(now, end_);
  }

 private:
  [[nodiscard]] bool ended() const {
    std::array<char, 256> ignored{};
    return ::read(stop_fd_, ignored.data(), ignored.size()) <= 0;
  }

  RunClock clock_;
  int stop_fd_;
  Time end_;
  Duration least_period_;
  RunSink& sink_;
  Time last_;  // when this was last asked
  Alarm alarm_;
  Lateness lateness_{};
};

}  // namespace paceline
