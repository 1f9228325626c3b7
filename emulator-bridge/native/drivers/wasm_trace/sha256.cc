// SHA-256 (FIPS 180-4) where there is no OpenSSL.

#include "io/sha256.hh"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

// What io/sha256.hh keeps of a hash that is under way.
struct evp_md_ctx_st {
  std::array<uint32_t, 8> state{0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A,
                                0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19};
  std::array<unsigned char, 64> block{};
  uint64_t bytes{};
};

namespace paceline {

namespace {

constexpr std::array<uint32_t, 64> kRounds{
    0x428A2F98, 0x71374491, 0xB5C0FBCF, 0xE9B5DBA5, 0x3956C25B, 0x59F111F1, 0x923F82A4, 0xAB1C5ED5,
    0xD807AA98, 0x12835B01, 0x243185BE, 0x550C7DC3, 0x72BE5D74, 0x80DEB1FE, 0x9BDC06A7, 0xC19BF174,
    0xE49B69C1, 0xEFBE4786, 0x0FC19DC6, 0x240CA1CC, 0x2DE92C6F, 0x4A7484AA, 0x5CB0A9DC, 0x76F988DA,
    0x983E5152, 0xA831C66D, 0xB00327C8, 0xBF597FC7, 0xC6E00BF3, 0xD5A79147, 0x06CA6351, 0x14292967,
    0x27B70A85, 0x2E1B2138, 0x4D2C6DFC, 0x53380D13, 0x650A7354, 0x766A0ABB, 0x81C2C92E, 0x92722C85,
    0xA2BFE8A1, 0xA81A664B, 0xC24B8B70, 0xC76C51A3, 0xD192E819, 0xD6990624, 0xF40E3585, 0x106AA070,
    0x19A4C116, 0x1E376C08, 0x2748774C, 0x34B0BCB5, 0x391C0CB3, 0x4ED8AA4A, 0x5B9CCA4F, 0x682E6FF3,
    0x748F82EE, 0x78A5636F, 0x84C87814, 0x8CC70208, 0x90BEFFFA, 0xA4506CEB, 0xBEF9A3F7, 0xC67178F2};

void mix(evp_md_ctx_st& hash) {
  std::array<uint32_t, 64> w{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t j = 0; j < 4; ++j) w[i] = w[i] << 8U | hash.block[4 * i + j];
  for (std::size_t i = 16; i < w.size(); ++i) {
    const uint32_t early = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3U;
    const uint32_t late = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10U;
    w[i] = w[i - 16] + early + w[i - 7] + late;
  }
  auto [a, b, c, d, e, f, g, h] = hash.state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const uint32_t sum_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t one = h + sum_e + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const uint32_t sum_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const uint32_t two = sum_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + one;
    d = c;
    c = b;
    b = a;
    a = one + two;
  }
  const std::array<uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < added.size(); ++i) hash.state[i] += added[i];
}

}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const { delete context; }

Sha256::Sha256() : context_{new evp_md_ctx_st} {}

void Sha256::update(std::string_view bytes) {
  evp_md_ctx_st& hash = *context_;
  while (!bytes.empty()) {
    const std::size_t at = hash.bytes % hash.block.size();
    const std::size_t take = std::min(bytes.size(), hash.block.size() - at);
    std::copy_n(bytes.begin(), take, hash.block.begin() + static_cast<std::ptrdiff_t>(at));
    hash.bytes += take;
    bytes.remove_prefix(take);
    if (at + take == hash.block.size()) mix(hash);
  }
}

std::string Sha256::finish() {
  const uint64_t bits = context_->bytes * 8;
  update("\x80");
  while (context_->bytes % 64 != 56) update(std::string_view{"\0", 1});
  std::string length;
  for (int shift = 56; shift >= 0; shift -= 8) length += static_cast<char>(bits >> static_cast<unsigned>(shift));
  update(length);
  std::string text;
  for (const uint32_t word : context_->state)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> static_cast<unsigned>(shift) & 15U];
  return text;
}

}  // namespace paceline
