#pragma once
// The beat of a real-time process: when it must act next, whether it must stop, and how late it was.

#include <unistd.h>

#include <algorithm>
#include <array>

#include "drivers/realtime_udp/alarm.hh"
#include "drivers/realtime_udp/clock.hh"
#include "drivers/realtime_udp/lateness.hh"
#include "drivers/realtime_udp/session.hh"

namespace paceline {

class Pulse {
 public:
  explicit Pulse(const Session& session)
      : clock_{session.go.start_ns},
        stop_fd_{session.stop_fd},
        end_{Time::zero() + session.plan.duration},
        sink_{session.sink},
        alarm_{session.spin} {
    alarm_.watch(session.socket.fd());
    alarm_.watch(stop_fd_);
  }

  [[nodiscard]] const RunClock& clock() const { return clock_; }
  [[nodiscard]] Time end() const { return end_; }
  [[nodiscard]] Lateness& lateness() { return lateness_; }
  // At the end; an overrun is also told as an event. `flow` -1: the link.
  [[nodiscard]] LatenessSummary summary(uint64_t unmodelled_losses, int flow) const {
    LatenessSummary s = lateness_.summary(unmodelled_losses);
    if (s.overrun) sink_.event({.time = end_, .flow = flow, .event = "overrun", .detail = overrun_reason(s)});
    return s;
  }

  // Sleeps until `due`, the run's end, or until a datagram has come. The time then; empty: stop at once.
  [[nodiscard]] std::optional<Time> next(Time due) {
    const Time wake = std::min(due, end_);
    // Many datagrams are cheaper to handle at once than one by one, and lose nothing: they carry the time at which they came.
    const Time soon = last_ + kLeastPeriod;
    if (const Time now = clock_.now(); last_ <= now && now < soon) Alarm::sleep_until(clock_.monotonic_ns(soon));
    alarm_.wait_until(clock_.monotonic_ns(wake));
    if (alarm_.readable(1) && ended()) return std::nullopt;
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

  static constexpr Duration kLeastPeriod = Duration::micros(50);

  RunClock clock_;
  int stop_fd_;
  Time end_;
  RunSink& sink_;
  Time last_{-kLeastPeriod.ns};  // when this was last asked
  Alarm alarm_;
  Lateness lateness_{};
};

}  // namespace paceline
