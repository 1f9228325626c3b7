#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "recorder/cookie.hh"

using namespace paceline::recorder;

TEST_CASE("SipHash-2-4 gives the values of its authors") {
  const SipKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::vector<uint8_t> message(15);
  std::iota(message.begin(), message.end(), uint8_t{0});
  CHECK(siphash(key, message) == 0xa129ca6149be45e5);
  CHECK(siphash(key, {}) == 0x726fdb47dd0e0e31);
}

TEST_CASE("A cookie is good for its address, port and session only, and for less than a minute") {
  constexpr int64_t kSecond = 1'000'000'000;
  const CookieJar jar{{1, 2}};
  PeerName peer{.port = 4000};
  peer.address[15] = 7;
  const int64_t now = 1'000'000 * kSecond;
  const uint64_t cookie = jar.make(peer, 42, now);
  CHECK(jar.good(cookie, peer, 42, now));
  CHECK(jar.good(cookie, peer, 42, now + 29 * kSecond));
  CHECK_FALSE(jar.good(cookie, peer, 42, now + 60 * kSecond));
  CHECK_FALSE(jar.good(cookie, peer, 43, now));
  CHECK_FALSE(jar.good(cookie + 1, peer, 42, now));
  PeerName other = peer;
  other.port = 4001;
  CHECK_FALSE(jar.good(cookie, other, 42, now));
  other = peer;
  other.address[0] = 1;
  CHECK_FALSE(jar.good(cookie, other, 42, now));
  CHECK_FALSE(CookieJar{{1, 3}}.good(cookie, peer, 42, now));
}
