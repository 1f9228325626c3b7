// What holds for every element: nothing is lost or made up untold, times never fall, time may stand still or jump, it comes to rest.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "tests/param_variants.hh"
#include "tests/path/drive.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE(
    "every packet leaves, waits or is lost, once; a copy is told of; times do not fall; in the end all is quiet") {
  for (const ElementDescriptor* d : registered_elements()) {
    CAPTURE(d->id);
    for (const Params::Given& params : variants_of(d->params)) {
      if (!params.empty()) CAPTURE(params.begin()->first);
      DriveElements drive{make_element(std::string{d->id}, params)};
      Random random{7, 0, "test"};
      Time now{};
      constexpr uint64_t kPackets = 3000;
      for (uint64_t i = 0; i < kPackets; ++i) {
        now += Duration::seconds(random.chance(0.001) ? 5 : random.chance(0.4) ? 0 : random.exponential(0.001));
        drive.in(now, 40 + static_cast<uint32_t>(random.below(1461)), static_cast<EcnMark>(random.below(4)));
        REQUIRE(i + 1 + drive.copied == drive.out.size() + drive.lost.size() + drive.chain.held());
        REQUIRE(drive.chain.next() >= now);
      }
      drive.finish();
      CHECK(drive.chain.held() == 0);
      CHECK(kPackets + drive.copied == drive.out.size() + drive.lost.size());
      CHECK(std::ranges::is_sorted(drive.out, {}, &DriveElements::Out::time));
      std::map<uint64_t, uint64_t> seen;
      for (const auto& o : drive.out) ++seen[o.number];
      for (const uint64_t number : drive.lost) ++seen[number];
      CHECK(seen.size() == kPackets);
    }
  }
}

TEST_CASE("the same seed gives the same, another seed another") {
  for (const ElementDescriptor* d : registered_elements()) {
    CAPTURE(d->id);
    const auto run = [&](uint64_t seed) {
      DriveElements drive{make_element(std::string{d->id}, {}, seed)};
      for (int i = 0; i < 20'000; ++i) drive.in(at_ms(i * 1.1), 1500, EcnMark::ect0);
      drive.finish();
      std::vector<std::pair<uint64_t, int64_t>> what;
      for (const auto& o : drive.out) what.emplace_back(o.number + (o.ecn == EcnMark::ce ? 1'000'000 : 0), o.time.ns);
      return what;
    };
    CHECK(run(1) == run(1));
    if (d->id == "gilbert-elliott" || d->id == "jitter" || d->id == "harq" || d->id == "loss") {
      CHECK(run(1) != run(2));
    }
  }
}
