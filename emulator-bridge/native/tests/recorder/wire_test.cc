#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "recorder/wire.hh"

using namespace paceline::recorder;

namespace {

template <typename Message>
std::vector<std::byte> bytes_of(const Message& message) {
  std::array<std::byte, 256> room{};
  const std::size_t size = write(std::span<std::byte>{room}, message);
  return {room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace

TEST_CASE("Every message comes back as it was, and not when it was cut or is another kind") {
  const Start start{.session = 0xfedcba9876543210,
                    .cookie = 5,
                    .direction = Direction::up,
                    .rate_bps = 12'000'000'000,
                    .duration_ms = 60'000,
                    .packet_bytes = 1500};
  const auto bytes = bytes_of(start);
  const auto back = read<Start>(bytes);
  REQUIRE(back);
  CHECK(back->session == start.session);
  CHECK(back->direction == Direction::up);
  CHECK(back->rate_bps == 12'000'000'000);
  CHECK(back->packet_bytes == 1500);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    CHECK_FALSE(read<Start>(std::span<const std::byte>{bytes}.first(size)));
  CHECK_FALSE(read<Fetch>(bytes));

  const auto end = read<End>(bytes_of(End{.session = 1, .report = {.planned_packets = 9, .worst_behind_ns = -3}}));
  REQUIRE(end);
  CHECK(end->report.planned_packets == 9);
  CHECK(end->report.worst_behind_ns == -3);
  const auto refuse = read<Refuse>(bytes_of(Refuse{.session = 1, .reason = {'n', 'o'}}));
  REQUIRE(refuse);
  CHECK(refuse->text() == "no");
}

TEST_CASE("Bytes are in the order that the format says, whatever the machine") {
  const auto bytes = bytes_of(Data{.session = 0x0102, .sequence = 3, .sent_ns = 4});
  REQUIRE(bytes.size() == kDataHeaderBytes);
  const std::array<unsigned, 7> expected{'P', 'L', 'R', '1', static_cast<unsigned>(Kind::data), 0x02, 0x01};
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(std::to_integer<unsigned>(bytes[i]) == expected[i]);
}

TEST_CASE("What is none of ours has no kind") {
  CHECK_FALSE(kind_of({}));
  auto bytes = bytes_of(Hello{.session = 1});
  CHECK(kind_of(bytes) == Kind::hello);
  bytes[4] = std::byte{0};
  CHECK_FALSE(kind_of(bytes));
  bytes[4] = std::byte{200};
  CHECK_FALSE(kind_of(bytes));
  bytes[4] = std::byte{1};
  bytes[0] = std::byte{0};
  CHECK_FALSE(kind_of(bytes));
}

TEST_CASE("The answer to an unproved address is smaller than the question") {
  CHECK(bytes_of(Cookie{}).size() < kHelloBytes);
}
