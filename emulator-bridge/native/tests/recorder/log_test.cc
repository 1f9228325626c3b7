#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "core/random.hh"
#include "recorder/fetching.hh"
#include "recorder/log.hh"

using namespace paceline::recorder;
using paceline::Random;

namespace {

// Losses, overtaking, clocks that are far apart.
std::vector<Arrival> wild_log(std::size_t packets) {
  Random random{7, 0, "log"};
  std::vector<Arrival> log;
  int64_t at = 5'000'000'000'000;
  for (uint64_t sequence = 0; log.size() < packets; ++sequence) {
    if (random.chance(0.2)) continue;
    at += static_cast<int64_t>(random.exponential(3e5));
    log.push_back({.arrival_ns = at, .sequence = sequence, .sent_ns = static_cast<int64_t>(sequence) * 240'000});
    if (log.size() > 2 && random.chance(0.05)) std::swap(log[log.size() - 1].sequence, log[log.size() - 3].sequence);
  }
  return log;
}

}  // namespace

TEST_CASE("A packed log comes back exactly, and takes few bytes") {
  std::vector<Arrival> log = wild_log(20'000);
  const auto packed = pack_log(log);
  CHECK(packed.size() < log.size() * 10);
  REQUIRE(unpack_log(packed));
  CHECK(*unpack_log(packed) == log);
  CHECK(unpack_log({})->empty());

  log = {{.arrival_ns = std::numeric_limits<int64_t>::min(), .sequence = std::numeric_limits<uint64_t>::max()},
         {.arrival_ns = std::numeric_limits<int64_t>::max(), .sequence = 0, .sent_ns = -1}};
  CHECK(*unpack_log(pack_log(log)) == log);
}

TEST_CASE("What is no packed log is not taken for one") {
  auto packed = pack_log(wild_log(10));
  packed.pop_back();
  packed.pop_back();
  CHECK_FALSE(unpack_log(packed));
  CHECK_FALSE(unpack_log(std::vector<std::byte>(40, std::byte{0xff})));
}

TEST_CASE("A trace has an opportunity for every packet, in the millisecond in which it came") {
  const std::vector<Arrival> log{{.arrival_ns = 700'000},
                                 {.arrival_ns = 1'600'000},    // 0.9 ms after the first
                                 {.arrival_ns = 1'700'000},    // 1.0 ms
                                 {.arrival_ns = 10'699'999}};  // just below 10 ms
  CHECK(trace_of_log(log, 1500) == std::vector<uint32_t>{0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 1});
}

TEST_CASE("No fraction of a packet is lost on the way from log to trace") {
  auto log = wild_log(30'000);
  std::sort(log.begin(), log.end(), [](const Arrival& a, const Arrival& b) { return a.arrival_ns < b.arrival_ns; });
  for (const uint32_t bytes : {1500U, 1499U, 1400U, 700U}) {
    CAPTURE(bytes);
    const auto counts = trace_of_log(log, bytes);
    const uint64_t opportunities = std::accumulate(counts.begin(), counts.end(), uint64_t{0});
    const uint64_t total = log.size() * bytes;
    CHECK(opportunities * 1500 <= total);
    CHECK(total - opportunities * 1500 < 1500);
    // The period is the recording's time, up to the end of its last millisecond.
    CHECK(counts.size() - 1 ==
          static_cast<std::size_t>((log.back().arrival_ns - log.front().arrival_ns) / 1'000'000) + 1);
  }
}

TEST_CASE("A log is fetched whole over a path that loses half of it") {
  const auto log = wild_log(30'000);
  const auto packed = pack_log(log);
  Random random{3, 0, "path"};
  Fetching fetching{9, packed.size(), log.size()};
  int64_t now = 0;
  std::size_t questions = 0;
  while (!fetching.complete()) {
    REQUIRE(++questions < 1000);
    for (const Fetch& fetch : fetching.due(now)) {
      CHECK(fetch.chunks <= 32);
      for (uint64_t at = fetch.offset, i = 0; i < fetch.chunks && at < packed.size(); ++i, at += kChunkBytes) {
        std::vector<std::byte> datagram(64 + kChunkBytes);
        const std::size_t header = write(std::span<std::byte>{datagram}, Chunk{.session = 9, .offset = at});
        const std::size_t size = std::min<std::size_t>(kChunkBytes, packed.size() - at);
        std::copy_n(packed.begin() + static_cast<std::ptrdiff_t>(at), size,
                    datagram.begin() + static_cast<std::ptrdiff_t>(header));
        datagram.resize(header + size);
        if (!random.chance(0.5)) fetching.take(datagram, now);
      }
    }
    now = std::max(now, fetching.next_ns());
  }
  CHECK(fetching.log() == log);
}

TEST_CASE("A log longer than can be is not waited for") {
  CHECK_THROWS_AS((Fetching{1, uint64_t{1} << 40U, 1000}), std::runtime_error);
  CHECK((Fetching{1, 0, 1000}).complete());
}
