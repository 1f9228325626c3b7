#include <doctest/doctest.h>

#include "core/random.hh"
#include "recorder/pacing.hh"

using namespace paceline;
using recorder::PacketPlan;

namespace {

struct Sent {
  uint64_t packets{};
  uint64_t most_at_once{};
  Duration end{};
};

// Sends all that is allowed, woken late by up to `lateness`.
Sent send_all(PacketPlan& plan, Duration lateness) {
  Random random{1, 0, "lateness"};
  Sent out;
  Duration now{};
  for (; !plan.over();
       now = plan.next(now) + Duration{static_cast<int64_t>(random.uniform(0, static_cast<double>(lateness.ns)))}) {
    const uint64_t packets = plan.allowed(now);
    plan.sent(packets);
    out.most_at_once = std::max(out.most_at_once, packets);
    out.end = now;
  }
  out.packets = plan.sent();
  return out;
}

}  // namespace

TEST_CASE("The plan's rate is kept exactly, in small batches, whatever the rate") {
  for (const double mbps : {1.0, 50.0, 999.0, 10'000.0}) {
    CAPTURE(mbps);
    PacketPlan plan{static_cast<uint64_t>(mbps * 1e6), Duration::millis(2000), 1500};
    const Sent sent = send_all(plan, Duration::micros(50));
    CHECK(plan.planned() == static_cast<uint64_t>(mbps * 1e6 * 2 / 12'000));
    CHECK(sent.packets == plan.planned());
    CHECK(static_cast<double>(sent.most_at_once) <= std::max(1.0, mbps * 200 / 12'000));
    CHECK(sent.end <= Duration::millis(2001));
  }
}

TEST_CASE("A sender that is held up for some milliseconds makes up for it without bursts") {
  PacketPlan plan{600'000'000, Duration::millis(1000), 1500};
  const Sent sent = send_all(plan, Duration::millis(1));
  CHECK(sent.packets >
        plan.planned() * 3 / 10);  // half a millisecond late on average, 200 microseconds' worth each time
  CHECK(sent.most_at_once == 10);

  PacketPlan once{600'000'000, Duration::millis(1000), 1500};
  uint64_t packets = 0;
  Duration now{};
  for (bool stalled = false; !once.over(); now = once.next(now)) {
    if (!stalled && now > Duration::millis(300)) {
      now += Duration::millis(15);
      stalled = true;
    }
    const uint64_t allowed = once.allowed(now);
    once.sent(allowed);
    packets += allowed;
    CHECK(allowed <= 10);
  }
  CHECK(packets == once.planned());
  CHECK(once.worst_behind() > Duration::millis(14));
}

TEST_CASE("What a long stall made too late is given up and shows in the count") {
  PacketPlan plan{120'000'000, Duration::millis(1000), 1500};
  CHECK(plan.allowed(Duration::zero()) == 1);
  plan.sent(1);
  // 400 ms later 4000 packets should have left; the sender makes up for 20 ms of them.
  while (plan.next(Duration::millis(400)).ns > 0 && plan.allowed(Duration::millis(400)) > 0) plan.sent(1);
  CHECK(plan.sent() == doctest::Approx(200).epsilon(0.02));
  CHECK_FALSE(plan.over());
}
