#include "drivers/realtime/alarm.hh"

#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>

#include "drivers/realtime/clock.hh"

namespace paceline {

namespace {

timespec timespec_of(int64_t ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  return {.tv_sec = ns / kSecond, .tv_nsec = ns % kSecond};
}

}  // namespace

Alarm::Alarm(Duration spin) : spin_{spin} {
  ::prctl(PR_SET_TIMERSLACK, 1UL);  // the usual slack is 50 microseconds
}

bool Alarm::poll(int64_t ns) {
  const timespec timeout = timespec_of(std::max<int64_t>(ns, 0));
  const int rc = ::ppoll(descriptors_.data(), descriptors_.size(), &timeout, nullptr);
  if (rc >= 0) return rc > 0;
  if (errno != EINTR) throw std::system_error{errno, std::generic_category(), "ppoll"};
  for (pollfd& descriptor : descriptors_) descriptor.revents = 0;
  return false;
}

void Alarm::wait_until(int64_t monotonic_ns) {
  // A time that is over still means a look at what can be read.
  while (!poll(monotonic_ns - spin_.ns - clock_ns(CLOCK_MONOTONIC))) {
    if (clock_ns(CLOCK_MONOTONIC) >= monotonic_ns) return;
  }
}

void Alarm::sleep_until(int64_t monotonic_ns) {
  const timespec until = timespec_of(monotonic_ns);
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) {
  }
}

}  // namespace paceline
