// Verus: its delay profile, and its reactions one at a time (docs/reference.md 6.1).
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cca/verus_profile.hh"
#include "tests/cca/event_feeder.hh"
#include "tests/cca/link_run.hh"

using namespace paceline;
using paceline::testing::make_cca;

namespace {

struct Inside {
  double state, window, target_ms, least_ms, largest_ms, inflight, profile_packets;
  std::array<double, 4> profile_ms;
};

constexpr double kSlowStart = 0;  // states
constexpr double kNormal = 1;
constexpr double kLoss = 2;

// Sends and acknowledges by number; time moves by hand.
class Path {
 public:
  explicit Path(const Params::Given& given = {}) : cca_{make_cca("verus", given)} {}

  void send(int packets) {
    for (int i = 0; i < packets; ++i) {
      tags_.push_back(cca_->tag());
      inflight_ += kMtu;
      cca_->on_sent({.now = now_, .number = tags_.size() - 1, .size = kMtu, .inflight = inflight_});
    }
  }
  // All that it grants.
  int send_granted() {
    int sent = 0;
    for (; cca_->may_send(now_); ++sent) send(1);
    return sent;
  }
  void ack(uint64_t number, double delay_ms) {
    inflight_ -= kMtu;
    const Duration delay = Duration::seconds(delay_ms / 1000);
    const AckedPacket packet{.number = number, .size = kMtu, .sent = now_ - delay, .rtt = delay, .tag = tags_[number]};
    AckEvent event;
    event.now = now_;
    event.acked_bytes = kMtu;
    event.acked_packets = 1;
    event.packets = {&packet, 1};
    event.rtt = delay;
    event.inflight = inflight_;
    cca_->on_ack(event);
  }
  void wait(double ms) {
    const Time until = now_ + Duration::seconds(ms / 1000);
    while (cca_->next_tick() <= until) {
      now_ = cca_->next_tick();
      cca_->on_tick(now_);
    }
    now_ = until;
  }
  // Slow start until the window is `window`, each packet with the delay that `delay_of(window)` gives; the next number.
  template <class DelayOf>
  uint64_t slow_start(int window, DelayOf&& delay_of) {
    uint64_t next = 0;
    while (inside().window < window) {
      send_granted();
      ack(next, delay_of(static_cast<double>(tags_[next])));
      ++next;
    }
    return next;
  }
  [[nodiscard]] uint64_t sent() const { return tags_.size(); }
  [[nodiscard]] uint64_t tag_of(uint64_t number) const { return tags_[number]; }
  [[nodiscard]] Inside inside() const {
    std::array<float, 11> v{};
    cca_->internals(v);
    return {v[0], v[1], v[2], v[3], v[4], v[5], v[6], {v[7], v[8], v[9], v[10]}};
  }
  Controller& cca() { return *cca_; }

 private:
  std::unique_ptr<Controller> cca_;
  std::vector<uint64_t> tags_{};
  Bytes inflight_{};
  Time now_{};
};

// A link of 40 ms whose queue begins at 40 packets, one packet per millisecond.
double link_delay(double window) { return 40 + std::max(0.0, window - 40); }

}  // namespace

TEST_CASE("verus' profile is a smooth curve near its points, and answers both ways") {
  VerusProfile profile;
  Random noise{7, 0, "noise"};
  for (int w = 1; w <= 400; ++w)
    for (int i = 0; i < 8; ++i) profile.add(w, link_delay(w) + noise.uniform(-2, 2));
  REQUIRE(profile.fit());
  double before = 0;
  for (int w = 60; w <= 400; ++w) {
    const double delay = profile.delay(w).value();
    CHECK(delay >= before);
    CHECK(delay == doctest::Approx(link_delay(w)).epsilon(0.08));
    before = delay;
  }
  for (const double delay : {90.0, 150.0, 300.0}) {
    const int w = profile.window(delay).value();
    CHECK(profile.delay(w).value() <= delay);
    CHECK(profile.delay(w + 1).value() > delay);
  }
  // straight on beyond what was seen, up to 40000 packets
  CHECK(profile.window(1000).value() == doctest::Approx(1000).epsilon(0.05));
  CHECK_FALSE(profile.window(100'000).has_value());
}

TEST_CASE("verus' profile before its first curve answers from the points alone") {
  VerusProfile profile;
  CHECK_FALSE(profile.window(50).has_value());
  CHECK_FALSE(profile.fit());
  for (int w = 1; w <= 20; ++w) profile.add(w, 40 + w);
  CHECK(profile.window(50).value() == 10);
  CHECK(profile.window(75).value() == 19);  // nothing leads beyond 75, 73 … 61, but 20 packets lead beyond 59
  CHECK(profile.delay(12).value() == 52);
  profile.add(12, 60);
  CHECK(profile.delay(12).value() == doctest::Approx(0.875 * 52 + 0.125 * 60));
  profile.drop_from(15);
  CHECK(profile.most() == 14);
  CHECK_FALSE(profile.delay(16).has_value());
}

TEST_CASE("verus adds a packet per acknowledgement in slow start, and ends it at the delay it is given") {
  Path path;
  CHECK(path.send_granted() == 1);
  path.ack(0, 40);
  CHECK(path.inside().window == 2);
  CHECK(path.send_granted() == 2);
  uint64_t next = path.slow_start(100, link_delay) + 1;
  CHECK(path.inside().state == kSlowStart);
  path.send_granted();
  const auto tag = static_cast<double>(path.tag_of(next));
  path.ack(next, 501);
  CHECK(path.inside().state == kLoss);
  CHECK(path.inside().window == doctest::Approx(0.7 * tag).epsilon(0.001));
}

TEST_CASE("verus counts a packet as lost when it is missing for 150 ms, and keeps 70 % of its window") {
  Path path;
  const uint64_t lost = path.slow_start(300, link_delay);
  path.send_granted();
  const auto tag = static_cast<double>(path.tag_of(lost));
  path.ack(lost + 1, 100);
  path.wait(149);
  CHECK(path.inside().state == kSlowStart);
  path.ack(lost + 2, 100);
  path.wait(6);  // the next epoch after 150 ms, which also moves the target up once or twice
  CHECK(path.inside().state == kLoss);
  CHECK(std::abs(path.inside().target_ms - link_delay(0.7 * tag)) <= 5);
  CHECK(std::abs(path.inside().window - 0.7 * tag) <= 5);  // check 4
  // over once a packet that was sent with the smaller window comes back
  path.send(1);
  path.ack(path.sent() - 1, 70);
  CHECK(path.inside().state == kNormal);
}

TEST_CASE("verus lays its first curve the moment slow start ends, and the next a second later") {
  Path path;
  const uint64_t exit = path.slow_start(200, link_delay);
  path.send_granted();
  CHECK(std::isnan(path.inside().profile_packets));
  path.ack(exit, 501);
  CHECK(path.inside().state == kLoss);
  path.wait(0);
  const double first = path.inside().profile_packets;
  CHECK(first >= 95);
  // A point far beyond the curve changes it with the next one only.
  path.send(1);
  path.ack(path.sent() - 1, 80);
  REQUIRE(path.inside().state == kNormal);
  const double before = path.inside().profile_ms[3];
  for (int i = 0; i < 180; ++i) {
    path.wait(5);
    path.send(1);
    path.ack(path.sent() - 1, 400);
  }
  CHECK(path.inside().profile_ms[3] == before);
  path.wait(150);
  CHECK(path.inside().profile_ms[3] != before);
}

TEST_CASE("verus forgets what is under way when a loss ends slow start, and hears no more of it") {
  Path path;
  const uint64_t lost = path.slow_start(300, link_delay);
  path.send_granted();
  const uint64_t forgotten = path.sent() - 1;
  path.ack(lost + 1, 100);
  REQUIRE(path.inside().inflight > 100);
  path.wait(155);
  REQUIRE(path.inside().state == kLoss);
  CHECK(path.inside().inflight == 0);
  path.send(10);
  path.ack(forgotten, 200);
  CHECK(path.inside().inflight == 10);
}

TEST_CASE(
    "verus goes on with slow start when a loss leaves no more than 20 packets, and goes on counting what is under "
    "way") {
  Path path;
  const uint64_t lost = path.slow_start(25, link_delay);
  path.send_granted();
  path.ack(lost + 1, 100);
  const double inflight = path.inside().inflight;
  path.wait(155);
  CHECK(path.inside().state == kSlowStart);
  CHECK(path.inside().window == doctest::Approx(0.7 * static_cast<double>(path.tag_of(lost))));
  CHECK(path.inside().inflight == inflight - 1);
}

TEST_CASE("verus takes a late packet back") {
  Path path;
  const uint64_t late = path.slow_start(50, link_delay);
  path.send_granted();
  path.ack(late + 1, 60);
  path.wait(100);
  path.ack(late, 160);
  for (int i = 0; i < 20; ++i) {
    path.wait(10);
    path.ack(late + 2 + static_cast<uint64_t>(i), 60);
  }
  CHECK(path.inside().state == kSlowStart);
}

namespace {

// A path past slow start with a curve through a straight profile, a least delay of 40 ms and nothing missing.
Path settled() {
  Path path;
  const uint64_t exit = path.slow_start(200, link_delay);
  path.send_granted();
  path.ack(exit, 501);
  for (int i = 0; i < 60; ++i) {  // what is missing of slow start is given up after 150 ms
    path.wait(5);
    path.send(1);
    path.ack(path.sent() - 1, 80);
  }
  return path;
}

}  // namespace

TEST_CASE("verus counts what is under way through a loss in its normal state, and takes off what is lost") {
  Path path = settled();
  REQUIRE(path.inside().state == kNormal);
  path.send(50);
  const uint64_t first = path.sent() - 50;
  const double before = path.inside().inflight;
  path.ack(first + 1, 80);
  path.wait(160);
  CHECK(path.inside().state == kLoss);
  CHECK(path.inside().inflight == before - 2);
  // What comes after it was given up says nothing more.
  path.ack(first, 240);
  CHECK(path.inside().inflight == before - 2);
}

TEST_CASE("verus moves its delay target by 1 ms down when the delay rises, 2 ms up otherwise, 2 ms down beyond R") {
  Path path = settled();
  REQUIRE(path.inside().state == kNormal);
  REQUIRE(path.inside().least_ms == 40);
  const auto step = [&](double delay_ms) {
    const double before = path.inside().target_ms;
    path.send(1);
    path.ack(path.sent() - 1, delay_ms);
    path.wait(5);
    return path.inside().target_ms - before;
  };
  step(80);
  CHECK(step(79) == doctest::Approx(2).epsilon(0.001));
  CHECK(step(85) == doctest::Approx(-1).epsilon(0.001));
  CHECK(step(83) == doctest::Approx(2).epsilon(0.001));  // against the smoothed largest delay
  for (int i = 0; i < 8; ++i) step(400);
  CHECK(path.inside().largest_ms > 6 * 40);
  const double before = path.inside().target_ms;
  REQUIRE(before > 44);
  CHECK(step(400) == doctest::Approx(-2).epsilon(0.001));  // check 2
}

TEST_CASE("verus' window is what the profile says about the target") {
  Path path = settled();
  int looked_at = 0;
  for (int i = 0; i < 60; ++i) {  // the delay rises, and the target falls
    path.send(1);
    path.ack(path.sent() - 1, 80 + i);
    path.wait(5);
    const Inside now = path.inside();
    // the profile's quarters bound the window of a target between them
    const auto above = std::ranges::find_if(now.profile_ms, [&](double ms) { return ms > now.target_ms; });
    if (above == now.profile_ms.end()) continue;  // beyond all that was seen
    const auto quarters = static_cast<double>(above - now.profile_ms.begin());
    CHECK(now.window >= std::floor(now.profile_packets * quarters / 4) - 1);
    CHECK(now.window <= now.profile_packets * (quarters + 1) / 4 + 1);
    ++looked_at;
  }
  CHECK(looked_at > 20);
}

TEST_CASE("verus starts over when its very first packet is never acknowledged") {
  Path path;
  CHECK(path.send_granted() == 1);
  path.wait(999);
  CHECK(path.send_granted() == 0);
  path.wait(2);
  CHECK(path.send_granted() == 1);
  CHECK(path.inside().state == kSlowStart);
}

// Three runs in twenty use less than 0.6 for five seconds, in spells of windows far beyond the path: of a single one nothing can be asked.
TEST_CASE("verus usually follows the capacity down to a half and up to the double, as its authors' program does") {
  const auto stairs = testing::steps({{10, 1000}, {20, 500}, {40, 1000}});
  std::vector<double> halved;
  std::vector<double> doubled;
  for (int i = 0; i < 9; ++i) {
    const double start_s = 0.05 + i * 0.0137;
    const testing::LinkRun run = testing::run_over_link(
        {.cca = "verus", .trace = stairs, .rtt_ms = 40, .queue_packets = 40, .start_s = start_s, .duration_s = 35});
    halved.push_back(run.utilisation(15, 20));
    doubled.push_back(run.utilisation(30, 35));
  }
  std::ranges::nth_element(halved, halved.begin() + 4);
  std::ranges::nth_element(doubled, doubled.begin() + 4);
  CHECK(halved[4] > 0.9);    // theirs: 0.97
  CHECK(doubled[4] > 0.95);  // 0.98
}
