#include "drivers/realtime/priority.hh"

#include <sched.h>
#include <sys/resource.h>

namespace paceline {

void raise_priority(Role role) {
  // Real-time scheduling at its lowest levels, above everything ordinary: the data path sleeps most of the time, and
  // the kernel takes the processor away for 5 % of each second from a thread that never does. The emulator goes first:
  // its lateness is everybody's.
  const sched_param parameters{.sched_priority =
                                   ::sched_get_priority_min(SCHED_FIFO) + (role == Role::emulator ? 1 : 0)};
  if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0) return;
  constexpr int kNice = -10;
  ::setpriority(PRIO_PROCESS, 0, kNice);
}

PromptThreads::PromptThreads() {
  const sched_param parameters{.sched_priority = ::sched_get_priority_min(SCHED_FIFO)};
  ::sched_setscheduler(0, SCHED_FIFO, &parameters);  // handed on to threads, unlike that of raise_priority()
}

PromptThreads::~PromptThreads() {
  const sched_param parameters{};
  ::sched_setscheduler(0, SCHED_OTHER, &parameters);
}

}  // namespace paceline
