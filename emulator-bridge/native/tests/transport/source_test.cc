// What applications write, and when: without a link.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "transport/source.hh"

using namespace paceline;

namespace {

constexpr Time at(double s) { return Time::zero() + Duration::seconds(s); }
Random random_of(uint64_t seed) { return Random{seed, 0, "application"}; }

std::vector<Message> all_by(MessageSchedule schedule, Time end) {
  std::vector<Message> all;
  schedule.start(Time::zero());
  while (schedule.next_birth() <= end) all.push_back(schedule.take(Rate::zero()));
  return all;
}

double mean_bytes(const std::vector<Message>& all) {
  double sum = 0;
  for (const Message& m : all) sum += static_cast<double>(m.bytes.v);
  return sum / static_cast<double>(all.size());
}

MessagePlan transfers(MessagePlan::Arrivals arrivals, double interval_s) {
  return {.kind = MessagePlan::Kind::transfers,
          .mean_bytes = Bytes{20'000},
          .arrivals = arrivals,
          .interval = Duration::seconds(interval_s)};
}

}  // namespace

TEST_CASE(
    "frames come at their rate, and a group of them carries the mean bit rate whatever the key frame takes of it") {
  const MessagePlan plan{.kind = MessagePlan::Kind::frames,
                         .fps = 30,
                         .rate = Rate::mbps(6),
                         .key_every = 30,
                         .key_ratio = 5,
                         .deadline = Duration::millis(100)};
  MessageSchedule schedule{plan, random_of(1)};
  const auto all = all_by(schedule, at(9.99));
  REQUIRE(all.size() == 300);
  CHECK(all[299].born.to_seconds() == doctest::Approx(299 / 30.0));
  CHECK(mean_bytes(all) == doctest::Approx(25'000).epsilon(0.0001));
  CHECK(static_cast<double>(all[0].bytes.v) ==
        doctest::Approx(5.0 * static_cast<double>(all[1].bytes.v)).epsilon(0.001));
  CHECK(all[30].bytes == all[0].bytes);
  CHECK(all[29].bytes == all[1].bytes);
  schedule.start(Time::zero());
  CHECK(schedule.born_by(at(9.99)) == 300);
  CHECK(schedule.due_by(at(9.99)) == 297);  // the last three may still be whole in time
}

TEST_CASE("sizes and gaps that are drawn have the mean that was asked for, and the same seed draws the same") {
  for (const auto sizes :
       {MessagePlan::Sizes::exponential, MessagePlan::Sizes::pareto, MessagePlan::Sizes::lognormal}) {
    CAPTURE(static_cast<int>(sizes));
    MessagePlan plan = transfers(MessagePlan::Arrivals::poisson, 0.01);
    plan.sizes = sizes;
    plan.shape = sizes == MessagePlan::Sizes::pareto ? 2.5 : 1;
    const auto all = all_by({plan, random_of(7)}, at(1000));
    CHECK(static_cast<double>(all.size()) == doctest::Approx(100'000).epsilon(0.02));
    CHECK(mean_bytes(all) == doctest::Approx(20'000).epsilon(0.03));
    const auto again = all_by({plan, random_of(7)}, at(1));
    const auto other = all_by({plan, random_of(8)}, at(1));
    REQUIRE(again.size() > 50);
    CHECK(again[50].bytes == all[50].bytes);
    CHECK(again[50].born == all[50].born);
    CHECK(other[0].bytes != all[0].bytes);
  }
}

TEST_CASE("a transfer that follows the one before it waits for its end and the pause") {
  Source source{transfers(MessagePlan::Arrivals::after, 0.5), random_of(1)};
  source.start(at(1));
  uint64_t sequence = 0;
  Bytes sent{};
  for (Bytes size = source.next(kMtu, at(1)); size > Bytes::zero(); size = source.next(kMtu, at(1))) {
    source.take(size, sequence++);
    sent += size;
  }
  CHECK(sent == Bytes{20'000});
  CHECK(sequence == 14);
  CHECK(source.ready(kMtu).is_never());
  source.arrived(13, at(2));  // all but the last packet
  CHECK(source.ready(kMtu).is_never());
  REQUIRE(source.ending_at(13));
  CHECK(source.ending_at(13)->born == at(1));
  CHECK_FALSE(source.ending_at(12));
  source.arrived(14, at(3));
  CHECK_FALSE(source.ending_at(13));
  CHECK(source.ready(kMtu) == at(3.5));
  CHECK(source.next(kMtu, at(3.4)) == Bytes::zero());
  CHECK(source.next(kMtu, at(3.5)) == kMtu);
}

TEST_CASE("at a rate, what a flow could not take is sent later, or dropped as a ticker drops it") {
  // A packet a millisecond; the flow takes none from 10.1 to 20.5 ms.
  const auto sent_by = [](Source::Missed missed, std::vector<int>& at_once) {
    Source source{Rate::mbps(12), Bytes::infinite(), missed};
    source.start(Time::zero());
    int sent = 0;
    for (int tenth = 0; tenth <= 400; ++tenth) {
      if (tenth > 100 && tenth < 205) continue;
      const Time now = Time::zero() + Duration::micros(100 * tenth + 50);
      int here = 0;
      while (source.next(kMtu, now) > Bytes::zero()) {
        source.take(kMtu, 0);
        ++here;
      }
      if (here > 0) at_once.push_back(here);
      sent += here;
      CHECK(source.ready(kMtu) > now);
    }
    return sent;
  };
  std::vector<int> later;
  std::vector<int> dropped;
  CHECK(sent_by(Source::Missed::later, later) == 40);
  // The ticks at 11 to 19 ms are gone, the one at 20 waited, and the next come at their times.
  CHECK(sent_by(Source::Missed::dropped, dropped) == 31);
  CHECK(*std::ranges::max_element(later) == 10);
  CHECK(*std::ranges::max_element(dropped) == 1);
}

TEST_CASE("who is never late misses nothing") {
  Source source{Rate::mbps(12), Bytes::infinite(), Source::Missed::dropped};
  source.start(Time::zero());
  int sent = 0;
  for (Time now = source.ready(kMtu); now < at(1); now = source.ready(kMtu)) {
    REQUIRE(source.next(kMtu, now) == kMtu);
    source.take(kMtu, 0);
    ++sent;
  }
  CHECK(sent == 999);
}

TEST_CASE("no packet is shorter than its headers, and none holds parts of two messages") {
  for (const int64_t bytes : {1LL, 99LL, 1500LL, 1501LL, 1599LL, 1600LL, 3050LL, 4499LL}) {
    CAPTURE(bytes);
    MessagePlan plan = transfers(MessagePlan::Arrivals::every, 1);
    plan.mean_bytes = Bytes{bytes};
    plan.count = 2;
    Source source{plan, random_of(1)};
    source.start(Time::zero());
    Bytes sent{};
    uint64_t sequence = 0;
    std::vector<uint64_t> ends;
    for (Bytes size = source.next(kMtu, at(1)); size > Bytes::zero(); size = source.next(kMtu, at(1))) {
      CHECK(size <= kMtu);
      CHECK(size >= std::min(Bytes{100}, Bytes{bytes}));
      source.take(size, sequence);
      if (source.ending_at(sequence)) ends.push_back(sequence);
      sent += size;
      ++sequence;
    }
    CHECK(sent == Bytes{2 * bytes});
    CHECK(ends.size() == 2);
    CHECK(source.offered(at(60))->messages == 2);
  }
}

TEST_CASE("spells at a rate write what the rate gives while they last, and nothing else") {
  OnOff spells{{.on = Duration::millis(500), .off = Duration::millis(1500), .rate = Rate::mbps(12)}, random_of(1)};
  spells.start(Time::zero());
  int packets = 0;
  Time now{};
  while (now < at(20)) {
    while (spells.has(kMtu, now)) {
      const double within = std::fmod(now.to_seconds(), 2);
      CHECK(within <= 0.502);  // the last packet of a spell may be complete just when it ends
      spells.take(kMtu);
      ++packets;
    }
    const Time next = spells.ready(kMtu);
    REQUIRE(next > now);
    now = next;
  }
  CHECK(packets == doctest::Approx(5000).epsilon(0.001));
}

TEST_CASE("spells whose length is drawn are on for their share of the time") {
  OnOff spells{{.on = Duration::millis(30), .off = Duration::millis(90), .exponential = true}, random_of(3)};
  spells.start(Time::zero());
  int on = 0;
  constexpr int kLooks = 1'000'000;
  for (int ms = 0; ms < kLooks; ++ms) on += spells.has(kMtu, Time::zero() + Duration::millis(ms)) ? 1 : 0;
  CHECK(on == doctest::Approx(kLooks / 4).epsilon(0.03));
}

TEST_CASE("frames that adapt are as large as the controller's rate at their birth, within their limits") {
  const MessagePlan plan{.kind = MessagePlan::Kind::frames,
                         .fps = 10,
                         .rate = Rate::mbps(8),
                         .adapts = true,
                         .least_rate = Rate::mbps(0.8)};
  Source source{plan, random_of(1)};
  source.start(Time::zero());
  const auto frame = [&](double when, Rate rate) {
    CHECK(source.tick() == at(when));
    CHECK(source.next(kMtu, at(when)) == Bytes::zero());  // it is not written yet
    source.on_tick(at(when), rate);
    int64_t bytes = 0;
    static uint64_t sequence = 0;
    for (Bytes size = source.next(kMtu, at(when)); size > Bytes::zero(); size = source.next(kMtu, at(when))) {
      source.take(size, sequence++);
      bytes += size.v;
    }
    return bytes;
  };
  CHECK(frame(0, Rate::zero()) == 10'000);
  CHECK(frame(0.1, Rate::mbps(4)) == 50'000);
  CHECK(frame(0.2, Rate::mbps(80)) == 100'000);
}
