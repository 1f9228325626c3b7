#include <doctest/doctest.h>

#include "metrics/link_rtt.hh"

using namespace paceline;

namespace {
Time ms(int64_t v) { return Time::zero() + Duration::millis(v); }

bool is(const std::optional<LinkRtt::Sample>& sample, int64_t rtt_ms, uint64_t packets) {
  return sample && sample->rtt == Duration::millis(rtt_ms) && sample->packets == packets;
}
}  // namespace

TEST_CASE("An acknowledgement gives the RTT of the newest data that it delivers, weighted with its packets") {
  LinkRtt rtt;
  rtt.sent(1000, 3896, ms(0));
  rtt.sent(3896, 6792, ms(5));
  CHECK(rtt.outstanding() == 5792);
  CHECK(is(rtt.acknowledged(2448, ms(20)), 20, 1));
  CHECK(is(rtt.acknowledged(6792, ms(27)), 22, 3));
  CHECK(rtt.outstanding() == 0);
  CHECK_FALSE(rtt.acknowledged(6792, ms(28)));
  CHECK_FALSE(rtt.acknowledged(5000, ms(28)));
}

TEST_CASE("Data that was sent again gives no sample, and waiting behind a hole is none either") {
  LinkRtt rtt;
  rtt.sent(0 + 100, 200, ms(0));
  rtt.sent(200, 300, ms(1));
  rtt.sent(300, 400, ms(2));
  CHECK(is(rtt.acknowledged(400, ms(22)), 20, 1));  // selectively: the first two are missing
  CHECK(rtt.sent(100, 300, ms(23)) == 200);
  CHECK(rtt.sent(400, 500, ms(24)) == 0);
  CHECK_FALSE(rtt.acknowledged(300, ms(43)));  // their own arrival tells nothing new
  CHECK(is(rtt.acknowledged(500, ms(44)), 20, 1));
  rtt.sent(500, 600, ms(50));
  rtt.sent(500, 600, ms(300));  // a probe for the tail
  CHECK_FALSE(rtt.acknowledged(600, ms(320)));
}

TEST_CASE("Nothing that was never sent can be acknowledged") {
  LinkRtt rtt;
  CHECK_FALSE(rtt.acknowledged(500, ms(1)));
  rtt.sent(1000, 2000, ms(1));
  CHECK_FALSE(rtt.acknowledged(2001, ms(2)));
  CHECK_FALSE(rtt.acknowledged(1000, ms(2)));
  CHECK(is(rtt.acknowledged(2000, ms(3)), 2, 1));
}
