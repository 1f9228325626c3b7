#pragma once
// Proof that whoever asks can be reached at the address it claims, without the server remembering anything before.
//
// A cookie is SipHash-2-4 of the client's address, port and session number and of the current half minute, under a key
// drawn when the server starts. Only somebody who received it at that address can echo it, and only for a minute.

#include <array>
#include <cstdint>

#include "recorder/siphash.hh"

namespace paceline::recorder {

// An IPv6 address (IPv4 ones mapped, ::ffff:a.b.c.d) and a port.
struct PeerName {
  std::array<uint8_t, 16> address{};
  uint16_t port{};

  bool operator==(const PeerName&) const = default;
};

class CookieJar {
 public:
  explicit CookieJar(const SipKey& key) : key_{key} {}

  [[nodiscard]] uint64_t make(const PeerName& peer, uint64_t session, int64_t now_ns) const {
    return of(peer, session, now_ns / kPeriodNs);
  }
  [[nodiscard]] bool good(uint64_t cookie, const PeerName& peer, uint64_t session, int64_t now_ns) const {
    const int64_t period = now_ns / kPeriodNs;
    return cookie == of(peer, session, period) || cookie == of(peer, session, period - 1);
  }

 private:
  static constexpr int64_t kPeriodNs = 30'000'000'000;

  [[nodiscard]] uint64_t of(const PeerName& peer, uint64_t session, int64_t period) const {
    std::array<uint8_t, 34> message{};
    std::size_t at = 0;
    for (const uint8_t byte : peer.address) message[at++] = byte;
    const auto put = [&](uint64_t value, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i) message[at++] = static_cast<uint8_t>(value >> (8 * i));
    };
    put(peer.port, 2);
    put(session, 8);
    put(static_cast<uint64_t>(period), 8);
    return siphash(key_, message);
  }

  SipKey key_;
};

}  // namespace paceline::recorder
