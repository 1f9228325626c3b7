#include <doctest/doctest.h>

#include <cmath>

#include "tests/path/drive.hh"
#include "tests/simulation.hh"

using namespace paceline;
using namespace paceline::testing;

TEST_CASE("so many packets come twice, the second at once behind the first") {
  DriveElements drive{make_element("duplicate", {{"probability", 0.3}})};
  constexpr int kPackets = 100'000;
  for (int i = 0; i < kPackets; ++i) drive.in(at_ms(i));
  CHECK(drive.out.size() == kPackets + drive.copied);
  CHECK(std::abs(static_cast<double>(drive.copied) / kPackets - 0.3) < 5 * std::sqrt(0.3 * 0.7 / kPackets));
  uint64_t twice = 0;
  for (std::size_t i = 1; i < drive.out.size(); ++i) {
    if (drive.out[i].number != drive.out[i - 1].number) continue;
    ++twice;
    REQUIRE(drive.out[i].time == drive.out[i - 1].time);
  }
  CHECK(twice == drive.copied);
}

TEST_CASE("the receiver counts each copy as a duplicate, and the sender retransmits nothing for it") {
  LinkPlan forward = constant_link(12, Duration::millis(10), Bytes{300'000});
  const ElementDescriptor& d = element("duplicate");
  forward.path = {{.own = ElementPlan::Own::bottleneck},
                  {.element = &d, .params = Params{d.params, {{"probability", 0.1}}}},
                  {.own = ElementPlan::Own::delay}};
  Recorder sink;
  const RunSummary s = simulate(one_flow(forward, flow(fixed_window(20)), 5), sink);
  const Ledger& end = sink.ledgers.back();
  CHECK(end.copied > 300);
  CHECK(s.receivers.at(0).duplicate_packets <= end.copied);
  CHECK(s.receivers.at(0).duplicate_packets + 5 >= end.copied);  // some are under way
  CHECK(s.senders.at(0).retransmitted_packets == 0);
}
