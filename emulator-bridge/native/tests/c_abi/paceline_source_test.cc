// Applications behind the C interface.
#include "c_abi/paceline_source.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "transport/source.hh"

namespace {

constexpr int64_t kUs = 1000;
constexpr int64_t kMs = 1'000'000;
constexpr int64_t kNever = INT64_MAX;
constexpr int64_t kStart = 5'000'000'000;

struct Destroy {
  void operator()(paceline_source* s) const { paceline_source_destroy(s); }
};
using Source = std::unique_ptr<paceline_source, Destroy>;

Source make(const paceline_source_plan& plan, int64_t start = kStart) {
  char error[256] = "";
  return Source{paceline_source_create(&plan, start, error, sizeof error)};
}
std::string refusal(const paceline_source_plan& plan) {
  char error[256] = "";
  const Source made{paceline_source_create(&plan, kStart, error, sizeof error)};
  return made ? "" : error;
}

// Packets that were taken by the times at which the QUIC helper's own sources were asked once.
std::vector<uint32_t> packets_by(const paceline_source_plan& plan) {
  const Source source = make(plan);
  std::vector<uint32_t> all;
  uint32_t packets = 0;
  for (int64_t i = 1; i <= 20; ++i) {
    packets += paceline_source_take(source.get(), kStart + i * i * 12'345 * kUs, UINT32_MAX);
    all.push_back(packets);
  }
  return all;
}

}  // namespace

// The figures are those that the QUIC helper's own sources gave before it used these.
TEST_CASE("A rate gives whole packets when they come due, as the QUIC helper always did") {
  const paceline_source_plan plan{.rate_bps = 7.3e6, .packet_bytes = 1500};
  CHECK(packets_by(plan) == std::vector<uint32_t>{7,   30,   67,   120,  187,  270,  367,  480,  608,  750,
                                                  908, 1081, 1269, 1471, 1689, 1922, 2170, 2433, 2711, 3003});
  const Source source = make(plan);
  CHECK(paceline_source_take(source.get(), kStart + 400 * 12'345 * kUs, UINT32_MAX) == 3003);
  CHECK(std::abs(paceline_source_next(source.get()) - (kStart + 4'938'082'193)) <= 1);
}

TEST_CASE("Spells at a rate write while they last, as the QUIC helper's did") {
  const paceline_source_plan slow{.rate_bps = 9.7e6, .packet_bytes = 1500, .on_s = 0.5, .off_s = 1.5};
  CHECK(packets_by(slow) == std::vector<uint32_t>{9,   39,  89,  159, 249, 359, 404, 404, 404,  404,
                                                  404, 404, 473, 743, 808, 808, 808, 808, 1177, 1212});
  // But for one packet that is due at the very moment (the eleventh), for which the helper's rounding came too late.
  const paceline_source_plan quick{.rate_bps = 40e6, .packet_bytes = 1500, .on_s = 0.013, .off_s = 0.007};
  CHECK(packets_by(quick) == std::vector<uint32_t>{41,   117,  253,  433,  678,  968,  1316, 1723, 2166, 2686,
                                                   3250, 3856, 4527, 5243, 6023, 6847, 7739, 8666, 9663, 10703});
}

TEST_CASE("Without a rate a spell takes all, and its end is told") {
  const Source source = make({.packet_bytes = 1500, .on_s = 0.5, .off_s = 1.5});
  CHECK(paceline_source_take(source.get(), kStart, 3) == 3);
  CHECK(paceline_source_take(source.get(), kStart, UINT32_MAX) == 65536);
  CHECK(paceline_source_next(source.get()) == kStart + 500 * kMs);
  CHECK(paceline_source_take(source.get(), kStart + 500 * kMs, 1) == 0);
  CHECK(paceline_source_next(source.get()) == kStart + 2000 * kMs);
  CHECK(paceline_source_take(source.get(), kStart + 2100 * kMs, 1) == 1);

  const Source bulk = make({.packet_bytes = 1500});
  CHECK(paceline_source_take(bulk.get(), kStart, 1) == 1);
  CHECK(paceline_source_next(bulk.get()) == kNever);
}

TEST_CASE("Drawn spells are those of the engine's own flows") {
  const Source source = make({.packet_bytes = 1500, .on_s = 0.03, .off_s = 0.09, .exponential = 1, .seed = 7}, 0);
  paceline::Source own{
      paceline::OnOffPlan{
          .on = paceline::Duration::millis(30), .off = paceline::Duration::millis(90), .exponential = true},
      paceline::Random{7, 0, "application"}};
  own.start(paceline::Time::zero());
  int on = 0;
  for (int64_t i = 0; i < 100'000; ++i) {
    const bool writes = paceline_source_take(source.get(), i * kMs, 1) == 1;
    REQUIRE(writes == (own.next(paceline::Bytes{1500}, paceline::Time{i * kMs}) > paceline::Bytes::zero()));
    on += writes ? 1 : 0;
  }
  CHECK(on / 100'000.0 == doctest::Approx(0.25).epsilon(0.1));
}

TEST_CASE("Nonsense is refused with a sentence or does no harm") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(refusal({.rate_bps = kNan, .packet_bytes = 1500}).starts_with("rate_bps"));
  CHECK(refusal({.rate_bps = -1, .packet_bytes = 1500}).starts_with("rate_bps"));
  CHECK(refusal({.rate_bps = 1e13, .packet_bytes = 1500}).starts_with("rate_bps"));
  CHECK(refusal({.packet_bytes = 0}).starts_with("packet_bytes"));
  CHECK(refusal({.packet_bytes = INT64_MAX}).starts_with("packet_bytes"));
  CHECK(refusal({.packet_bytes = 1500, .on_s = 1}).starts_with("off_s"));
  CHECK(refusal({.packet_bytes = 1500, .on_s = -1, .off_s = 1}).starts_with("on_s"));
  CHECK(refusal({.packet_bytes = 1500, .on_s = 1e-9, .off_s = 1}).starts_with("on_s"));
  CHECK(refusal({.packet_bytes = 1500, .on_s = 1, .off_s = kNan}).starts_with("off_s"));
  char error[5] = "";
  const paceline_source_plan nothing{};
  CHECK(paceline_source_create(&nothing, 0, error, sizeof error) == nullptr);
  CHECK(std::string{error} == "pack");
  CHECK(paceline_source_create(&nothing, 0, nullptr, 0) == nullptr);

  CHECK(paceline_source_take(nullptr, 0, 1) == 0);
  CHECK(paceline_source_next(nullptr) == kNever);
  paceline_source_destroy(nullptr);

  const Source back = make({.rate_bps = 12e6, .packet_bytes = 1500});
  CHECK(paceline_source_take(back.get(), kStart + 10 * kMs, 100) == 10);
  CHECK(paceline_source_take(back.get(), INT64_MIN, 100) == 0);
  CHECK(paceline_source_take(back.get(), kStart + 11 * kMs, 100) == 1);
  CHECK(paceline_source_take(back.get(), INT64_MAX, 100) == 100);

  // The shortest spells up to the end of time, from either end of it.
  for (const int64_t start : {INT64_MIN, int64_t{0}, INT64_MAX - 5}) {
    const Source spells = make({.packet_bytes = 1500, .on_s = 1, .off_s = 1}, start);
    (void)paceline_source_take(spells.get(), INT64_MAX, 1);
    CHECK(paceline_source_next(spells.get()) > start);
  }
}
