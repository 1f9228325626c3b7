#pragma once
// SipHash-2-4 (Aumasson and Bernstein 2012): a keyed hash of short messages that nobody can forge without the key.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace paceline::recorder {

using SipKey = std::array<uint64_t, 2>;

namespace detail {

constexpr uint64_t rotated(uint64_t x, unsigned by) { return (x << by) | (x >> (64U - by)); }

struct SipState {
  uint64_t a, b, c, d;

  constexpr void round() {
    a += b;
    b = rotated(b, 13) ^ a;
    a = rotated(a, 32);
    c += d;
    d = rotated(d, 16) ^ c;
    a += d;
    d = rotated(d, 21) ^ a;
    c += b;
    b = rotated(b, 17) ^ c;
    c = rotated(c, 32);
  }
  constexpr void absorb(uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

}  // namespace detail

constexpr uint64_t siphash(const SipKey& key, std::span<const uint8_t> message) {
  detail::SipState state{key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL, key[0] ^ 0x6c7967656e657261ULL,
                         key[1] ^ 0x7465646279746573ULL};
  uint64_t word = 0;
  std::size_t at = 0;
  for (const uint8_t byte : message) {
    word |= uint64_t{byte} << (8 * (at % 8));
    if (++at % 8 == 0) {
      state.absorb(word);
      word = 0;
    }
  }
  state.absorb(word | uint64_t{message.size() & 0xffU} << 56U);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

}  // namespace paceline::recorder
